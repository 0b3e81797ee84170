/// Every time limit of one slot; the defaults are the ones that docs/internals/protocol.md states.
package struct SlotLimits: Sendable, Hashable {
    /// The time from one heartbeat to the next and, below, the time that a lease holds; used until the welcome names
    /// others.
    package var heartbeat: Duration = .seconds(1)
    package var lease: Duration = .seconds(5)
    /// The time from one tick of the brain to the next.
    package var tick: Duration = .milliseconds(100)
    /// The time after which the slot connects anew, without a welcome and in silence.
    package var reconnect: Duration = .seconds(5)
    /// The time after a welcome in which an "unknown" answers a heartbeat from before it.
    package var unknownGrace: Duration = .seconds(2)
    /// The time between two reports of progress at least.
    package var progress: Duration = .milliseconds(250)
    /// The time after which a result, failure or release is said again, until it is acknowledged.
    package var repeatReport: Duration = .seconds(2)
    /// The time after its cancellation within which a render must stop; otherwise it is ended with the process.
    package var cancel: Duration = .seconds(2)
    /// The time that the current chunk, and its way to the coordinator, may still take after SIGTERM; and below it the
    /// time that its release may wait for an answer.
    package var drain: Duration = .seconds(5)
    package var drainAnswer: Duration = .seconds(1)
    /// The time within which two SIGTERM are one wish: a batch system tells each process of a task, and the slot's
    /// parent passes on what it was told.
    package var oneWish: Duration = .seconds(3)
    /// The time that a coordinator may be away before the work in hand is given up.
    package var absence: Duration = .seconds(600)
    /// The same time for a segment that is complete in the outbox.
    package var outbox: Duration = .seconds(3600)

    package init() {}

    /// Makes the slot leave within `whole` of SIGTERM: what its handing back may take is left of it, and the current
    /// chunk has the rest.
    package mutating func leave(within whole: Duration) { drain = max(.zero, whole - cancel - drainAnswer) }

    /// The time after SIGTERM within which a slot has left.
    package var whole: Duration { drain + cancel + drainAnswer }
}

/// The statuses with which a slot's process ends.
package enum SlotExit {
    /// The slot was told to leave: by a drain, by SIGTERM, or because its standard input closed. It is not started
    /// again.
    package static let left: Int32 = 0
    /// No retry can help (a root that is not there, another version): the worker ends too.
    package static let hopeless: Int32 = 2
    /// The coordinator does not let the worker's key in, or not to this: the worker ends too.
    package static let lockedOut: Int32 = 77
    /// The coordinator declined the slot for now (too many slots).
    package static let refused: Int32 = 6
    /// A cancelled render did not stop.
    package static let stuck: Int32 = 75
    /// The slot drained, and its process ended before its render had stopped.
    package static let handedBack: Int32 = 76
    /// A second SIGTERM came.
    package static let terminated: Int32 = 143
}
