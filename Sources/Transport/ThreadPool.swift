import Diagnostics
import Dispatch
import Synchronization

/// A few dedicated threads for blocking work, taken from its askers in turns, so that none waits for another's queue.
/// With one thread and one asker the order of work is the order of `run`.
package final class ThreadPool: Sendable {
    /// One piece of work that was handed in.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private let name: String
    private let size: Int
    private let capacity: Int
    private let state = Mutex(PoolState())
    /// Hung threads that others took the place of; beyond this, places stay taken.
    private static let mostAbandoned = 32

    /// `capacity`: how much work may wait.
    package init(name: String, size: Int, capacity: Int) {
        (self.name, self.size, self.capacity) = (name, size, capacity)
    }

    /// Threads live only while there is work, so nothing needs to be shut down. Throws `.refused` where too much waits,
    /// and where the system gives no thread and none is running; the work is then not queued.
    @discardableResult
    package func run(for asker: String = "", _ work: @escaping @Sendable () -> Void) throws -> Ticket {
        let (number, isNeeded) = try state.withLock { state in
            guard state.waiting < capacity else {
                throw SplitreelError(
                    .refused, operation: "queueing", subject: name,
                    reason: "\(state.waiting) pieces of work wait already",
                    hint: "try again later")
            }
            let number = state.add(work, asker)
            guard state.threads < size else { return (number, false) }
            state.threads += 1
            return (number, true)
        }
        if isNeeded { try startThread(orDrop: number) }
        return Ticket(number: number)
    }

    /// Nobody waits for that work any more. What has not begun never begins; what hangs keeps its thread until it comes
    /// back, and another thread serves in its place.
    package func abandon(_ ticket: Ticket) {
        state.withLock { state in
            if state.queued.remove(ticket.number) != nil {
                state.waiting -= 1
            } else if state.abandoned.count < Self.mostAbandoned, state.running.remove(ticket.number) != nil {
                state.abandoned.insert(ticket.number)
                state.threads -= 1
            }
        }
        serveWaiting()
    }

    /// Where the system gives no thread now it is asked again: what waits must not wait for more work to come.
    private func serveWaiting() {
        let isNeeded = state.withLock { state in
            guard state.waiting > 0, state.threads < size else { return false }
            state.threads += 1
            return true
        }
        guard isNeeded else { return }
        do {
            try startThread(orDrop: nil)
        } catch {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [self] in serveWaiting() }
        }
    }

    /// Whether work is waiting or under way, abandoned work too.
    package var isBusy: Bool {
        state.withLock { $0.waiting > 0 || !$0.running.isEmpty || !$0.abandoned.isEmpty }
    }

    private func startThread(orDrop number: UInt64?) throws {
        do {
            _ = try DedicatedThread(name: name, stackBytes: 8 << 20) { [self] in serve() }
        } catch {
            let isLast = state.withLock { state in
                state.threads -= 1
                guard state.threads == 0, let number, state.queued.remove(number) != nil else { return false }
                state.waiting -= 1
                return true
            }
            if isLast { throw error }
        }
    }

    private func serve() {
        while let item = state.withLock({ $0.take() }) {
            item.work()
            let goesOn = state.withLock { state in
                state.running.remove(item.number)
                return state.abandoned.remove(item.number) == nil
            }
            if !goesOn { return }
        }
    }
}

private struct PoolItem {
    let number: UInt64
    let work: @Sendable () -> Void
}

private struct PoolState {
    /// Each asker's work in order; those before `head` are gone.
    private var queues: [String: (items: [PoolItem], head: Int)] = [:]
    /// Askers with work, the next one first.
    private var turns: [String] = []
    var queued: Set<UInt64> = []
    var running: Set<UInt64> = []
    var abandoned: Set<UInt64> = []
    var waiting = 0
    /// Without those whose work was abandoned.
    var threads = 0
    private var last: UInt64 = 0

    mutating func add(_ work: @escaping @Sendable () -> Void, _ asker: String) -> UInt64 {
        last += 1
        if queues[asker] == nil { turns.append(asker) }
        queues[asker, default: ([], 0)].items.append(PoolItem(number: last, work: work))
        queued.insert(last)
        waiting += 1
        return last
    }

    /// The next work of the asker whose turn it is; nil, and one thread less, where there is none.
    mutating func take() -> PoolItem? {
        while !turns.isEmpty {
            let asker = turns.removeFirst()
            guard let item = next(of: asker) else { continue }
            turns.append(asker)
            queued.remove(item.number)
            running.insert(item.number)
            waiting -= 1
            return item
        }
        threads -= 1
        return nil
    }

    private mutating func next(of asker: String) -> PoolItem? {
        while let queue = queues[asker], queue.head < queue.items.count {
            let item = queue.items[queue.head]
            queues[asker]?.head += 1
            if queue.head > 1024, queue.head * 2 > queue.items.count {
                queues[asker]?.items.removeFirst(queue.head + 1)
                queues[asker]?.head = 0
            }
            if queued.contains(item.number) { return item }
        }
        queues[asker] = nil
        return nil
    }
}
