import Diagnostics
import Scheduling
import Testing

/// A long sound is mixed in parts side by side; the task that encodes it waits for all of them.
@Suite struct SoundPartsTests {
    /// Chunks at 0 and 1, the sound at 2, its parts at 3, 4 and 5.
    private static func submitted(chunks: Int = 2) -> Farm {
        var farm = Farm()
        var plan = Farm.plan(costs: Array(repeating: 1, count: chunks), sound: true)
        plan.tasks += (0..<3).map {
            TaskSpec(kind: .mix, cost: 1, firstUnit: $0 * 16_000, unitCount: 16_000, label: "part \($0) of the sound")
        }
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov",
                    submitted: 0)))
        farm.send(.jobPlanned(job: "job", plan))
        return farm
    }

    @Test func theSoundWaitsForItsParts() throws {
        var farm = Self.submitted()
        #expect(farm.order("a") == [3, 4, 5, 2, 0, 1])
        #expect(farm.appended() == [2, 0, 1])
        #expect(farm.log.contains(.finishFilm(job: "job")))
        let job = try #require(farm.brain.jobs["job"])
        #expect(job.mixEpochs == [1, 1, 1] && job.workDone.chunks == 2)
    }

    @Test func chunksGoOnWhileAPartIsOut() throws {
        var farm = Self.submitted()
        for slot in ["a", "b", "c", "d"] { farm.register(slot) }
        #expect(farm.log.leases.map(\.task) == [3, 4, 5, 0])
        farm.complete("a")
        farm.complete("b")
        #expect(farm.log.leases.suffix(1).map(\.task) == [1])
        // One that is lost is made again, and only then the sound.
        farm.send(.slotLost(slot: "c", reason: "its process ended"))
        let again = try #require(farm.log.leases.last)
        #expect(again.task == 5 && again.epoch == 2)
        let slot = try #require(["a", "b", "d"].first { farm.lease(of: $0)?.task == 5 })
        #expect(farm.brain.jobs["job"]?.isBarred(2) == true)
        farm.complete(slot)
        #expect(farm.log.leases.last?.task == 2)
        #expect(farm.brain.jobs["job"]?.mixEpochs == [1, 1, 2])
    }

    /// Of a job without a picture nine tenths are the mixing.
    @Test func progressCountsBoth() throws {
        var farm = Self.submitted(chunks: 0)
        farm.register("a")
        for done in [0, 30, 60, 90] {
            let job = try #require(farm.brain.jobs["job"])
            #expect(job.workDone.frames == 48_000 && abs(job.workDone.framesDone - 480 * done) < 10)
            farm.complete("a")
        }
        #expect(farm.appended() == [0])
    }

    /// What was mixed before the coordinator died is looked at again, and not mixed again.
    @Test func aRestartKeepsTheParts() throws {
        var farm = Self.submitted()
        farm.register("a")
        for _ in 0..<3 { farm.complete("a") }
        #expect(farm.lease(of: "a")?.task == 2)
        let stored = try #require(farm.brain.jobs["job"])
        let tasks = stored.tasks.map { task in
            RecoveredTask(
                state: task.state, epoch: task.epoch, lease: (task.committed ?? task.attempt?.holding)?.lease,
                slot: task.lastSlot, worker: task.lastWorker, segment: task.segment)
        }
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 0)
        for isGone in [false, true] {
            var later = Farm()
            var tasks = tasks
            // The sound had come back.
            tasks[2].state = .pending
            let plan = JobPlan(hash: "00", folder: "/w", frames: 200, tasks: stored.tasks.map(\.spec))
            later.send(
                .jobRecovered(
                    RecoveredJob(submission: submission, plan: plan, tasks: tasks, started: 1), WallClock(origin: 0)))
            later.register("b")
            #expect(later.lease(of: "b")?.task == 0)
            for task in 3...5 {
                let holding = try #require(later.task(task)?.attempt?.holding)
                let error = SplitreelError(.segmentInvalid, operation: "op", subject: "/w", reason: "gone")
                later.send(isGone && task == 4 ? .verificationFailed(holding, error) : .verified(holding))
            }
            later.complete("b")
            #expect(later.lease(of: "b")?.task == (isGone ? 4 : 2))
            if isGone {
                later.complete("b")
                #expect(later.lease(of: "b")?.task == 2 && later.brain.jobs["job"]?.mixEpochs == [1, 2, 1])
            }
        }
    }
}
