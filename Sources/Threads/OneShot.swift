/// A value that comes once and stays; any number of threads may wait for it. Waiting blocks the calling thread: never
/// from the cooperative pool.
package final class OneShot<Value: Sendable>: Sendable {
    private let monitor = Monitor<Value?>(nil)

    package init() {}

    /// Sets the value, if it is the first one; answers whether it was.
    @discardableResult
    package func set(_ value: Value) -> Bool {
        monitor.change { known in
            guard known == nil else { return false }
            known = value
            return true
        }
    }

    package var value: Value? { monitor.read { $0 } }

    package func wait() -> Value { monitor.wait { $0 } }

    /// Waits for the value; nil where it has not come within `limit`.
    package func wait(within limit: Duration) -> Value? { monitor.wait(within: limit) { $0 } }
}

/// A gate that opens once and stays open.
package typealias Latch = OneShot<Void>

extension OneShot<Void> {
    package func open() { set(()) }

    /// Answers whether the gate is open, after `limit` at the latest.
    package func isOpen(within limit: Duration) -> Bool { wait(within: limit) != nil }
}
