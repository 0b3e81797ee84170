/// Every time limit of one slot; the defaults are the ones that docs/PROTOCOL.md states.
package struct SlotLimits: Sendable, Hashable {
    /// Used until the welcome names others.
    package var heartbeat: Duration = .seconds(1)
    package var lease: Duration = .seconds(5)
    /// The brain is told the time this often.
    package var tick: Duration = .milliseconds(100)
    /// Without a welcome, and in silence, the slot connects anew this often.
    package var reconnect: Duration = .seconds(5)
    /// "Unknown" right after a welcome answers a heartbeat from before it.
    package var unknownGrace: Duration = .seconds(2)
    /// Progress is told at most this often.
    package var progress: Duration = .milliseconds(250)
    /// A result, failure or release is said again until it is acknowledged.
    package var repeatReport: Duration = .seconds(2)
    /// A render that does not stop within this after its cancellation is ended with the process.
    package var cancel: Duration = .seconds(2)
    /// After SIGTERM: how long the current chunk may still take, then how long its release may wait for an answer.
    package var drain: Duration = .seconds(5)
    package var drainAnswer: Duration = .seconds(1)
    /// A coordinator may be away for this long before the work in hand is given up.
    package var absence: Duration = .seconds(600)

    package init() {}
}

/// The statuses with which a slot's process ends.
package enum SlotExit {
    /// Told to leave: by a drain, by SIGTERM, or because its standard input closed. Not started again.
    package static let left: Int32 = 0
    /// No retry can help (a root that is not there, another version): the worker ends too.
    package static let hopeless: Int32 = 2
    /// The coordinator declined it for now (too many slots).
    package static let refused: Int32 = 6
    /// A cancelled render did not stop.
    package static let stuck: Int32 = 75
    /// A second SIGTERM.
    package static let terminated: Int32 = 143
}
