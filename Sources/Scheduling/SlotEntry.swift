/// A registered process that renders one chunk at a time.
package struct SlotEntry: Sendable {
    package internal(set) var spec: SlotSpec
    package var lastHeard: Instant
    /// What the coordinator believes the slot to work on; nil: it has its one credit. Not always a current attempt: a
    /// cancelled one stays until the slot lets go of it.
    package var holding: Holding?
    /// Set while `holding` was cancelled and the slot has not answered yet.
    package var cancelledAt: Instant?
    package var isDraining = false
    /// The job of its last lease, where its run is, if any.
    var lastJob: String?
    /// Frames of whatever job; the sound has none.
    var meter = RateMeter()
}
