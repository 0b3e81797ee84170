import Diagnostics
import Dispatch
import Synchronization

/// A few dedicated threads for blocking work, taken from its askers in turns, so that none waits for another's queue.
/// With one thread and one asker the order of work is the order of `run`.
///
/// A thread that has no work waits for a second for more, since to start one costs more than most work. Then it ends:
/// nothing needs to be shut down.
package final class ThreadPool: Sendable {
    /// One piece of work that was handed in.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private let name: String
    private let size: Int
    private let capacity: Int
    private let state: Mutex<PoolState>
    /// The most hung threads whose places others take; beyond this, places stay taken.
    private static let mostAbandoned = 256
    /// The time for which a thread without work waits for more.
    private static let patience = DispatchTimeInterval.seconds(1)

    /// Makes the pool: at most `perAsker` of the `size` threads work for one asker, and at most `capacity` pieces of
    /// work wait.
    package init(name: String, size: Int, perAsker: Int = .max, capacity: Int = .max) {
        self.name = name
        self.size = size
        self.capacity = capacity
        state = Mutex(PoolState(perAsker: max(1, perAsker)))
    }

    /// Runs `work` on one of the threads, also where `stop` is stopped before its turn comes; when it is stopped
    /// meanwhile, another thread serves in the place of this one, as after `abandon`.
    ///
    /// Throws `.refused` where too much waits, and where the system gives no thread and none is running; the work is
    /// then not queued.
    @discardableResult
    package func run(
        for asker: String = "", stop: WorkStop? = nil, _ work: @escaping @Sendable () -> Void
    ) throws -> Ticket {
        let ticket = try state.withLock { state in
            guard state.waiting < capacity else {
                throw SplitreelError(
                    .refused, operation: "queueing", subject: name,
                    reason: "\(state.waiting) pieces of work wait already",
                    hint: "try again later")
            }
            return Ticket(number: state.add(work, asker, stop))
        }
        do {
            try startThreadIfUseful()
        } catch {
            let isLost = state.withLock { $0.threads == 0 && $0.drop(ticket.number) }
            if isLost { throw error }
        }
        return ticket
    }

    /// Runs `work` on one of the threads, and waits for its result without blocking anybody. Throws as `run` does.
    package func result<R: Sendable>(of work: @escaping @Sendable () -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try run { continuation.resume(returning: work()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Gives up work whose result nobody waits for any more. Work that has not begun never begins; work that hangs
    /// keeps its thread until it comes back, and another thread serves in its place.
    ///
    /// - Returns: whether the work had not begun.
    @discardableResult
    package func abandon(_ ticket: Ticket) -> Bool {
        let isDropped = state.withLock { state in
            if state.drop(ticket.number) { return true }
            if state.abandoned.count < Self.mostAbandoned, state.settle(ticket.number) {
                state.abandoned.insert(ticket.number)
                state.threads -= 1
            }
            return false
        }
        serveWaiting()
        return isDropped
    }

    /// Whether work is waiting or under way, abandoned work too.
    package var isBusy: Bool {
        state.withLock { $0.waiting > 0 || !$0.running.isEmpty || !$0.abandoned.isEmpty }
    }

    /// Starts a thread for waiting work. Where the system gives none now it is asked again: the work must not wait for
    /// more to come.
    private func serveWaiting() {
        do {
            try startThreadIfUseful()
        } catch {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [self] in serveWaiting() }
        }
    }

    /// Lets a thread that waits take the work that waits, or starts one.
    private func startThreadIfUseful() throws {
        let (isUseful, idler) = state.withLock { state -> (Bool, DispatchSemaphore?) in
            guard state.threads < size, state.nextTurn != nil else { return (false, nil) }
            state.threads += 1
            return (true, state.idlers.popLast())
        }
        guard isUseful else { return }
        if let idler {
            idler.signal()
            return
        }
        do {
            _ = try DedicatedThread(name: name, stackBytes: 8 << 20) { [self] in serve() }
        } catch {
            state.withLock { $0.threads -= 1 }
            throw error
        }
    }

    private func serve() {
        let bell = DispatchSemaphore(value: 0)
        repeat {
            while let item = state.withLock({ $0.take(orWaitFor: bell) }) {
                if let stop = item.stop {
                    stop.during({ [self] in _ = abandon(Ticket(number: item.number)) }, item.work)
                } else {
                    item.work()
                }
                let goesOn = state.withLock { state in
                    state.settle(item.number)
                    return state.abandoned.remove(item.number) == nil
                }
                // A thread whose place was given away has nothing more to do here.
                if !goesOn { return }
            }
        } while isRung(bell)
    }

    /// Waits until there may be work again; false where nobody rang in time.
    private func isRung(_ bell: DispatchSemaphore) -> Bool {
        if bell.wait(timeout: .now() + Self.patience) == .success { return true }
        let isForgotten = state.withLock { $0.forget(bell) }
        // Who took the bell in between rings it.
        if !isForgotten { bell.wait() }
        return !isForgotten
    }
}

private struct PoolItem {
    let number: UInt64
    let asker: String
    let stop: WorkStop?
    let work: @Sendable () -> Void
}

private struct PoolState {
    let perAsker: Int
    /// The work of each asker, in order.
    private var queues: [String: PoolQueue] = [:]
    /// The askers with work, the next one first.
    private var turns: [String] = []
    private var queued: Set<UInt64> = []
    /// The askers of work that is under way and still counts, by its number.
    private(set) var running: [UInt64: String] = [:]
    private var runningOf: [String: Int] = [:]
    var abandoned: Set<UInt64> = []
    /// The number of threads, without those that wait for work and those whose work was abandoned.
    var threads = 0
    /// The bells of the threads that wait for work, which are not among `threads`: whoever takes one counts its thread
    /// again, and rings.
    var idlers: [DispatchSemaphore] = []
    private var last: UInt64 = 0

    init(perAsker: Int) { self.perAsker = perAsker }

    var waiting: Int { queued.count }

    mutating func add(_ work: @escaping @Sendable () -> Void, _ asker: String, _ stop: WorkStop?) -> UInt64 {
        last += 1
        if queues[asker] == nil { turns.append(asker) }
        queues[asker, default: PoolQueue()].items.append(
            PoolItem(number: last, asker: asker, stop: stop, work: work))
        queued.insert(last)
        return last
    }

    /// Drops waiting work; false where it has begun.
    mutating func drop(_ number: UInt64) -> Bool { queued.remove(number) != nil }

    /// The place in `turns` of the asker whose work is to be taken next; there may be none in its queue any more.
    var nextTurn: Int? { turns.firstIndex { runningOf[$0] ?? 0 < perAsker } }

    /// The next work of the asker whose turn it is; nil, and one thread less, where there is none. That thread waits
    /// for its bell.
    mutating func take(orWaitFor bell: DispatchSemaphore) -> PoolItem? {
        while let turn = nextTurn {
            let asker = turns.remove(at: turn)
            guard let item = next(of: asker) else { continue }
            turns.append(asker)
            queued.remove(item.number)
            running[item.number] = asker
            runningOf[asker, default: 0] += 1
            return item
        }
        threads -= 1
        idlers.append(bell)
        return nil
    }

    /// Forgets the bell of a thread that waits no more; false where somebody has taken it.
    mutating func forget(_ bell: DispatchSemaphore) -> Bool {
        guard let place = idlers.firstIndex(where: { $0 === bell }) else { return false }
        idlers.remove(at: place)
        return true
    }

    /// Lets work that was under way not count any more; false where it did not count.
    @discardableResult
    mutating func settle(_ number: UInt64) -> Bool {
        guard let asker = running.removeValue(forKey: number) else { return false }
        let rest = (runningOf[asker] ?? 1) - 1
        runningOf[asker] = rest > 0 ? rest : nil
        return true
    }

    private mutating func next(of asker: String) -> PoolItem? {
        while let item = queues[asker]?.takeFirst() {
            if queued.contains(item.number) { return item }
        }
        queues[asker] = nil
        return nil
    }
}

/// A queue of work in order. Work that was taken goes from memory now and then, many pieces at once.
private struct PoolQueue {
    var items: [PoolItem?] = []
    /// The index of the next work: pieces before it are gone.
    private var head = 0

    /// Takes the next work in place: a copy of the queue held meanwhile would make each take copy all that waits.
    mutating func takeFirst() -> PoolItem? {
        guard head < items.count else { return nil }
        let item = items[head]
        items[head] = nil
        head += 1
        if head > 1024, head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
        return item
    }
}
