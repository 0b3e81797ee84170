/// The way of a finished segment to the coordinator: the time that it may take, and whether its slot could have sent.
///
/// Only bytes that come prolong it, at a least rate. Otherwise a slot that says that it sends, or sends a byte now and
/// then, would keep its chunk from others for ever.
package struct SegmentTravel: Sendable {
    /// The time until which it may be on its way, whatever becomes of its slot.
    package private(set) var until: Instant
    /// The time since which it is on its way.
    private(set) var since: Instant
    private var bytes: Int64 = 0
    /// The time since which its slot is away; nil while it is there.
    private var awaySince: Instant?
    private var away: Duration = .zero

    init(_ now: Instant, _ limits: Limits) {
        since = now
        until = now + limits.sending
    }

    /// Notes bytes that were not here before.
    mutating func came(_ count: Int64, _ now: Instant, _ limits: Limits) {
        guard count > 0 else { return }
        bytes += count
        let earned = Duration.milliseconds(bytes * 1000 / max(1, limits.sendingRate))
        until = max(until, min(now + limits.sending, since + limits.sending + earned))
    }

    mutating func slotLeft(_ now: Instant) { if awaySince == nil { awaySince = now } }

    mutating func slotCame(_ now: Instant) {
        if let since = awaySince { away += now - since }
        awaySince = nil
    }

    /// Gives it more time: the coordinator itself stood still.
    mutating func shift(_ gap: Duration) {
        since = since + gap
        until = until + gap
        awaySince = awaySince.map { $0 + gap }
    }

    /// Whether its slot was there for long enough to send something.
    func couldSend(_ now: Instant, _ limits: Limits) -> Bool {
        let absence = away + (awaySince.map { now - $0 } ?? .zero)
        return now - since - absence >= limits.sending / 2
    }
}
