import Scheduling

/// The bytes that a stream may have in flight: twice what its link carries in the time from a request to its answer, in
/// whole pieces. So the link is never idle, and little waits in its queues.
struct FlowWindow: Sendable {
    private let piece: Int64
    private let most: Int64
    private(set) var bytes: Int64
    /// The shortest time from a request to its first piece; nil before the first.
    private(set) var delay: Duration?
    private var since: Instant?
    private var came: Int64 = 0
    /// The shortest time over which a speed is measured.
    private static let period: Duration = .milliseconds(50)

    init(_ limits: DataLimits) {
        piece = limits.pieceBytes
        most = limits.bytesOfPeer
        bytes = min(2 * limits.pieceBytes, limits.bytesOfPeer)
    }

    /// The same window for the next stream over the same link.
    var resumed: FlowWindow {
        var next = self
        next.since = nil
        return next
    }

    /// Notes the time from a request to its first piece.
    mutating func answered(after time: Duration) { delay = min(delay ?? time, time) }

    /// Notes bytes that came in order.
    mutating func add(_ count: Int64, _ now: Instant) {
        guard let delay else { return }
        guard let start = since else {
            // What came first says nothing of the time that it took.
            since = now
            came = 0
            return
        }
        came += count
        let span = now - start
        guard span >= max(delay, Self.period) else { return }
        let wish = 2 * Double(came) * (Double(delay.nanoseconds) / Double(span.nanoseconds))
        let pieces = Int64((wish / Double(piece)).rounded(.up))
        bytes = min(max(pieces, 2) * piece, most)
        since = now
        came = 0
    }

    /// Goes back to a piece at a time, since nothing comes.
    mutating func shrink() {
        bytes = min(piece, most)
        since = nil
    }
}
