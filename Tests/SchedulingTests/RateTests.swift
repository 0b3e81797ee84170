import Diagnostics
import Scheduling
import Testing

@Suite("How fast a job goes") struct RateTests {
    /// To a thousandth.
    private func rate(_ farm: Farm) -> Double? {
        farm.brain.jobs["job"]?.framesPerSecond(now: farm.now).map { ($0 * 1000).rounded() / 1000 }
    }

    /// One frame every 40 ms for `seconds`, told four times a second.
    private func work(_ farm: inout Farm, _ slot: String, _ done: inout Int, seconds: Int) throws {
        let holding = try #require(farm.lease(of: slot))
        for _ in 0..<(seconds * 4) {
            farm.now = farm.now + .milliseconds(250)
            done += 6
            farm.send(.tick)
            farm.send(.progress(slot: slot, holding, done: done, total: 100_000))
        }
    }

    private func farm() -> Farm {
        var farm = Farm()
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov",
                    submitted: 0)))
        let task = TaskSpec(kind: .composite, cost: 1, firstUnit: 0, unitCount: 100_000, label: "chunk 0")
        farm.send(.jobPlanned(job: "job", JobPlan(hash: "00", folder: "/w", frames: 100_000, tasks: [task])))
        return farm
    }

    @Test func nothingIsSaidBeforeASecondOfWork() throws {
        var farm = farm()
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        #expect(rate(farm) == nil)
        farm.now = farm.now + .milliseconds(500)
        farm.send(.progress(slot: "a", holding, done: 12, total: 100_000))
        #expect(rate(farm) == nil)
        farm.now = farm.now + .milliseconds(500)
        farm.send(.progress(slot: "a", holding, done: 24, total: 100_000))
        #expect(rate(farm) == 24)
    }

    @Test func aPauseWithoutWorkerNeitherDilutesNorLasts() throws {
        var farm = farm()
        farm.register("a")
        farm.send(.started(slot: "a", try #require(farm.lease(of: "a"))))
        var done = 0
        try work(&farm, "a", &done, seconds: 20)
        #expect(rate(farm) == 24)
        farm.send(.slotLost(slot: "a", reason: "gone"))
        farm.pass(.seconds(5))
        #expect(rate(farm) == 24)
        farm.pass(.seconds(60))
        #expect(rate(farm) == nil)
        farm.register("b")
        farm.send(.started(slot: "b", try #require(farm.lease(of: "b"))))
        done = 0
        try work(&farm, "b", &done, seconds: 2)
        #expect(rate(farm) == 24)
    }

    /// Seen: 249.5 fps after a reconnect, since what a slot did alone counted as done in a moment.
    @Test func whatWasDoneWhileTheCoordinatorStoodStillIsNoBurst() throws {
        var farm = farm()
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        var done = 0
        try work(&farm, "a", &done, seconds: 5)
        // A minute later the messages of five seconds come at once, then the slot registers anew and tells the rest.
        farm.now = farm.now + .seconds(60)
        for _ in 0..<20 {
            done += 6
            farm.send(.progress(slot: "a", holding, done: done, total: 100_000))
        }
        farm.now = farm.now + .milliseconds(300)
        farm.register("a", holding: holding)
        done += 1400
        farm.send(.progress(slot: "a", holding, done: done, total: 100_000))
        #expect(rate(farm) == nil)
        try work(&farm, "a", &done, seconds: 2)
        #expect(rate(farm) == 24)
    }

    @Test func aRestartStartsToMeasureAnew() throws {
        var farm = Farm()
        var leases = LeaseSource(seedHigh: 1, seedLow: 2)
        let held = leases.next()
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 0)
        farm.send(
            .jobRecovered(
                RecoveredJob(
                    submission: submission, plan: Farm.plan(costs: [1, 1, 1]),
                    tasks: [
                        RecoveredTask(
                            state: .done, epoch: 1, lease: held, slot: "a", worker: "a",
                            segment: ReportedSegment(name: "0-1", hash: [])),
                        RecoveredTask(state: .leased, epoch: 1, lease: held, slot: "a", worker: "a"),
                        RecoveredTask(state: .pending),
                    ], started: 1), WallClock(origin: 0)))
        let work = try #require(farm.brain.jobs["job"]?.workDone)
        #expect(work == WorkDone(frames: 300, framesDone: 100, chunks: 3, chunksDone: 1))
        let holding = Holding(job: "job", task: 1, epoch: 1, lease: held)
        farm.register("a", holding: holding)
        farm.send(.started(slot: "a", holding))
        farm.now = farm.now + .milliseconds(200)
        farm.send(.progress(slot: "a", holding, done: 50, total: 100))
        #expect(rate(farm) == nil)
        farm.now = farm.now + .seconds(1)
        farm.send(.progress(slot: "a", holding, done: 75, total: 100))
        #expect(rate(farm) == 25)
    }

    @Test func twoSlotsAddUpAndAnEndedJobHasNone() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        farm.register("b")
        let held = try ["a", "b"].map { ($0, try #require(farm.lease(of: $0))) }
        for (slot, holding) in held { farm.send(.started(slot: slot, holding)) }
        for step in 1...8 {
            farm.now = farm.now + .milliseconds(250)
            for (slot, holding) in held { farm.send(.progress(slot: slot, holding, done: step * 10, total: 100)) }
        }
        #expect(rate(farm) == 80)
        #expect(farm.brain.slots["a"]?.framesPerSecond(now: farm.now).map { $0.rounded() } == 40)
        farm.send(.cancelJob("job"))
        #expect(rate(farm) == nil)
    }

    @Test func aFlatOutFarmIsMeasuredToo() throws {
        var meter = RateMeter()
        // 400 slots report 4 times a second.
        for step in 0..<40_000 {
            let now = Instant(nanoseconds: Int64(step) * 625_000)
            meter.add(10, from: now + .milliseconds(-250), to: now)
        }
        let rate = try #require(meter.rate(at: Instant(nanoseconds: 25_000_000_000)))
        #expect(abs(rate - 16_000) < 400)
    }
}
