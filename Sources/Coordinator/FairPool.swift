import Dispatch
import Isolation
import Synchronization
import Transport

/// Dedicated threads that take work from one queue for each job, in turns, so that what one job has to wait for does
/// not keep another waiting. Work that is stopped gives its thread's place to another at once, whether or not it ends.
///
/// Threads live only while there is work. How much can wait is bounded by what a farm's jobs and slots can ask for.
final class FairPool: Sendable {
    private struct Item {
        let number: Int
        let job: String
        let stop: WorkStop
        let body: @Sendable () -> Void
    }

    private struct State {
        var waiting: [String: [Item]] = [:]
        /// Jobs with waiting work, the next one first.
        var turns: [String] = []
        /// Work under way that still counts, by job.
        var running: [String: Set<Int>] = [:]
        var runningCount = 0
        var threads = 0
        /// Those that were given up too.
        var living = 0
        var lastNumber = 0
    }

    private let name: String
    private let size: Int
    private let perJob: Int
    private let state = Mutex(State())

    /// At most `perJob` of the threads work for one job.
    init(name: String, size: Int, perJob: Int) { (self.name, self.size, self.perJob) = (name, size, max(1, perJob)) }

    /// `body` runs on one of the threads, also where `stop` is stopped before its turn comes. Throws where the system
    /// gives no thread and none is running; the work is then not queued.
    func run(for job: String, stop: WorkStop, _ body: @escaping @Sendable () -> Void) throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            let item = Item(number: state.lastNumber, job: job, stop: stop, body: body)
            if state.waiting[job, default: []].isEmpty { state.turns.append(job) }
            state.waiting[job, default: []].append(item)
            return item.number
        }
        do {
            try startThreadIfUseful()
        } catch {
            let isLost = state.withLock { state in
                guard state.threads == 0, var items = state.waiting[job] else { return false }
                items.removeAll { $0.number == number }
                state.waiting[job] = items.isEmpty ? nil : items
                if items.isEmpty { state.turns.removeAll { $0 == job } }
                return true
            }
            if isLost { throw error }
        }
    }

    private func startThreadIfUseful() throws {
        let isUseful = state.withLock { state in
            guard state.threads < size, Self.next(in: state, perJob) != nil else { return false }
            state.threads += 1
            state.living += 1
            return true
        }
        guard isUseful else { return }
        do {
            _ = try DedicatedThread(name: name, stackBytes: 8 << 20) { [self] in serve() }
        } catch {
            state.withLock { ($0.threads, $0.living) = ($0.threads - 1, $0.living - 1) }
            throw error
        }
    }

    /// The place in `turns` of the job whose work is to be taken next.
    private static func next(in state: State, _ perJob: Int) -> Int? {
        state.turns.firstIndex { state.running[$0]?.count ?? 0 < perJob }
    }

    private func take() -> Item? {
        state.withLock { state in
            guard state.runningCount < size, let turn = Self.next(in: state, perJob),
                var items = state.waiting[state.turns[turn]], !items.isEmpty
            else {
                state.threads -= 1
                return nil
            }
            let job = state.turns.remove(at: turn)
            let item = items.removeFirst()
            state.waiting[job] = items.isEmpty ? nil : items
            if !items.isEmpty { state.turns.append(job) }
            state.running[job, default: []].insert(item.number)
            state.runningCount += 1
            return item
        }
    }

    /// Whether work waits or is under way, stopped work that has not ended too.
    var isBusy: Bool { state.withLock { $0.living > 0 || !$0.turns.isEmpty } }

    private func serve() {
        defer { state.withLock { $0.living -= 1 } }
        while let item = take() {
            item.stop.during({ [self] in detach(item) }, item.body)
            // A thread whose place was given away has nothing more to do here.
            guard settle(item) else { return }
        }
    }

    /// False where the work was settled already.
    private func settle(_ item: Item) -> Bool {
        state.withLock { state in
            guard state.running[item.job]?.remove(item.number) != nil else { return false }
            if state.running[item.job]?.isEmpty == true { state.running[item.job] = nil }
            state.runningCount -= 1
            return true
        }
    }

    private func detach(_ item: Item) {
        guard settle(item) else { return }
        state.withLock { $0.threads -= 1 }
        serveWaiting()
    }

    /// Where the system gives no thread now it is asked again: what waits must not wait for more work to come.
    private func serveWaiting() {
        do {
            try startThreadIfUseful()
        } catch {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [self] in serveWaiting() }
        }
    }
}
