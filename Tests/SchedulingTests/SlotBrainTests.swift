import Diagnostics
import Scheduling
import Testing

@Suite("Slot brain")
struct SlotBrainTests {
    private let order = ClockedSlot.order
    private var holding: Holding { order.holding }
    private let result = ClockedSlot.result

    @Test("the whole way of one chunk, action by action")
    func happyPath() {
        var slot = ClockedSlot()
        #expect(slot.give(.begin) == [.register(nil)])
        #expect(slot.give(ClockedSlot.welcome) == [.startHeartbeat(endpoint: "hb", interval: .seconds(1))])
        #expect(slot.give(.lease(order)) == [.hold(holding), .startRender(order), .sendStarted(holding)])
        #expect(
            slot.give(.progress(holding, done: 1, total: 24)) == [.sendProgress(holding, done: 1, total: 24)])
        #expect(
            slot.give(.rendered(holding, .success(result)), after: .seconds(2))
                == [.sendFinished(holding, segment: "c3.e1.nut", result)])
        #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil), .noteChunkDone])
        let next = ClockedSlot.makeOrder(task: 4, epoch: 1)
        #expect(
            slot.give(.lease(next)) == [.hold(next.holding), .startRender(next), .sendStarted(next.holding)])
    }

    @Test("progress is told at most four times a second, and the last of it is not forgotten")
    func progressRate() {
        var slot = ClockedSlot.rendering()
        var sent: [SlotAction] = []
        for frame in 1...100 {
            sent += slot.give(.progress(holding, done: frame, total: 100), after: .milliseconds(10))
        }
        // One second of frames every 10 ms: at 10, 260, 510 and 760 ms.
        #expect(sent == [1, 26, 51, 76].map { .sendProgress(holding, done: $0, total: 100) })
        #expect(slot.pass(.seconds(1)) == [.sendProgress(holding, done: 100, total: 100)])
    }

    @Test("a lease twice starts one render; a second lease goes back")
    func duplicateLease() {
        var slot = ClockedSlot.rendering()
        #expect(slot.give(.lease(order)) == [])
        let other = ClockedSlot.makeOrder(task: 5, epoch: 1)
        #expect(slot.give(.lease(other)) == [.sendReleased(other.holding)])
        #expect(slot.brain.holding == holding)
    }

    @Test("a cancelled lease stops the render, removes what it left, and goes back")
    func cancel() {
        for outcome: Result<SlotResult, SplitreelError> in [
            .failure(ClockedSlot.error(.cancelled)), .success(result), .failure(ClockedSlot.error(.decodeFailed)),
        ] {
            var slot = ClockedSlot.rendering()
            #expect(slot.give(.cancelLease(holding)) == [.cancelRender])
            #expect(slot.give(.cancelLease(holding)) == [])
            #expect(
                slot.give(.rendered(holding, outcome), after: .seconds(1)) == [
                    .discard(order), .sendReleased(holding),
                ])
            #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil)])
        }
    }

    @Test("a render that ignores its cancellation takes the process with it after two seconds")
    func stuck() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.cancelLease(holding))
        #expect(slot.pass(.milliseconds(1900), reply: nil) == [])
        #expect(slot.give(.tick, after: .milliseconds(100)) == [.abort(75)])
        #expect(slot.give(.tick) == [])
    }

    @Test("a cancel of something that the slot does not hold is answered, and changes nothing")
    func strayCancel() {
        var slot = ClockedSlot.rendering()
        let old = ClockedSlot.makeOrder(task: 3, epoch: 0).holding
        #expect(slot.give(.cancelLease(old)) == [.sendReleased(old)])
        #expect(slot.brain.holding == holding)
    }

    @Test("a failure is told with what was done, again until it is acknowledged")
    func failure() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.progress(holding, done: 7, total: 24))
        let error = ClockedSlot.error(.decodeFailed)
        let told = SlotAction.sendFailed(holding, error, unitsDone: 7)
        #expect(slot.give(.rendered(holding, .failure(error))) == [told])
        #expect(slot.pass(.milliseconds(4500), reply: ClockedSlot.beat) == [told, told])
        #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil)])
        #expect(slot.pass(.seconds(4), reply: ClockedSlot.beat) == [])
    }

    @Test("a lost completion report is said again; a late result that is refused is removed")
    func lateAcknowledgement() {
        var slot = ClockedSlot.reporting()
        let told = SlotAction.sendFinished(holding, segment: order.segment, result)
        #expect(slot.pass(.milliseconds(6500), reply: ClockedSlot.beat) == [told, told, told])
        #expect(slot.give(.acknowledged(holding, accepted: false)) == [.hold(nil), .discard(order)])
        // The same answer again belongs to nothing.
        #expect(slot.give(.acknowledged(holding, accepted: false)) == [])
    }

    @Test("a result is told only while the lease is known to hold")
    func publishNeedsConfirmation() {
        var slot = ClockedSlot.rendering()
        // The lease itself is a confirmation for five seconds; then only heartbeats are.
        let no = SlotEvent.heartbeatReply(known: true, leaseValid: false)
        _ = slot.pass(.seconds(6), reply: no)
        #expect(slot.give(.rendered(holding, .success(result))) == [])
        #expect(slot.pass(.seconds(3), reply: no) == [])
        #expect(slot.give(ClockedSlot.beat) == [.sendFinished(holding, segment: order.segment, result)])
    }

    @Test("a lease that is lost before its result was told: the result is removed")
    func lostLease() {
        var slot = ClockedSlot.rendering()
        _ = slot.pass(.seconds(6), reply: .heartbeatReply(known: true, leaseValid: false))
        _ = slot.give(.rendered(holding, .success(result)))
        #expect(slot.give(.cancelLease(holding)) == [.discard(order), .sendReleased(holding)])
    }

    @Test("a lease that arrives twice is rendered once, also when the first one is done")
    func repeatedLease() {
        var slot = ClockedSlot.reporting()
        #expect(slot.give(.lease(order)) == [])
        _ = slot.give(.acknowledged(holding, accepted: true))
        #expect(slot.give(.lease(order)) == [])
        let next = ClockedSlot.makeOrder(task: 4, epoch: 1)
        #expect(slot.give(.lease(next)).contains(.startRender(next)))
    }

    @Test("refused: the slot leaves, and nothing happens after")
    func refused() {
        var slot = ClockedSlot()
        _ = slot.give(.begin)
        #expect(slot.give(.refused(ClockedSlot.error(.refused))) == [.leave(6)])
        #expect(slot.give(ClockedSlot.welcome) == [])
        #expect(slot.pass(.seconds(20)) == [])
    }

    @Test("another version and a key that is not let in are final, a full house is not")
    func refusals() {
        let ends: [(ErrorCode, Int32)] = [
            (.versionMismatch, SlotExit.hopeless), (.keyRefused, SlotExit.lockedOut),
            (.roleRefused, SlotExit.lockedOut), (.tokenNeeded, SlotExit.lockedOut), (.refused, SlotExit.refused),
        ]
        for (code, status) in ends {
            var slot = ClockedSlot()
            _ = slot.give(.begin)
            let actions = slot.give(.refused(ClockedSlot.error(code)))
            #expect(actions.contains(.leave(status)))
            #expect(actions.contains(.noteHopeless(ClockedSlot.error(code))) == (code != .refused))
        }
    }
}
