import Diagnostics
import Scheduling
import Testing

@Suite("Slot brain")
struct SlotBrainTests {
    private let order = BrainBench.order
    private var holding: Holding { order.holding }
    private let result = BrainBench.result

    @Test("the whole way of one chunk, action by action")
    func happyPath() {
        var bench = BrainBench()
        #expect(bench.give(.begin) == [.register(nil)])
        #expect(bench.give(BrainBench.welcome) == [.startHeartbeat(endpoint: "hb", interval: .seconds(1))])
        #expect(bench.give(.lease(order)) == [.hold(holding), .startRender(order), .sendStarted(holding)])
        #expect(
            bench.give(.progress(holding, done: 1, total: 24)) == [.sendProgress(holding, done: 1, total: 24)])
        #expect(
            bench.give(.rendered(holding, .success(result)), after: .seconds(2))
                == [.sendFinished(holding, segment: "c3.e1.nut", result)])
        #expect(bench.give(.acknowledged(holding, accepted: true)) == [.hold(nil), .noteChunkDone])
        let next = BrainBench.makeOrder(task: 4, epoch: 1)
        #expect(
            bench.give(.lease(next)) == [.hold(next.holding), .startRender(next), .sendStarted(next.holding)])
    }

    @Test("progress is told at most four times a second, and the last of it is not forgotten")
    func progressRate() {
        var bench = BrainBench.rendering()
        var sent: [SlotAction] = []
        for frame in 1...100 {
            sent += bench.give(.progress(holding, done: frame, total: 100), after: .milliseconds(10))
        }
        // One second of frames every 10 ms: at 10, 260, 510 and 760 ms.
        #expect(sent == [1, 26, 51, 76].map { .sendProgress(holding, done: $0, total: 100) })
        #expect(bench.pass(.seconds(1)) == [.sendProgress(holding, done: 100, total: 100)])
    }

    @Test("a lease twice starts one render; a second lease goes back")
    func duplicateLease() {
        var bench = BrainBench.rendering()
        #expect(bench.give(.lease(order)) == [])
        let other = BrainBench.makeOrder(task: 5, epoch: 1)
        #expect(bench.give(.lease(other)) == [.sendReleased(other.holding)])
        #expect(bench.brain.holding == holding)
    }

    @Test("a cancelled lease stops the render, removes what it left, and goes back")
    func cancel() {
        for outcome: Result<SlotResult, SplitreelError> in [
            .failure(BrainBench.error(.cancelled)), .success(result), .failure(BrainBench.error(.decodeFailed)),
        ] {
            var bench = BrainBench.rendering()
            #expect(bench.give(.cancelLease(holding)) == [.cancelRender])
            #expect(bench.give(.cancelLease(holding)) == [])
            #expect(
                bench.give(.rendered(holding, outcome), after: .seconds(1)) == [
                    .discard(order), .sendReleased(holding),
                ])
            #expect(bench.give(.acknowledged(holding, accepted: true)) == [.hold(nil)])
        }
    }

    @Test("a render that ignores its cancellation takes the process with it after two seconds")
    func stuck() {
        var bench = BrainBench.rendering()
        _ = bench.give(.cancelLease(holding))
        #expect(bench.pass(.milliseconds(1900), reply: nil) == [])
        #expect(bench.give(.tick, after: .milliseconds(100)) == [.abort(75)])
        #expect(bench.give(.tick) == [])
    }

    @Test("a cancel of something that the slot does not hold is answered, and changes nothing")
    func strayCancel() {
        var bench = BrainBench.rendering()
        let old = BrainBench.makeOrder(task: 3, epoch: 0).holding
        #expect(bench.give(.cancelLease(old)) == [.sendReleased(old)])
        #expect(bench.brain.holding == holding)
    }

    @Test("a failure is told with what was done, again until it is acknowledged")
    func failure() {
        var bench = BrainBench.rendering()
        _ = bench.give(.progress(holding, done: 7, total: 24))
        let error = BrainBench.error(.decodeFailed)
        let told = SlotAction.sendFailed(holding, error, unitsDone: 7)
        #expect(bench.give(.rendered(holding, .failure(error))) == [told])
        #expect(bench.pass(.milliseconds(4500), reply: BrainBench.beat) == [told, told])
        #expect(bench.give(.acknowledged(holding, accepted: true)) == [.hold(nil)])
        #expect(bench.pass(.seconds(4), reply: BrainBench.beat) == [])
    }

    @Test("a lost completion report is said again; a late result that is refused is removed")
    func lateAcknowledgement() {
        var bench = BrainBench.reporting()
        let told = SlotAction.sendFinished(holding, segment: order.segment, result)
        #expect(bench.pass(.milliseconds(6500), reply: BrainBench.beat) == [told, told, told])
        #expect(bench.give(.acknowledged(holding, accepted: false)) == [.hold(nil), .discard(order)])
        // The same answer again belongs to nothing.
        #expect(bench.give(.acknowledged(holding, accepted: false)) == [])
    }

    @Test("a result is told only while the lease is known to hold")
    func publishNeedsConfirmation() {
        var bench = BrainBench.rendering()
        // The lease itself is a confirmation for five seconds; then only heartbeats are.
        let no = SlotEvent.heartbeatReply(known: true, leaseValid: false)
        _ = bench.pass(.seconds(6), reply: no)
        #expect(bench.give(.rendered(holding, .success(result))) == [])
        #expect(bench.pass(.seconds(3), reply: no) == [])
        #expect(bench.give(BrainBench.beat) == [.sendFinished(holding, segment: order.segment, result)])
    }

    @Test("a lease that is lost before its result was told: the result is removed")
    func lostLease() {
        var bench = BrainBench.rendering()
        _ = bench.pass(.seconds(6), reply: .heartbeatReply(known: true, leaseValid: false))
        _ = bench.give(.rendered(holding, .success(result)))
        #expect(bench.give(.cancelLease(holding)) == [.discard(order), .sendReleased(holding)])
    }

    @Test("a lease that arrives twice is rendered once, also when the first one is done")
    func repeatedLease() {
        var bench = BrainBench.reporting()
        #expect(bench.give(.lease(order)) == [])
        _ = bench.give(.acknowledged(holding, accepted: true))
        #expect(bench.give(.lease(order)) == [])
        let next = BrainBench.makeOrder(task: 4, epoch: 1)
        #expect(bench.give(.lease(next)).contains(.startRender(next)))
    }

    @Test("refused: the slot leaves, and nothing happens after")
    func refused() {
        var bench = BrainBench()
        _ = bench.give(.begin)
        #expect(bench.give(.refused(BrainBench.error(.refused))) == [.leave(6)])
        #expect(bench.give(BrainBench.welcome) == [])
        #expect(bench.pass(.seconds(20)) == [])
    }

    @Test("another version is final, a full house is not")
    func refusals() {
        for (code, status) in [(ErrorCode.versionMismatch, SlotExit.hopeless), (.refused, SlotExit.refused)] {
            var bench = BrainBench()
            _ = bench.give(.begin)
            let actions = bench.give(.refused(BrainBench.error(code)))
            #expect(actions.contains(.leave(status)))
            #expect(actions.contains(.noteHopeless(BrainBench.error(code))) == (code == .versionMismatch))
        }
    }
}
