import Dispatch
import Synchronization

/// Lets calls in until it is closed, from any thread; whoever closes it waits for those that are inside.
final class CallGate: Sendable {
    private struct State {
        var inside = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let empty = DispatchSemaphore(value: 0)

    /// Answers whether the call may begin; one that may is to call `leave` at its end.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.inside += 1
            return true
        }
    }

    func leave() {
        let isLast = state.withLock { state in
            state.inside -= 1
            return state.isClosed && state.inside == 0
        }
        if isLast { empty.signal() }
    }

    /// Lets nobody in any more, and returns when everybody has left; answers whether it was open.
    func close() -> Bool {
        let (wasOpen, mustWait) = state.withLock { state in
            defer { state.isClosed = true }
            return (!state.isClosed, !state.isClosed && state.inside > 0)
        }
        if mustWait { empty.wait() }
        return wasOpen
    }
}
