import Dispatch

/// A gate that opens once and stays open; any number of threads may wait at it.
package final class Latch: Sendable {
    private let group = DispatchGroup()

    package init() { group.enter() }

    /// Call exactly once.
    package func open() { group.leave() }

    /// Blocks the calling thread: never from the cooperative pool.
    package func wait() { group.wait() }

    /// Answers whether the gate opened within `limit`.
    package func wait(within limit: Duration) -> Bool {
        group.wait(timeout: .now() + .milliseconds(Int(limit.clampedMilliseconds))) == .success
    }
}
