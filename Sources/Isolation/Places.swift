import Dispatch
import Synchronization

/// So many at a time; the others wait in the order in which they came.
final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [(number: Int, turn: DispatchSemaphore)] = []
        var lastNumber = 0
    }
    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

    /// Blocks until there is a place. Throws `.cancelled` once `stop` says so; no place is taken then.
    func take(_ stop: WorkStop?, _ subject: String) throws {
        try stop?.check(subject)
        let mine: (number: Int, turn: DispatchSemaphore)? = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            state.lastNumber += 1
            let waiting = (state.lastNumber, DispatchSemaphore(value: 0))
            state.waiting.append(waiting)
            return waiting
        }
        guard let mine else { return }
        while mine.turn.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
            guard let stop, stop.isStopped else { continue }
            let wasWaiting = state.withLock { state in
                let count = state.waiting.count
                state.waiting.removeAll { $0.number == mine.number }
                return state.waiting.count < count
            }
            // The place came at the last moment.
            if !wasWaiting { free() }
            try stop.check(subject)
        }
    }

    func free() {
        let next = state.withLock { state -> DispatchSemaphore? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.free += 1
            return nil
        }
        next?.signal()
    }
}
