import Diagnostics
import Synchronization

/// Ends a piece of blocking work from outside; between whoever waits for it and whoever does it.
package final class WorkStop: Sendable {
    private struct State {
        var isStopped = false
        var actions: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
    }
    private let state = Mutex(State())

    package init() {}

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Stops the work, from any thread, any number of times; does not wait for it to end.
    package func stop() {
        let actions = state.withLock { state in
            state.isStopped = true
            defer { state.actions = [:] }
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Throws `.cancelled` once the work is stopped.
    package func check(_ subject: String) throws {
        guard isStopped else { return }
        throw SplitreelError(
            .cancelled, operation: "reading media", subject: subject, reason: "the work is not wanted any more")
    }

    /// Runs `body`; `onStop` runs at once when it is stopped meanwhile, or was before.
    package func during<R>(_ onStop: @escaping @Sendable () -> Void, _ body: () throws -> R) rethrows -> R {
        let number: Int? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.lastNumber += 1
            state.actions[state.lastNumber] = onStop
            return state.lastNumber
        }
        if number == nil { onStop() }
        defer { if let number { state.withLock { $0.actions[number] = nil } } }
        return try body()
    }
}
