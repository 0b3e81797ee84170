import Diagnostics
import Scheduling
import Testing

@Suite struct TwoPassTests {
    /// Chunks at 0, 1 and 2, the sound at 3, analyses at 4, 5 and 6.
    private static func submitted() -> Farm {
        var farm = Farm()
        var plan = Farm.plan(costs: [1, 1, 1], sound: true)
        plan.tasks += plan.tasks.prefix(3).map { chunk in
            TaskSpec(
                kind: .analysis, cost: chunk.cost, firstUnit: chunk.firstUnit, unitCount: chunk.unitCount,
                label: "the analysis of \(chunk.label)")
        }
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov",
                    submitted: 0)))
        farm.send(.jobPlanned(job: "job", plan))
        return farm
    }

    private static func allotments(_ farm: Farm) -> Int { farm.log.count { $0 == .allot(job: "job") } }

    @Test func chunksWaitForEveryAnalysisAndForTheirBits() throws {
        var farm = Self.submitted()
        // The sound waits for nothing.
        #expect(farm.order("a") == [3, 4, 5, 6])
        #expect(Self.allotments(farm) == 1 && farm.lease(of: "a") == nil)
        farm.send(.tick)
        #expect(farm.lease(of: "a") == nil)
        farm.send(.allotted(job: "job"))
        #expect(farm.lease(of: "a")?.task == 0)
        for _ in 0..<3 { farm.complete("a") }
        #expect(farm.appended() == [3, 0, 1, 2])
        #expect(farm.log.contains(.finishFilm(job: "job")))
        #expect(Self.allotments(farm) == 1)
    }

    @Test func whileAnAnalysisIsOutNobodyGetsAChunk() throws {
        var farm = Self.submitted()
        for slot in ["a", "b", "c", "d", "e"] { farm.register(slot) }
        #expect(farm.log.leases.map(\.task) == [3, 4, 5, 6] && farm.lease(of: "e") == nil)
        for slot in ["a", "b", "c"] { farm.complete(slot) }
        #expect(farm.log.leases.count == 4 && Self.allotments(farm) == 0)
        // One that is lost is made again, and a chunk that was never asked for cannot be had before.
        farm.send(.slotLost(slot: "d", reason: "its process ended"))
        #expect(farm.log.leases.last?.task == 6 && farm.log.leases.last?.epoch == 2)
        for slot in ["a", "b", "c", "e"] where farm.lease(of: slot)?.task == 6 { farm.complete(slot) }
        #expect(Self.allotments(farm) == 1)
        // Said by nobody who was asked, it opens nothing.
        farm.send(.allotted(job: "other"))
        #expect(farm.log.leases.allSatisfy { $0.task > 2 })
        farm.send(.allotted(job: "job"))
        #expect(Set(farm.log.leases.suffix(3).map(\.task)) == [0, 1, 2])
    }

    @Test func eachPassIsHalfOfTheFrames() throws {
        var farm = Self.submitted()
        farm.register("a")
        for _ in 0..<3 { farm.complete("a") }
        let job = try #require(farm.brain.jobs["job"])
        #expect(job.workDone.frames == 300 && job.workDone.framesDone == 100)
        #expect(job.workDone.chunks == 3 && job.workDone.chunksDone == 0 && job.workDone.percent == 33)
        farm.complete("a")
        farm.send(.allotted(job: "job"))
        for _ in 0..<2 { farm.complete("a") }
        let later = try #require(farm.brain.jobs["job"])
        #expect(later.workDone.framesDone == 250 && later.workDone.chunksDone == 2)
    }

    @Test func anAllotmentThatFailsOrHangsEndsTheJob() {
        for hangs in [false, true] {
            var farm = Self.submitted()
            _ = farm.order("a")
            if hangs {
                // Waiting for a thread, behind other jobs' segments, does not count.
                farm.pass(farm.brain.limits.verifying + .seconds(60), alive: ["a"])
                #expect(farm.outcome() == nil && farm.log.abandoned.isEmpty)
                farm.send(.workBegan(.allotting(job: "job")))
                farm.pass(farm.brain.limits.verifying + .seconds(1), alive: ["a"])
                #expect(farm.log.abandoned == [.allotting(job: "job")])
            } else {
                let error = SplitreelError(.muxFailed, operation: "allotting bits", subject: "/w", reason: "no")
                farm.send(.allotted(job: "job", error))
            }
            #expect(farm.outcome()?.error?.code == (hangs ? .tookTooLong : .muxFailed))
            farm.send(.allotted(job: "job"))
            #expect(farm.lease(of: "a") == nil)
        }
    }

    /// Bits and the sound's place in the film both want room: each is tried again for itself.
    @Test func anAllotmentThatWaitsForRoomIsTriedAgainBesideTheFilm() {
        var farm = Self.submitted()
        _ = farm.order("a")
        let full = SplitreelError(.diskFull, operation: "writing", subject: "/w", reason: "full")
        farm.send(.allotted(job: "job", full))
        farm.send(.stitchFailed(job: "job", task: 3, full))
        #expect(farm.outcome() == nil && farm.brain.jobs["job"]?.wait?.work == .allotting)
        farm.pass(.seconds(6), alive: ["a"])
        #expect(Self.allotments(farm) == 2 && farm.appended() == [3, 3])
        farm.send(.allotted(job: "job"))
        #expect(farm.brain.jobs["job"]?.wait?.work == .stitching)
        farm.send(.partJoined(job: "job"))
        #expect(farm.brain.jobs["job"]?.wait == nil)
        for _ in 0..<3 { farm.complete("a") }
        #expect(farm.appended() == [3, 3, 0, 1, 2])
    }

    /// A farm that takes up what another one had of the job, with changes to it.
    private static func restarted(_ farm: Farm, _ change: (inout [RecoveredTask]) -> Void = { _ in }) throws -> Farm {
        let stored = try #require(farm.brain.jobs["job"])
        var tasks = stored.tasks.map { task in
            RecoveredTask(
                state: task.state, epoch: task.epoch, lease: (task.committed ?? task.attempt?.holding)?.lease,
                slot: task.lastSlot, worker: task.lastWorker, segment: task.segment)
        }
        change(&tasks)
        let plan = JobPlan(hash: "00", folder: "/w", frames: 300, tasks: stored.tasks.map(\.spec))
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 0)
        var later = Farm()
        later.send(
            .jobRecovered(
                RecoveredJob(submission: submission, plan: plan, tasks: tasks, started: 1), WallClock(origin: 0)))
        return later
    }

    /// All chunks are seen to be there before the last analysis is: their bits are asked for when one is to be made
    /// again.
    @Test func aChunkThatIsDamagedAfterARestartGetsItsBits() throws {
        var farm = Self.submitted()
        _ = farm.order("a")
        farm.send(.allotted(job: "job"))
        for _ in 0..<3 { farm.complete("a") }
        var later = try Self.restarted(farm)
        let checks = later.log.checks.map(\.holding)
        #expect(checks.map(\.task) == Array(0...6))
        for holding in checks { later.send(.verified(holding)) }
        #expect(later.log.contains(.finishFilm(job: "job")) && Self.allotments(later) == 0)
        // A film that waits for room is begun anew, and wants no bits: all chunks are there.
        let full = SplitreelError(.diskFull, operation: "writing", subject: "/w", reason: "full")
        later.send(.stitchFailed(job: "job", task: 3, full))
        #expect(later.outcome() == nil && Self.allotments(later) == 0)
        later.pass(.seconds(6), alive: [])
        let error = SplitreelError(.segmentInvalid, operation: "op", subject: "s", reason: "a bit was wrong")
        later.send(.stitchFailed(job: "job", task: 1, error))
        later.register("b")
        #expect(Self.allotments(later) == 1 && later.lease(of: "b") == nil)
        later.send(.allotted(job: "job"))
        #expect(later.lease(of: "b")?.task == 1)
        later.complete("b")
        #expect(later.appended().suffix(4) == [3, 0, 1, 2] && Self.allotments(later) == 1)
    }

    /// What was leased before the coordinator died goes on; nothing more is leased until its analyses are seen to be
    /// what they were, and the bits are allotted once more.
    @Test(arguments: [false, true]) func aRestartAllotsAnew(isLost: Bool) throws {
        var farm = Self.submitted()
        _ = farm.order("a")
        farm.send(.allotted(job: "job"))
        farm.complete("a")
        var later = try Self.restarted(farm) { tasks in
            #expect(tasks[0].state == .done && tasks[1].state == .leased && tasks[2].state == .pending)
            // Some other chunk had come back.
            tasks[1].state = .pending
        }
        later.register("b")
        #expect(later.lease(of: "b") == nil && Self.allotments(later) == 0)
        let checks = later.log.checks.map(\.holding)
        #expect(Set(checks.map(\.task)) == [0, 3, 4, 5, 6])
        for holding in checks {
            if isLost && holding.task == 5 {
                let error = SplitreelError(.segmentInvalid, operation: "op", subject: "s", reason: "gone")
                later.send(.verificationFailed(holding, error))
            } else {
                later.send(.verified(holding))
            }
        }
        if isLost {
            #expect(later.lease(of: "b")?.task == 5 && Self.allotments(later) == 0)
            later.complete("b")
        }
        #expect(Self.allotments(later) == 1 && later.lease(of: "b") == nil)
        later.send(.allotted(job: "job"))
        #expect(later.lease(of: "b")?.task == 1)
        for _ in 0..<2 { later.complete("b") }
        #expect(later.appended() == [3, 0, 1, 2])
    }
}
