import Diagnostics
import Hashing
import Scheduling
import Testing

/// A brain with a clock that the test turns.
struct ClockedSlot {
    var brain = SlotBrain()
    var now = Instant.zero

    static let order = makeOrder(task: 3, epoch: 1)

    static func makeOrder(task: Int, epoch: Int) -> LeaseOrder {
        LeaseOrder(
            holding: Holding(
                job: "j", task: task, epoch: epoch, lease: LeaseID(high: 1, low: UInt64(task * 100 + epoch))),
            planPath: "/w/plan.json", planHash: "ab", folder: "/w", segment: "c\(task).e\(epoch).nut",
            key: ContentKey(of: Array("\(task)".utf8)))
    }

    static let result = SlotResult(segmentHash: [1, 2, 3], seconds: 4)

    static func error(_ code: ErrorCode) -> SplitreelError {
        SplitreelError(code, operation: "op", subject: "s", reason: "r")
    }

    /// The actions without logs.
    mutating func give(_ event: SlotEvent, after delay: Duration = .zero) -> [SlotAction] {
        now = now + delay
        return brain.handle(event, now: now).filter { if case .log = $0 { false } else { true } }
    }

    /// Ticks every 100 ms for `span`, with a heartbeat reply each second if one is given.
    mutating func pass(_ span: Duration, reply: SlotEvent? = nil) -> [SlotAction] {
        var actions: [SlotAction] = []
        let steps = Int(span.nanoseconds / 100_000_000)
        for step in 0..<max(steps, 0) {
            actions += give(.tick, after: .milliseconds(100))
            if let reply, step % 10 == 9 { actions += give(reply) }
        }
        return actions
    }

    static let welcome = SlotEvent.welcome(heartbeatEndpoint: "hb", heartbeat: .seconds(1), lease: .seconds(5))
    static let beat = SlotEvent.heartbeatReply(known: true, leaseValid: true)

    /// A brain that is registered and idle.
    static func idle(_ limits: SlotLimits = SlotLimits()) -> ClockedSlot {
        var slot = ClockedSlot(brain: SlotBrain(limits: limits))
        _ = slot.give(.begin)
        _ = slot.give(welcome)
        return slot
    }

    /// A brain that renders `order`.
    static func rendering(_ limits: SlotLimits = SlotLimits()) -> ClockedSlot {
        var slot = idle(limits)
        _ = slot.give(.lease(order))
        return slot
    }

    /// A brain that has told of its result and waits for the answer.
    static func reporting() -> ClockedSlot {
        var slot = rendering()
        _ = slot.give(.rendered(order.holding, .success(result)))
        return slot
    }
}
