/// A number of places for work at a time; others wait in the order in which they came. A piece of work may take
/// several, such as the bytes that it holds.
package final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [Int] = []
        var lastNumber = 0
    }
    private let monitor: Monitor<State>
    private let all: Int

    package init(_ count: Int) {
        all = max(1, count)
        monitor = Monitor(State(free: all))
    }

    /// Takes a place, and blocks until there is one. Throws `.cancelled` once `stop` says so; no place is taken then.
    /// `queued` is called when its turn among the others is certain.
    package func take(_ stop: WorkStop?, _ subject: String, queued: () -> Void = {}) throws {
        try take(places: 1, stop, subject, queued: queued)
    }

    package func free() { free(places: 1) }

    /// Takes so many places as `take` takes one; whoever wants more than there are takes all of them.
    package func take(
        places count: Int, _ stop: WorkStop?, _ subject: String, queued: () -> Void = {}
    ) throws {
        try stop?.check(subject)
        let wanted = places(count)
        let mine = monitor.change { state in
            state.lastNumber += 1
            state.waiting.append(state.lastNumber)
            return state.lastNumber
        }
        queued()
        let wait = { [monitor] in
            monitor.wait { state -> Bool? in
                let isTaken = stop?.isStopped != true
                guard !isTaken || (state.free >= wanted && state.waiting.first == mine) else { return nil }
                state.waiting.removeAll { $0 == mine }
                if isTaken { state.free -= wanted }
                return isTaken
            }
        }
        // Whoever waits looks again when it is stopped.
        let isTaken = stop?.during({ [monitor] in monitor.change { _ in } }, wait) ?? wait()
        if !isTaken { try stop?.check(subject) }
    }

    /// Frees what one `take` of so many places took.
    package func free(places count: Int) {
        let wanted = places(count)
        monitor.change { $0.free += wanted }
    }

    private func places(_ count: Int) -> Int { min(max(count, 1), all) }
}
