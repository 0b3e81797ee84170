/// A registered process that renders one chunk at a time.
package struct SlotEntry: Sendable {
    package internal(set) var spec: SlotSpec
    package var lastHeard: Instant
    /// The time of its first registration; one that comes again keeps it.
    package let registeredAt: Instant
    /// The attempt that the coordinator believes the slot to work on; nil where it has its one credit. It is not always
    /// a current one: a cancelled one stays until the slot lets go of it.
    package var holding: Holding?
    /// The time at which `holding` was cancelled, while the slot has not answered yet; nil otherwise.
    package var cancelledAt: Instant?
    package var isDraining = false
    /// The job of its last lease, where its run is, if any; nil before the first.
    var lastJob: String?
    /// The meter of its frames, of whatever job; the sound has none.
    var meter = RateMeter()
}
