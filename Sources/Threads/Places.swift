/// A number of places for work at a time; others wait in the order in which they came.
package final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [Int] = []
        var lastNumber = 0
    }
    private let monitor: Monitor<State>

    package init(_ count: Int) { monitor = Monitor(State(free: max(1, count))) }

    /// Takes a place, and blocks until there is one. Throws `.cancelled` once `stop` says so; no place is taken then.
    /// `queued` is called when its turn among the others is certain.
    package func take(_ stop: WorkStop?, _ subject: String, queued: () -> Void = {}) throws {
        try stop?.check(subject)
        let mine = monitor.change { state in
            state.lastNumber += 1
            state.waiting.append(state.lastNumber)
            return state.lastNumber
        }
        queued()
        let wait = { [monitor] in
            monitor.wait { state -> Bool? in
                let isTaken = stop?.isStopped != true
                guard !isTaken || (state.free > 0 && state.waiting.first == mine) else { return nil }
                state.waiting.removeAll { $0 == mine }
                if isTaken { state.free -= 1 }
                return isTaken
            }
        }
        // Whoever waits looks again when it is stopped.
        let isTaken = stop?.during({ [monitor] in monitor.change { _ in } }, wait) ?? wait()
        if !isTaken { try stop?.check(subject) }
    }

    package func free() { monitor.change { $0.free += 1 } }
}
