import Diagnostics
import Scheduling
import Testing

@Suite("Slot brain: absence, drain, end")
struct SlotBrainAbsenceTests {
    private let order = ClockedSlot.order
    private var holding: Holding { order.holding }
    private let result = ClockedSlot.result

    @Test("without a welcome the slot connects anew every five seconds")
    func noWelcome() {
        var slot = ClockedSlot()
        _ = slot.give(.begin)
        #expect(slot.pass(.milliseconds(20_500)) == [.register(nil), .register(nil), .register(nil), .register(nil)])
    }

    @Test("who was never there cannot be back")
    func notThereYet() {
        var slot = ClockedSlot()
        func notes(_ seconds: Int) -> [SlotNote] {
            (0..<seconds).flatMap { _ -> [SlotNote] in
                slot.now = slot.now + .seconds(1)
                return slot.brain.handle(.tick, now: slot.now).compactMap {
                    if case .log(let note) = $0 { note } else { nil }
                }
            }
        }
        func note(_ event: SlotEvent) -> [SlotNote] {
            slot.brain.handle(event, now: slot.now).compactMap { if case .log(let note) = $0 { note } else { nil } }
        }
        #expect(note(.begin).isEmpty)
        #expect(notes(60) == [.coordinatorMissing])
        #expect(note(ClockedSlot.welcome) == [.registered])
        #expect(notes(60) == [.coordinatorSilent])
        #expect(note(ClockedSlot.welcome) == [.coordinatorBack, .registered])
    }

    @Test("a silent coordinator: the render goes on, the slot registers with what it holds, progress is held back")
    func silence() {
        var slot = ClockedSlot.rendering()
        let actions = slot.pass(.seconds(11))
        #expect(actions == [.register(holding), .register(holding)])
        #expect(slot.give(.progress(holding, done: 9, total: 24)) == [])
        #expect(
            slot.give(ClockedSlot.welcome)
                == [.startHeartbeat(endpoint: "hb", interval: .seconds(1)), .sendStarted(holding)])
        #expect(slot.give(.tick) == [.sendProgress(holding, done: 9, total: 24)])
    }

    @Test("a restarted coordinator knows the slot not: it registers once, with what it holds")
    func unknown() {
        var slot = ClockedSlot.rendering()
        let unknown = SlotEvent.heartbeatReply(known: false, leaseValid: false)
        // Within two seconds of the welcome this answers a heartbeat from before it.
        #expect(slot.give(unknown, after: .seconds(1)) == [])
        #expect(slot.give(unknown, after: .seconds(2)) == [.register(holding)])
        #expect(slot.give(unknown, after: .seconds(1)) == [])
    }

    @Test("a result made in the coordinator's absence is kept, and told when its lease is confirmed")
    func resultInAbsence() {
        var slot = ClockedSlot.rendering()
        _ = slot.pass(.seconds(30))
        #expect(slot.give(.rendered(holding, .success(result))) == [])
        let quiet = slot.pass(.seconds(300))
        #expect(quiet.allSatisfy { $0 == .register(holding) })
        _ = slot.give(ClockedSlot.welcome)
        #expect(slot.give(ClockedSlot.beat) == [.sendFinished(holding, segment: order.segment, result)])
    }

    @Test("a result that was told before the coordinator went is told again after it is back, never removed")
    func toldInAbsence() {
        var slot = ClockedSlot.reporting()
        let quiet = slot.pass(.seconds(900))
        #expect(!quiet.contains(.discard(order)))
        #expect(
            slot.give(ClockedSlot.welcome)
                == [
                    .startHeartbeat(endpoint: "hb", interval: .seconds(1)),
                    .sendFinished(holding, segment: order.segment, result),
                ])
    }

    @Test("after ten minutes of absence, and not before, a render is given up")
    func absenceLimit() {
        var slot = ClockedSlot.rendering()
        #expect(!slot.pass(.seconds(599)).contains(.cancelRender))
        #expect(slot.pass(.seconds(1)).contains(.cancelRender))
        let after = slot.give(.rendered(holding, .failure(ClockedSlot.error(.cancelled))))
        #expect(after == [.discard(order)])
        // Told once there is somebody to tell.
        #expect(slot.give(ClockedSlot.welcome).contains(.sendReleased(holding)))
    }

    @Test("an idle slot that is drained leaves at once", arguments: [SlotEvent.terminate, .drainRequest, .inputClosed])
    func drainIdle(_ event: SlotEvent) {
        var slot = ClockedSlot.idle()
        #expect(slot.give(event) == [.leave(0)])
    }

    @Test("the coordinator's drain lets the chunk finish, however long, and takes no other")
    func drainRequest() {
        var slot = ClockedSlot.rendering()
        #expect(slot.give(.drainRequest) == [.sendDraining])
        #expect(slot.pass(.seconds(60), reply: ClockedSlot.beat) == [])
        _ = slot.give(.rendered(holding, .success(result)))
        #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil), .noteChunkDone, .leave(0)])
    }

    @Test("SIGTERM gives the chunk five seconds, then hands it back and leaves")
    func terminateRendering() {
        var slot = ClockedSlot.rendering()
        #expect(slot.give(.terminate) == [.sendDraining])
        #expect(slot.pass(.milliseconds(4900), reply: ClockedSlot.beat) == [])
        #expect(slot.give(.tick, after: .milliseconds(100)) == [.cancelRender])
        #expect(slot.give(.rendered(holding, .failure(ClockedSlot.error(.cancelled)))) == [.sendReleased(holding)])
        #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil), .leave(0)])
    }

    @Test("a coordinator that comes back meanwhile is told again that the slot drains")
    func drainingIsToldAgain() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.terminate)
        _ = slot.give(.heartbeatReply(known: false, leaseValid: false), after: .seconds(3))
        #expect(slot.give(ClockedSlot.welcome).last == .sendDraining)
    }

    @Test("SIGTERM with nobody to hand back to: the slot leaves all the same")
    func terminateUnanswered() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.terminate)
        _ = slot.pass(.seconds(5))
        _ = slot.give(.rendered(holding, .failure(ClockedSlot.error(.cancelled))))
        #expect(slot.pass(.seconds(5)).last == .leave(0))
    }

    /// Five seconds for the chunk, and two more in which its render is to stop.
    @Test("a render that does not stop after SIGTERM ends with the process, which is no error")
    func terminateWhileRendering() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.terminate)
        #expect(slot.pass(.milliseconds(6900)).contains(.cancelRender))
        slot.now = slot.now + .milliseconds(100)
        let actions = slot.brain.handle(.tick, now: slot.now)
        #expect(actions.contains(.log(.handedBack(holding))) && !actions.contains(.log(.stuck)))
        #expect(actions.last == .abort(76))
    }

    @Test("a chunk that finishes within SIGTERM's five seconds is delivered")
    func terminateFinishing() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.terminate)
        #expect(
            slot.give(.rendered(holding, .success(result)), after: .seconds(3))
                == [.sendFinished(holding, segment: order.segment, result)])
        #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil), .noteChunkDone, .leave(0)])
    }

    @Test("a second SIGTERM ends the process at once; one within three seconds is an echo of the first")
    func terminateTwice() {
        var slot = ClockedSlot.rendering()
        _ = slot.give(.terminate)
        #expect(slot.give(.terminate, after: .milliseconds(2900)) == [])
        #expect(slot.give(.terminate, after: .milliseconds(100)) == [.abort(143)])
    }

    /// Of fifty seconds three are for handing back.
    @Test("a drain of fifty seconds gives the chunk 47 of them, and the slot has left after fifty")
    func drainOfFifty() {
        var limits = SlotLimits()
        limits.leave(within: .seconds(50))
        #expect(limits.whole == .seconds(50))
        var slot = ClockedSlot.rendering(limits)
        #expect(slot.give(.terminate) == [.sendDraining])
        #expect(slot.pass(.milliseconds(46_900), reply: ClockedSlot.beat) == [])
        #expect(slot.give(.tick, after: .milliseconds(100)) == [.cancelRender])
        #expect(slot.give(.rendered(holding, .failure(ClockedSlot.error(.cancelled)))) == [.sendReleased(holding)])
        #expect(!slot.pass(.milliseconds(2900), reply: ClockedSlot.beat).contains(.leave(0)))
        #expect(slot.pass(.milliseconds(100), reply: ClockedSlot.beat).last == .leave(0))
    }

    /// What is left to hand back takes its time, however little a person grants.
    @Test("a drain of a second or three hands back at once", arguments: [1, 3])
    func shortDrain(seconds: Int) {
        var limits = SlotLimits()
        limits.leave(within: .seconds(seconds))
        #expect(limits.drain == .zero)
        var slot = ClockedSlot.rendering(limits)
        _ = slot.give(.terminate)
        #expect(slot.give(.tick) == [.cancelRender])
    }

    @Test("a segment that is being sent is sent during the drain, and only then the slot leaves")
    func drainWhileSending() {
        var limits = SlotLimits()
        limits.leave(within: .seconds(50))
        var slot = ClockedSlot.rendering(limits)
        _ = slot.give(.terminate)
        let kept = SlotResult(segmentHash: result.segmentHash, seconds: result.seconds, isKept: true)
        #expect(slot.pass(.seconds(20), reply: ClockedSlot.beat) == [])
        #expect(slot.give(.rendered(holding, .success(kept))).contains(.deliver(order)))
        #expect(!slot.pass(.seconds(20), reply: ClockedSlot.beat).contains(.discard(order)))
        let sent = SlotAction.sendFinished(holding, segment: order.segment, kept)
        #expect(slot.give(.delivered(holding)).contains(sent))
        #expect(slot.give(.acknowledged(holding, accepted: true)) == [.hold(nil), .noteChunkDone, .leave(0)])
    }

    @Test("the parent's end stops the render and removes what nobody was told of")
    func inputClosed() {
        var slot = ClockedSlot.rendering()
        #expect(slot.give(.inputClosed) == [.cancelRender])
        #expect(slot.give(.rendered(holding, .success(result))) == [.discard(order), .leave(0)])

        var stuck = ClockedSlot.rendering()
        _ = stuck.give(.inputClosed)
        #expect(stuck.pass(.seconds(2)).last == .abort(75))

        var told = ClockedSlot.reporting()
        #expect(told.give(.inputClosed) == [.leave(0)])
    }

    @Test("a random walk: one render at a time, one start per lease, every leave the last word", arguments: 0..<200)
    func randomWalk(_ seed: UInt64) {
        var random = Walk(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var slot = ClockedSlot()
        _ = slot.give(.begin)
        var running: Holding?
        var ended = false
        for _ in 0..<400 {
            let event = random.event(running)
            if case .rendered = event { running = nil }
            for action in slot.give(event, after: .milliseconds(Int64(random.next() % 700))) {
                #expect(!ended, "an action after the end")
                switch action {
                case .startRender(let order):
                    #expect(running == nil, "two renders at once")
                    running = order.holding
                case .leave, .abort: ended = true
                case .sendFinished(let holding, _, _): #expect(slot.brain.holding == holding && running == nil)
                default: break
                }
            }
        }
    }
}

/// xorshift64: the same walk for the same seed.
private struct Walk {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// Weighted so that walks get somewhere before something ends them.
    mutating func event(_ running: Holding?) -> SlotEvent {
        let task = Int(next() % 3)
        let order = ClockedSlot.makeOrder(task: task, epoch: Int(next() % 3))
        switch next() % 100 {
        case 0..<15: return ClockedSlot.welcome
        case 15..<35: return .lease(order)
        case 35..<40: return .cancelLease(running ?? order.holding)
        case 40..<55: return .acknowledged(order.holding, accepted: next() % 4 > 0)
        case 55..<65: return .heartbeatReply(known: next() % 10 > 0, leaseValid: next() % 4 > 0)
        case 65..<80:
            guard let running else { return .tick }
            return .rendered(
                running, next() % 3 > 0 ? .success(ClockedSlot.result) : .failure(ClockedSlot.error(.cancelled)))
        case 80..<85: return .progress(running ?? order.holding, done: Int(next() % 50), total: 50)
        case 99: return next() % 5 == 0 ? .terminate : .tick
        default: return .tick
        }
    }
}
