import Diagnostics
import Scheduling
import Testing

/// Slots whose process stands still, as over a disk that does not answer.
@Suite struct StandingTests {
    private func farm() throws -> (Farm, Holding) {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        farm.send(.progress(slot: "a", holding, done: 10, total: 100))
        return (farm, holding)
    }

    private func stand(_ farm: inout Farm, _ holding: Holding, seconds: Int, isStill: Bool = true) {
        for _ in 0..<seconds {
            farm.now = farm.now + .seconds(1)
            farm.send(.heartbeat(slot: "a", holding: holding, isStill: isStill))
            farm.send(.tick)
        }
    }

    @Test func aDiskThatStandsForNineMinutesCostsTimeAlone() throws {
        var (farm, holding) = try farm()
        stand(&farm, holding, seconds: 540)
        // Work without a frame counts from there on.
        stand(&farm, holding, seconds: 25, isStill: false)
        #expect(farm.brain.isCurrent(holding))
        farm.send(.progress(slot: "a", holding, done: 11, total: 100))
        stand(&farm, holding, seconds: 540)
        farm.complete("a")
        #expect(farm.task(0)?.state == .done && farm.task(0)?.epoch == 1)
    }

    @Test func afterTenMinutesNobodyIsCharged() throws {
        var (farm, holding) = try farm()
        stand(&farm, holding, seconds: 605)
        #expect(!farm.brain.isCurrent(holding) && farm.outcome() == nil)
        #expect(farm.task(0)?.lastError?.code == .tookTooLong && farm.task(0)?.failedWorkers == [])
        #expect(farm.task(0)?.tries == 0 && farm.log.cancels == [holding])
    }

    @Test func whoWorksWithoutAFrameIsStuckAsBefore() throws {
        var (farm, holding) = try farm()
        stand(&farm, holding, seconds: 100)
        stand(&farm, holding, seconds: 32, isStill: false)
        #expect(!farm.brain.isCurrent(holding) && farm.task(0)?.lastError?.code == .noProgress)
        #expect(farm.task(0)?.failedWorkers == ["a"])
    }
}

@Suite struct RetryTests {
    @Test func permanentFailuresEndTheJobAtOnceAndNameTheChunk() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        farm.register("b")
        let failing = try #require(farm.lease(of: "b"))
        let other = try #require(farm.lease(of: "a"))
        farm.fail("b", .decodeFailed)
        let error = try #require(farm.outcome()?.error)
        #expect(error.code == .decodeFailed)
        #expect(error.subject.contains("clip.mov") && error.subject.contains("chunk \(failing.task) (frames"))
        #expect(farm.log.cancels == [other])
        farm.send(.released(slot: "a", other))
        #expect(farm.log.last == .clean(job: "job"))
        farm.send(.cleaned(job: "job"))
        #expect(farm.log.last == .jobEnded(job: "job", .failed(error)))
        #expect(farm.brain.jobs["job"]?.state == .failed)
    }

    @Test func transientFailuresAreTriedFourTimesWithGrowingDelay() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        for (tries, delay) in [(1, 2), (2, 4), (3, 8)] {
            farm.fail("a", .transportFailed)
            #expect(farm.task(0)?.tries == tries)
            farm.pass(.seconds(delay) - .milliseconds(500), alive: ["a"])
            #expect(farm.lease(of: "a") == nil, "try \(tries)")
            farm.pass(.milliseconds(500), alive: ["a"])
            #expect(farm.lease(of: "a")?.epoch == tries + 1)
        }
        farm.fail("a", .transportFailed)
        #expect(farm.outcome()?.error?.code == .retriesExhausted)
    }

    @Test func theBackOffIsCapped() {
        var farm = Farm { $0.transientTries = 20 }
        farm.submit(costs: [1])
        farm.register("a")
        for _ in 0..<8 {
            farm.fail("a", .transportFailed)
            farm.pass(.seconds(60), alive: ["a"])
            #expect(farm.lease(of: "a") != nil)
        }
    }

    @Test func aSuspectWorkerNeverGetsTheChunkAgain() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a1", worker: "a")
        farm.submit("other", priority: 1, costs: [1])
        farm.register("b", worker: "b")
        #expect(farm.lease(of: "b")?.job == "other")
        farm.fail("a1", .segmentInvalid)
        farm.register("a2", worker: "a")
        farm.pass(.seconds(3), alive: ["a1", "a2", "b"])
        #expect(farm.lease(of: "a1") == nil && farm.lease(of: "a2") == nil)
        farm.complete("b")
        #expect(farm.lease(of: "b")?.epoch == 2)
        farm.complete("b")
        #expect(farm.task(0)?.state == .done)
    }

    @Test func whereThereIsOneWorkerItsSlotsAreSuspectedOneByOne() {
        var farm = Farm()
        farm.submit(costs: [1])
        for slot in ["s1", "s2", "s3"] { farm.register(slot, worker: "local") }
        for (count, slot) in ["s1", "s2", "s3"].enumerated() {
            #expect(farm.task(0)?.failedWorkers.count == count)
            #expect(farm.lease(of: slot)?.epoch == count + 1)
            farm.fail(slot, .segmentInvalid)
        }
        #expect(farm.outcome()?.error?.code == .retriesExhausted)
    }

    @Test func threeDistinctWorkersFailTheChunk() {
        var farm = Farm()
        farm.submit(costs: [1])
        for worker in ["a", "b", "c"] {
            #expect(farm.outcome() == nil)
            farm.register(worker)
            farm.fail(worker, .encodeFailed)
        }
        #expect(farm.outcome()?.error?.code == .retriesExhausted)
        #expect(farm.outcome()?.error?.reason.contains("20102") == true)
    }

    @Test func aRejectedSegmentIsTheWorkersFault() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        let error = SplitreelError(.segmentInvalid, operation: "", subject: "", reason: "empty")
        let actions = farm.send(.verificationFailed(holding, error))
        #expect(actions.acknowledgements == [false])
        #expect(farm.task(0)?.failedWorkers == ["a"])
        #expect(farm.appended().isEmpty)
    }

    @Test func aWorkerWithThreeFailuresIsBlockedForTheJobForAnHour() {
        var farm = Farm { $0.otherWorkerWait = .seconds(100_000) }
        farm.submit(costs: Array(repeating: 1, count: 9))
        farm.register("a")
        for _ in 0..<3 { farm.fail("a", .encodeFailed) }
        #expect(farm.lease(of: "a") == nil)
        farm.submit("other", costs: [1])
        #expect(farm.lease(of: "a")?.job == "other")
        farm.complete("a")
        farm.pass(.seconds(3590), alive: ["a"])
        #expect(farm.lease(of: "a") == nil)
        farm.pass(.seconds(11), alive: ["a"])
        #expect(farm.lease(of: "a")?.job == "job")
    }

    @Test func withNoOtherWorkerTheJobEndsAfterAWait() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        farm.fail("a", .encodeFailed)
        farm.pass(.seconds(10), alive: ["a"])
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(1), alive: ["a"])
        #expect(farm.outcome()?.error?.code == .retriesExhausted)
    }

    @Test func resourceFailuresAreDelayedWithoutCountingButNotForEver() {
        var farm = Farm { $0.resourcePatience = .seconds(40) }
        farm.submit(costs: [1])
        farm.register("a")
        for round in 1...8 {
            farm.fail("a", .diskFull)
            #expect(farm.task(0)?.tries == 0)
            #expect(farm.lease(of: "a") == nil)
            farm.pass(.seconds(5), alive: ["a"])
            #expect(farm.lease(of: "a")?.epoch == round + 1)
        }
        farm.fail("a", .diskFull)
        #expect(farm.outcome()?.error?.code == .diskFull)
    }

    @Test func chunksThatWaitForRoomAreToldUntilOneIsDone() {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let first = farm.now
        #expect(farm.brain.jobs["job"]?.delay == nil)
        farm.fail("a", .diskFull)
        farm.pass(.seconds(6), alive: ["a"])
        farm.fail("a", .diskFull)
        let delay = farm.brain.jobs["job"]?.delay
        #expect(delay?.work == "rendering" && delay?.since == first && delay?.error.code == .diskFull)
        farm.pass(.seconds(6), alive: ["a"])
        farm.complete("a")
        #expect(farm.brain.jobs["job"]?.delay == nil)
    }

    /// Each attempt takes 15 s and finds the disk full in the end; 5 s are waited after it, and 20 s at most.
    @Test func renderingOnADiskThatFillsNowAndThenIsNoWaiting() {
        var farm = Farm { $0.resourcePatience = .seconds(20) }
        farm.submit(costs: [1])
        farm.register("a")
        for round in 1...4 {
            farm.pass(.seconds(15), alive: ["a"])
            #expect(farm.lease(of: "a")?.epoch == round)
            farm.fail("a", .diskFull)
            #expect(farm.outcome() == nil)
            farm.pass(.seconds(5), alive: ["a"])
        }
        farm.pass(.seconds(15), alive: ["a"])
        farm.fail("a", .diskFull)
        #expect(farm.outcome()?.error?.code == .diskFull)
    }

    @Test func aFullDiskUnderRenderIsSaidSoon() {
        var farm = Farm {
            $0 = .embedded
            $0.checksAssets = false
        }
        farm.submit(costs: [1])
        farm.register("a")
        farm.fail("a", .diskFull)
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(1), alive: ["a"])
        farm.fail("a", .diskFull)
        #expect(farm.outcome()?.error?.code == .diskFull)
    }

    @Test func fiveLossesNearOneFrameAreTheChunksFault() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        for (loss, frame) in [40, 42, 41, 40, 41].enumerated() {
            #expect(farm.outcome() == nil)
            let slot = "s\(loss)"
            farm.register(slot)
            let holding = try #require(farm.lease(of: slot))
            #expect(holding.task == 0)
            farm.send(.started(slot: slot, holding))
            farm.send(.progress(slot: slot, holding, done: frame, total: 100))
            farm.send(.slotLost(slot: slot, reason: "signal 11"))
        }
        let error = try #require(farm.outcome()?.error)
        #expect(error.code == .chunkLostTooOften)
        #expect(error.subject.contains("chunk 0"))
        #expect(error.reason.contains("unit 41"))
    }

    @Test func lossesAtDifferentFramesAreForgivenUpToTwenty() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        for loss in 0..<20 {
            #expect(farm.outcome() == nil)
            farm.register("s")
            let holding = try #require(farm.lease(of: "s"))
            farm.send(.started(slot: "s", holding))
            farm.send(.progress(slot: "s", holding, done: 1 + loss * 4, total: 100))
            farm.send(.slotLost(slot: "s", reason: "killed"))
        }
        #expect(farm.outcome()?.error?.code == .chunkLostTooOften)
    }

    @Test func noFrameForThirtySecondsIsStuckButStartUpIsExempt() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        farm.pass(.seconds(120), alive: ["a"])
        #expect(farm.brain.isCurrent(holding))
        farm.send(.progress(slot: "a", holding, done: 1, total: 100))
        farm.pass(.seconds(30), alive: ["a"])
        #expect(farm.brain.isCurrent(holding))
        farm.pass(.seconds(1), alive: ["a"])
        #expect(!farm.brain.isCurrent(holding))
        #expect(farm.log.cancels == [holding])
        #expect(farm.task(0)?.failedWorkers == ["a"])
    }

    @Test func slowFramesRaiseTheLimit() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        for frame in 1...5 {
            farm.send(.progress(slot: "a", holding, done: frame, total: 100))
            farm.pass(.seconds(10), alive: ["a"])
        }
        // Ten seconds a frame: a hundred without one are allowed.
        farm.pass(.seconds(89), alive: ["a"])
        #expect(farm.brain.isCurrent(holding))
        farm.pass(.seconds(2), alive: ["a"])
        #expect(!farm.brain.isCurrent(holding))
    }

    @Test func aSlotThatDoesNotDropACancelledLeaseIsGivenUp() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.cancelJob("job"))
        #expect(farm.log.cancels == [holding])
        for _ in 0..<22 {
            farm.now = farm.now + .milliseconds(500)
            farm.send(.heartbeat(slot: "a", holding: holding))
            farm.send(.tick)
        }
        #expect(farm.brain.slots["a"] == nil)
        #expect(farm.log.contains(.clean(job: "job")))
    }
}
