import Diagnostics
import Scheduling
import Testing

/// A finished segment that is on its way to the coordinator keeps its lease, whatever becomes of the link.
@Suite struct SendingTests {
    /// A farm whose slot `a` sends its segment, and the attempt.
    private func sending() throws -> (Farm, Holding) {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        farm.send(.progress(slot: "a", holding, done: 100, total: 100))
        farm.send(.sending(slot: "a", holding))
        return (farm, holding)
    }

    @Test func aLinkThatWasCutCostsNoChunk() throws {
        var (farm, holding) = try sending()
        farm.register("b")
        farm.pass(.seconds(600), alive: ["b"])
        #expect(farm.brain.slots["a"] == nil && farm.lease(of: "b") == nil)
        farm.register("a", holding: holding)
        #expect(farm.brain.isCurrent(holding))
        farm.complete("a")
        #expect(farm.task(0)?.committed == holding && farm.task(0)?.losses == 0)
    }

    @Test func afterFifteenMinutesWithoutAByteItGoesBack() throws {
        var (farm, holding) = try sending()
        farm.register("b")
        farm.pass(.seconds(899), alive: ["b"])
        #expect(farm.lease(of: "b") == nil)
        farm.pass(.seconds(2), alive: ["b"])
        let next = try #require(farm.lease(of: "b"))
        #expect(next.task == holding.task && next.epoch == holding.epoch + 1)
        #expect(farm.task(0)?.losses == 0)
        // Whoever comes with it now is told to drop it.
        farm.register("a", holding: holding)
        #expect(farm.log.cancels.last == holding)
    }

    @Test func bytesKeepTheLease() throws {
        var (farm, holding) = try sending()
        for _ in 0..<4 {
            farm.pass(.seconds(600), alive: ["a"])
            farm.send(.sending(slot: "a", holding))
            farm.send(.arriving(holding, bytes: 20_000_000))
        }
        #expect(farm.brain.isCurrent(holding))
        // Words alone do not: a slot that says so for ever, and sends nothing, loses it.
        for _ in 0..<31 {
            farm.pass(.seconds(30), alive: ["a"])
            if farm.brain.isCurrent(holding) { farm.send(.sending(slot: "a", holding)) }
        }
        #expect(!farm.brain.isCurrent(holding))
    }

    /// A slot that is there and sends nothing, or a byte now and then, has failed its chunk: it goes elsewhere.
    @Test(arguments: [Int64(0), 1]) func whoCouldSendAndDoesNotIsToBlame(bytes: Int64) throws {
        var (farm, holding) = try sending()
        farm.register("b")
        farm.pass(.seconds(840), alive: ["a", "b"])
        farm.send(.arriving(holding, bytes: bytes))
        #expect(farm.brain.isCurrent(holding))
        farm.pass(.seconds(62), alive: ["a", "b"])
        #expect(farm.lease(of: "b")?.epoch == holding.epoch + 1)
        #expect(farm.task(0)?.failedWorkers == ["a"] && farm.task(0)?.losses == 0)
        #expect(farm.log.cancels.last == holding)
    }

    /// At 33 kB a second it may take an hour.
    @Test func aSlowLinkIsNotToBlame() throws {
        var (farm, holding) = try sending()
        for _ in 0..<60 {
            farm.pass(.seconds(60), alive: ["a"])
            farm.send(.arriving(holding, bytes: 60 * 33_000))
        }
        #expect(farm.brain.isCurrent(holding))
        farm.complete("a")
        #expect(farm.task(0)?.committed == holding && farm.task(0)?.failedWorkers == [])
    }

    /// To be cut off too long is no fault the first time: whoever did so on purpose would have the chunk for ever.
    @Test func whoIsCutOffTwiceIsToBlame() throws {
        var (farm, first) = try sending()
        farm.pass(.seconds(901))
        #expect(!farm.brain.isCurrent(first) && farm.task(0)?.failedWorkers == [])
        farm.register("a")
        let second = try #require(farm.lease(of: "a"))
        farm.send(.sending(slot: "a", second))
        farm.register("b")
        farm.pass(.seconds(901), alive: ["b"])
        #expect(farm.task(0)?.failedWorkers == ["a"])
        #expect(farm.lease(of: "b")?.epoch == second.epoch + 1)
    }

    /// A result that came too late adds nothing, and neither does one that is said again.
    @Test func bytesOfSourcesAreSummed() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let first = try #require(farm.lease(of: "a"))
        var segment = Farm.segment(first)
        segment.sources = SourceBytes(needed: 10, fetched: 12, soundNeeded: 3, soundFetched: 4)
        farm.send(.started(slot: "a", first))
        farm.send(.finished(slot: "a", first, segment))
        farm.send(.finished(slot: "a", first, segment))
        farm.send(.verified(first))
        farm.send(.finished(slot: "a", first, segment))
        #expect(farm.brain.jobs["job"]?.workDone.sources == segment.sources)
        let second = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", second))
        farm.send(.finished(slot: "a", second, segment))
        let both = SourceBytes(needed: 20, fetched: 24, soundNeeded: 6, soundFetched: 8)
        #expect(farm.brain.jobs["job"]?.workDone.sources == both)
    }

    /// Rendering has no progress to make any more: nothing is stuck.
    @Test func whoSendsIsNotStuck() throws {
        var (farm, holding) = try sending()
        farm.pass(.seconds(890), alive: ["a"])
        #expect(farm.brain.isCurrent(holding))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        farm.send(.verified(holding))
        #expect(farm.task(0)?.committed == holding)
    }

    /// Its outbox went with it: nobody comes back with the segment.
    @Test(arguments: [false, true]) func aProcessThatEndedSendsNothing(wasSilent: Bool) throws {
        var (farm, holding) = try sending()
        farm.register("b")
        if wasSilent { farm.pass(.seconds(20), alive: ["b"]) }
        #expect(farm.lease(of: "b") == nil)
        #expect(farm.brain.slot(of: holding) == "a" && farm.brain.isAwaited("a") == wasSilent)
        farm.send(.slotLost(slot: "a", reason: "signal 9"))
        #expect(farm.lease(of: "b")?.epoch == holding.epoch + 1)
        #expect(farm.brain.slot(of: holding) == nil && !farm.brain.isAwaited("a"))
    }

    /// The check may be under way, and the slot may be gone by then.
    @Test(arguments: [false, true]) func nothingOfARevokedKeyIsCommitted(wasSilent: Bool) throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        farm.register("b")
        if wasSilent { farm.pass(.seconds(6), alive: ["b"]) }
        #expect(farm.lease(of: "b") == nil && farm.brain.isAwaited("a") == wasSilent)
        let actions = farm.send(.slotLost(slot: "a", reason: "revoked", cause: .keyIsOver))
        #expect(actions.abandoned == [.verifying(holding)])
        #expect(farm.brain.slots["a"] == nil && farm.lease(of: "b")?.epoch == holding.epoch + 1)
        #expect(farm.task(0)?.losses == 0 && !farm.brain.isAwaited("a"))
        farm.send(.verified(holding))
        #expect(farm.task(0)?.state != .done)
        farm.complete("b")
        #expect(farm.task(0)?.state == .done)
    }

    /// Its machine died when all had come and nothing was said: that is looked at once, and rendered by nobody again.
    @Test func whatCameWholeIsTakenWithoutItsSlot() throws {
        var (farm, holding) = try sending()
        farm.register("b")
        let segment = Farm.segment(holding)
        // A slot that is there says so itself.
        farm.send(.stands(holding, segment))
        #expect(!farm.brain.isLeftBehind(holding) && farm.task(0)?.state == .running)
        farm.pass(.seconds(20), alive: ["b"])
        #expect(farm.brain.isLeftBehind(holding))
        let actions = farm.send(.stands(holding, segment))
        #expect(actions.contains { if case .verify(holding, segment) = $0 { true } else { false } })
        let again = farm.send(.stands(holding, segment))
        #expect(again.isEmpty && !farm.brain.isLeftBehind(holding))
        farm.pass(.seconds(20), alive: ["b"])
        farm.send(.verified(holding))
        #expect(farm.task(0)?.committed == holding && farm.task(0)?.segment == segment)
        // One that comes back after all hears that it is done.
        farm.register("a", holding: holding)
        farm.send(.finished(slot: "a", holding, segment))
        #expect(farm.log.acknowledgements.last == true)
    }

    @Test func whatCameWholeAndIsBadGoesBack() throws {
        var (farm, holding) = try sending()
        farm.register("b")
        farm.pass(.seconds(20), alive: ["b"])
        farm.send(.stands(holding, Farm.segment(holding)))
        let error = SplitreelError(.segmentInvalid, operation: "", subject: "", reason: "bad")
        farm.send(.verificationFailed(holding, error))
        #expect(farm.lease(of: "b")?.epoch == holding.epoch + 1 && farm.task(0)?.failedWorkers == ["a"])
    }

    @Test func aSlotThatLeavesHandsItBack() throws {
        var (farm, holding) = try sending()
        farm.register("b")
        farm.send(.leaving(slot: "a"))
        #expect(farm.lease(of: "b")?.epoch == holding.epoch + 1)
    }
}
