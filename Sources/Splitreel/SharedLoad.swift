import Diagnostics
import Synchronization
import Threads

/// A value that blocking work makes once for all who ask, on a thread of its own, which begins with the first of them.
///
/// Who is cancelled waits no longer; the others do. When nobody waits any more the work is told to stop, and begins
/// anew for whoever asks next. The value is kept, and so is a failure. From any task and thread.
final class SharedLoad<Value: Sendable>: Sendable {
    typealias Work = @Sendable (_ stop: WorkStop) throws -> Value
    private typealias Waiter = @Sendable (Result<Value, any Error>) -> Void

    private enum Phase {
        case idle, cancelled
        case loading(WorkStop)
        case done(Result<Value, SplitreelError>)
    }

    private struct State {
        var phase = Phase.idle
        var waiters: [Int: Waiter] = [:]
        var lastTicket = 0
        /// The tickets of tasks that were cancelled before they waited.
        var given: Set<Int> = []
    }

    /// The step that a new waiter leads to.
    private enum Next {
        case nothing, begin(WorkStop)
        case answer(Result<Value, any Error>)
    }

    private let name: String
    private let work: Work
    private let state = Mutex(State())

    /// - Parameter name: the thread's name.
    init(_ name: String, _ work: @escaping Work) { (self.name, self.work) = (name, work) }

    /// How the value stands; `take` makes of it what is told.
    func status<Part>(_ take: (Value) throws -> Part) -> MediaAsset.Status<Part> {
        switch state.withLock({ $0.phase }) {
        case .idle: return .notLoaded
        case .cancelled: return .cancelled
        case .loading: return .loading
        case .done(.failure(let error)): return .failed(error)
        case .done(.success(let value)):
            do { return .loaded(try take(value)) } catch { return .failed(SplitreelError.wrapping(error)) }
        }
    }

    /// The value, once it is there. Throws `SplitreelError`, or `CancellationError` where the task is cancelled.
    func value() async throws -> Value {
        try Task.checkCancellation()
        let ticket = newTicket()
        defer { state.withLock { _ = $0.given.remove(ticket) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(ticket) { continuation.resume(with: $0) }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    /// The value, once it is there, for a thread that may block.
    func valueOnThisThread() throws -> Value {
        let answer = OneShot<Result<Value, any Error>>()
        wait(newTicket()) { answer.set($0) }
        return try answer.wait().get()
    }

    private func newTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    private func wait(_ ticket: Int, _ waiter: @escaping Waiter) {
        let next: Next = state.withLock { state in
            if state.given.contains(ticket) { return .answer(.failure(CancellationError())) }
            switch state.phase {
            case .done(let result): return .answer(result.mapError { $0 })
            case .loading:
                state.waiters[ticket] = waiter
                return .nothing
            case .idle, .cancelled:
                state.waiters[ticket] = waiter
                let stop = WorkStop()
                state.phase = .loading(stop)
                return .begin(stop)
            }
        }
        switch next {
        case .nothing: break
        case .answer(let result): waiter(result)
        case .begin(let stop):
            startThread(name) {
                let result = Result { try self.work(stop) }
                self.end(stop, result.mapError { SplitreelError.wrapping($0) })
            }
        }
    }

    private func giveUp(_ ticket: Int) {
        let (waiter, stop) = state.withLock { state -> (Waiter?, WorkStop?) in
            guard let waiter = state.waiters.removeValue(forKey: ticket) else {
                state.given.insert(ticket)
                return (nil, nil)
            }
            guard state.waiters.isEmpty, case .loading(let stop) = state.phase else { return (waiter, nil) }
            state.phase = .cancelled
            return (waiter, stop)
        }
        stop?.stop()
        waiter?(.failure(CancellationError()))
    }

    /// Keeps the result and tells all who wait. Of work that was told to stop nothing is kept.
    private func end(_ stop: WorkStop, _ result: Result<Value, SplitreelError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard case .loading(let current) = state.phase, current === stop else { return [] }
            state.phase = .done(result)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter(result.mapError { $0 }) }
    }
}
