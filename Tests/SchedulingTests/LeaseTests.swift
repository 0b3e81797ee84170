import Diagnostics
import Scheduling
import Testing

@Suite struct LeaseTests {
    @Test func onlyTheCurrentAttemptCommits() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let old = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", old))
        farm.register("b")
        // `a` is cut off past its lease; `b` gets the chunk and finishes; then `a` is back with its result.
        farm.pass(.seconds(6), alive: ["b"])
        let new = try #require(farm.lease(of: "b"))
        #expect(new.task == old.task && new.epoch == old.epoch + 1 && new.lease != old.lease)
        farm.complete("b")
        farm.register("a", holding: old)
        let late = farm.brain.lateResults
        let actions = farm.send(.finished(slot: "a", old, Farm.segment(old)))
        #expect(actions.acknowledgements == [false])
        #expect(farm.brain.lateResults == late + 1)
        #expect(farm.appended() == [0])
        #expect(farm.task(0)?.committed == new)
    }

    @Test func aLostAcknowledgementCausesNoSecondRender() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        let segment = Farm.segment(holding)
        farm.send(.finished(slot: "a", holding, segment))
        #expect(farm.send(.finished(slot: "a", holding, segment)).isEmpty)
        farm.send(.verified(holding))
        let again = farm.send(.finished(slot: "a", holding, segment))
        #expect(again.acknowledgements == [true])
        #expect(again.leases.isEmpty)
        #expect(farm.appended() == [holding.task])
    }

    @Test func heartbeatsAndMessagesRenewTheLease() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.pass(.seconds(20), alive: ["a"])
        #expect(farm.brain.isCurrent(holding))
        let reply = farm.send(.heartbeat(slot: "a", holding: holding))
        #expect(reply == [.replyToHeartbeat(slot: "a", known: true, leaseValid: true)])
    }

    /// A process that was stopped stands still for ever; inside `render` another is started in its place, once it has
    /// had its time to come back.
    @Test func theProcessOfASlotThatDoesNotComeBackIsEnded() {
        func lost(_ change: (inout Limits) -> Void) -> Farm {
            var farm = Farm(change)
            farm.submit(costs: [1])
            farm.send(.slotRegistered(SlotSpec(slot: "a", worker: "a", pid: 7), holding: nil))
            farm.pass(.seconds(6))
            return farm
        }
        func ends(_ farm: Farm) -> Int { farm.log.filter { $0 == .endProcess(slot: "a", pid: 7) }.count }
        var farm = lost { $0 = .embedded }
        #expect(farm.brain.slots["a"] == nil && farm.brain.missingSlots == [7: "a"])
        farm.pass(.milliseconds(14_500))
        #expect(ends(farm) == 0)
        farm.pass(.seconds(30))
        #expect(ends(farm) == 1 && farm.brain.missingSlots.isEmpty)
        // It came back, or it ended: nothing of its number is ours.
        for event in [
            Event.slotRegistered(SlotSpec(slot: "a", worker: "a", pid: 7), holding: nil),
            .slotLost(slot: "a", reason: "signal 9"),
        ] {
            var other = lost { $0 = .embedded }
            other.send(event)
            other.pass(.seconds(60), alive: ["a"])
            #expect(ends(other) == 0)
        }
        // The processes of a farm's workers are other machines'.
        var remote = lost { _ in }
        remote.pass(.seconds(60))
        #expect(remote.brain.slots["a"] == nil && ends(remote) == 0)
    }

    @Test func aLeaseThatNeverArrivedGoesBack() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        for _ in 0..<12 {
            farm.now = farm.now + .milliseconds(500)
            farm.send(.heartbeat(slot: "a", holding: nil))
            farm.send(.tick)
        }
        #expect(!farm.brain.isCurrent(holding))
        #expect(farm.log.cancels == [holding])
        #expect(farm.task(0)?.tries == 0)
        for _ in 0..<12 {
            farm.now = farm.now + .milliseconds(500)
            farm.send(.heartbeat(slot: "a", holding: nil))
            farm.send(.tick)
        }
        #expect(farm.lease(of: "a")?.epoch == 2)
    }

    @Test func aSilentSlotIsLostAfterFiveSecondsAndNoTryIsUsed() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        farm.pass(.seconds(5))
        #expect(farm.brain.slots["a"] != nil)
        farm.pass(.milliseconds(500))
        #expect(farm.brain.slots["a"] == nil)
        #expect(farm.task(0)?.state == .pending)
        #expect(farm.task(0)?.tries == 0)
        #expect(farm.task(0)?.losses == 1)
        #expect(
            farm.send(.heartbeat(slot: "a", holding: holding))
                == [.replyToHeartbeat(slot: "a", known: false, leaseValid: false)])
    }

    @Test func aCoordinatorThatStoodStillBlamesNobody() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.tick)
        farm.now = farm.now + .seconds(60)
        farm.send(.tick)
        #expect(farm.brain.isCurrent(holding))
        farm.pass(.seconds(10), alive: ["a"])
        #expect(farm.brain.isCurrent(holding))
    }

    @Test func aRegistrationWithTheCurrentLeaseGoesOn() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.register("a", holding: holding)
        #expect(farm.brain.isCurrent(holding))
        farm.complete("a")
        #expect(farm.appended() == [0])
    }

    @Test func aRegistrationWithAnotherLeaseIsToldToDropIt() {
        var farm = Farm()
        farm.submit(costs: [1])
        let stale = Holding(job: "gone", task: 0, epoch: 3, lease: LeaseID(high: 1, low: 2))
        farm.register("a", holding: stale)
        #expect(farm.log.cancels == [stale])
        #expect(farm.log.leases.isEmpty)
        #expect(farm.send(.released(slot: "a", stale)).leases.count == 1)
    }

    @Test func idsNeverRepeatAndTurnIntoBytesAndBack() {
        var source = LeaseSource(seedHigh: 1, seedLow: 2)
        let ids = (0..<10_000).map { _ in source.next() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { LeaseID(bytes: $0.bytes) == $0 })
        #expect(LeaseID(bytes: [1, 2, 3]) == nil)
    }
}
