import Synchronization
import Transport

/// A few dedicated threads that work off one queue, first come first served; blocking work belongs here. With one
/// thread the order of work is the order of `run`.
final class ThreadPool: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var threads = 0
    }

    private let name: String
    private let size: Int
    private let state = Mutex(State())

    init(name: String, size: Int) { (self.name, self.size) = (name, size) }

    /// Threads live only while there is work, so nothing needs to be shut down. Throws where the system gives no thread
    /// and none is running; the work is then not queued.
    func run(_ work: @escaping @Sendable () -> Void) throws {
        let isNeeded = state.withLock { state in
            state.work.append(work)
            guard state.threads < size else { return false }
            state.threads += 1
            return true
        }
        guard isNeeded else { return }
        do {
            _ = try DedicatedThread(name: name, stackBytes: 8 << 20) { [self] in serve() }
        } catch {
            let isLast = state.withLock { state in
                state.threads -= 1
                if state.threads == 0 { state.work.removeLast() }
                return state.threads == 0
            }
            if isLast { throw error }
        }
    }

    private func serve() {
        while true {
            let next: (@Sendable () -> Void)? = state.withLock { state in
                guard !state.work.isEmpty else {
                    state.threads -= 1
                    return nil
                }
                return state.work.removeFirst()
            }
            guard let next else { return }
            next()
        }
    }
}
