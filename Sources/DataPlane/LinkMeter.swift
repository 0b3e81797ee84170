package import Scheduling

/// The bytes a second that a link carries while bytes go over it one after the other. Stretches in which it waits for
/// anything else do not count.
package struct LinkMeter: Sendable {
    /// The rate of the fastest stretch of late, in bytes a second; nil before the first.
    package private(set) var rate: Double?
    /// The start of a stretch, and the latest bytes in it.
    private var since: Instant?
    private var last: Instant?
    private var count: Int64 = 0

    /// The shortest time over which a rate is measured.
    private static let shortest: Duration = .milliseconds(500)
    /// The pause after which the link was not busy.
    private static let pause: Duration = .milliseconds(500)
    /// The part of an earlier rate that a slower stretch leaves.
    private static let left = 0.75

    package init() {}

    /// Notes bytes that have come or gone.
    package mutating func add(_ bytes: Int, _ now: Instant) {
        guard let since, let last, now - last <= Self.pause else {
            // The first bytes say nothing of the time that they took.
            begin(now)
            return
        }
        self.last = now
        count += Int64(bytes)
        let span = now - since
        guard span >= Self.shortest else { return }
        rate = max(Double(count) * 1e9 / Double(span.nanoseconds), (rate ?? 0) * Self.left)
        begin(now)
    }

    private mutating func begin(_ now: Instant) {
        since = now
        last = now
        count = 0
    }
}
