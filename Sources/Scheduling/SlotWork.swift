import Diagnostics

/// The work that a slot has in hand.
enum SlotWork: Sendable {
    case idle
    case rendering(SlotRender)
    /// The segment is complete in the outbox, and on its way to the coordinator. It was last told so at that time.
    case sending(LeaseOrder, SlotResult, toldAt: Instant?)
    /// The segment is complete where the coordinator sees it; it is told only once the lease has been confirmed lately.
    case publishing(LeaseOrder, SlotResult)
    /// The result is told, and told again until it is acknowledged.
    case reporting(LeaseOrder, SlotReport, lastSent: Instant)

    var holding: Holding? {
        switch self {
        case .idle: nil
        case .rendering(let render): render.order.holding
        case .sending(let order, _, _), .publishing(let order, _), .reporting(let order, _, _): order.holding
        }
    }

    var isIdle: Bool { holding == nil }
}

struct SlotRender: Sendable {
    enum Stop: Sendable {
        /// The coordinator took the lease back, or was away for too long.
        case revoked
        /// The slot drains and the chunk took too long.
        case drained
        /// The process is to end.
        case leaving
    }
    let order: LeaseOrder
    var unitsDone = 0
    var unitsTotal = 0
    var sentUnits = 0
    var sentAt: Instant?
    private(set) var stop: Stop?
    private(set) var stopAskedAt: Instant?

    init(order: LeaseOrder) { self.order = order }

    /// Asks the render to stop. The first request counts for the time limit, the last one for what happens after. True
    /// for the first.
    mutating func ask(_ reason: Stop, now: Instant) -> Bool {
        stop = reason
        guard stopAskedAt == nil else { return false }
        stopAskedAt = now
        return true
    }
}

enum SlotReport: Sendable {
    case finished(SlotResult)
    case failed(SplitreelError, unitsDone: Int)
    case released
}
