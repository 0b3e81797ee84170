import Diagnostics
import Scheduling
import Testing

/// A slot whose segment lies in its own outbox.
@Suite struct SlotBrainSendingTests {
    private static let order = ClockedSlot.order
    private static let holding = ClockedSlot.order.holding
    private static let kept = SlotResult(segmentHash: [1, 2, 3], seconds: 4, isKept: true)

    private func sending() -> ClockedSlot {
        var slot = ClockedSlot.rendering()
        let actions = slot.give(.rendered(Self.holding, .success(Self.kept)))
        #expect(actions == [.deliver(Self.order), .sendSending(Self.holding)])
        return slot
    }

    @Test func itIsToldAsFinishedWhenItIsThere() {
        var slot = sending()
        let told = slot.pass(.seconds(10), reply: ClockedSlot.beat)
        #expect(told.count { $0 == .sendSending(Self.holding) } == 5)
        #expect(!told.contains { if case .sendFinished = $0 { true } else { false } })
        let finished = slot.give(.delivered(Self.holding))
        #expect(finished == [.sendFinished(Self.holding, segment: Self.order.segment, Self.kept)])
        #expect(slot.give(.acknowledged(Self.holding, accepted: true)).contains(.noteChunkDone))
        #expect(slot.brain.holding == nil)
    }

    /// It registers with the segment of a process that has ended, and sends it as its own.
    @Test func whatAnEarlierProcessLeftIsSent() {
        var slot = ClockedSlot()
        slot.brain = SlotBrain(sending: (Self.order, Self.kept))
        #expect(slot.give(.begin) == [.hold(Self.holding), .register(Self.holding)])
        #expect(slot.give(ClockedSlot.welcome).contains(.sendSending(Self.holding)))
        _ = slot.pass(.seconds(2), reply: ClockedSlot.beat)
        let finished = slot.give(.delivered(Self.holding))
        #expect(finished == [.sendFinished(Self.holding, segment: Self.order.segment, Self.kept)])
        var other = ClockedSlot()
        other.brain = SlotBrain(sending: (Self.order, Self.kept))
        _ = other.give(.begin)
        _ = other.give(ClockedSlot.welcome)
        // Somebody else has its chunk by now.
        #expect(other.give(.cancelLease(Self.holding)) == [.discard(Self.order), .sendReleased(Self.holding)])
    }

    /// A coordinator that is away for ten minutes costs nothing; an hour is too long.
    @Test func aCoordinatorThatIsAwayCostsNothing() {
        var slot = sending()
        let away = slot.pass(.seconds(700))
        #expect(!away.contains(.discard(Self.order)))
        #expect(slot.brain.holding == Self.holding)
        // It comes with its holding, and says again that the segment is on its way.
        #expect(away.contains(.register(Self.holding)))
        #expect(slot.give(ClockedSlot.welcome).contains(.sendSending(Self.holding)))
        var late = sending()
        #expect(late.pass(.seconds(3601)).contains(.discard(Self.order)))
    }

    @Test func whatTheCoordinatorDoesNotTakeHasFailed() {
        var slot = sending()
        let error = ClockedSlot.error(.segmentInvalid)
        let actions = slot.give(.undelivered(Self.holding, error))
        #expect(actions == [.discard(Self.order), .sendFailed(Self.holding, error, unitsDone: 0)])
        // What comes late changes nothing.
        #expect(slot.give(.delivered(Self.holding)).isEmpty)
    }

    @Test func aLeaseThatIsTakenBackEndsIt() {
        var slot = sending()
        let actions = slot.give(.cancelLease(Self.holding))
        #expect(actions == [.discard(Self.order), .sendReleased(Self.holding)])
    }

    @Test func whoLeavesRemovesIt() {
        var slot = sending()
        let actions = slot.give(.inputClosed)
        #expect(actions.contains(.discard(Self.order)) && actions.contains(.leave(SlotExit.left)))
    }
}
