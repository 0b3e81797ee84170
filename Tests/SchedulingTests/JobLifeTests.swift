import Diagnostics
import Scheduling
import Testing

@Suite struct JobLifeTests {
    @Test func fromSubmissionToTheFilm() {
        var farm = Farm()
        farm.submit(costs: [1, 1], sound: true)
        farm.register("a")
        #expect(farm.brain.jobs["job"]?.state == .running)
        for _ in 0..<3 { farm.complete("a") }
        #expect(farm.brain.jobs["job"]?.state == .stitching)
        #expect(farm.log.last == .finishFilm(job: "job"))
        farm.send(.filmFinished(job: "job", film: "1:2:3"))
        #expect(farm.log.last == .publish(job: "job"))
        farm.send(.published(job: "job"))
        #expect(farm.log.last == .clean(job: "job"))
        #expect(farm.brain.jobs["job"]?.state == .stitching)
        farm.send(.cleaned(job: "job"))
        #expect(farm.log.last == .jobEnded(job: "job", .completed))
        #expect(farm.brain.isIdle)
    }

    @Test func everyChangeIsStoredBeforeItIsActedOn() {
        var farm = Farm()
        farm.submit(costs: [1])
        let actions = farm.send(.slotRegistered(SlotSpec(slot: "a", worker: "a"), holding: nil))
        let rows = actions.compactMap { action -> TaskRow? in
            if case .persist(let transition) = action, case .task(_, _, let row) = transition.change {
                row
            } else {
                nil
            }
        }
        #expect(rows.map(\.state) == [.leased])
        #expect(rows.first?.lease == actions.leases.first?.lease)
        #expect(rows.first?.epoch == 1)
    }

    @Test func progressIsNeverStored() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        for frame in 1...100 {
            #expect(farm.send(.progress(slot: "a", holding, done: frame, total: 100)).isEmpty)
        }
        #expect(farm.brain.jobs["job"]?.workDone.framesDone == 100)
    }

    @Test func cancelWaitsForTheSlotsThenCleans() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.cancelJob("job"))
        #expect(!farm.log.contains(.clean(job: "job")))
        let late = farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        #expect(late.acknowledgements == [false])
        #expect(late.contains(.clean(job: "job")))
        farm.send(.cleaned(job: "job"))
        #expect(farm.brain.jobs["job"]?.state == .cancelled)
        #expect(farm.lease(of: "a") == nil)
    }

    @Test func cancelWhilePlanningRemovesWhatPlanningMade() {
        var farm = Farm()
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
        farm.send(.cancelJob("job"))
        #expect(farm.brain.jobs["job"]?.ending == .cancelled)
        // Planning is not waited for.
        #expect(farm.log.last == .clean(job: "job"))
        farm.send(.cleaned(job: "job"))
        #expect(farm.log.last == .jobEnded(job: "job", .cancelled))
        #expect(farm.brain.jobs["job"]?.state == .cancelled)
        // What it made goes when it comes.
        #expect(farm.send(.jobPlanned(job: "job", Farm.plan(costs: [1]))) == [.clean(job: "job")])
        #expect(farm.send(.cleaned(job: "job")) == [])
        #expect(farm.brain.jobs["job"]?.state == .cancelled)
    }

    @Test func aCancelOfAnEndedJobChangesNothing() {
        var farm = Farm { $0.keptFor = .zero }
        farm.submit(costs: [1])
        farm.register("a")
        farm.fail("a", .decodeFailed)
        #expect(farm.brain.jobs["job"]?.ending == .failed)
        farm.send(.cleaned(job: "job"))
        #expect(farm.send(.cancelJob("job")) == [])
        #expect(farm.brain.jobs["job"]?.state == .failed)
        #expect(farm.brain.jobs["job"]?.ending == nil)
    }

    @Test func aCancelAfterTheFilmIsCompleteComesTooLate() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        farm.complete("a")
        farm.send(.filmFinished(job: "job", film: "f"))
        farm.send(.cancelJob("job"))
        #expect(farm.brain.jobs["job"]?.ending == .completed)
        farm.send(.published(job: "job"))
        #expect(farm.outcome() == .completed)
    }

    @Test func aFailedStitchFailsTheJob() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        farm.complete("a")
        let error = SplitreelError(.outputExists, operation: "", subject: "/job.mov", reason: "there")
        farm.send(.stitchFailed(job: "job", error))
        farm.send(.stitchFailed(job: "job", error))
        #expect(farm.outcome() == .failed(error))
        #expect(farm.log.filter { $0 == .keep(job: "job") }.count == 1)
    }

    // MARK: - Recovery

    private func recovered(_ tasks: [RecoveredTask], film: String? = nil, ending: JobOutcome? = nil) -> Event {
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 1)
        let plan = Farm.plan(costs: Array(repeating: 1, count: tasks.count))
        return .jobRecovered(
            RecoveredJob(submission: submission, plan: plan, tasks: tasks, ending: ending, film: film, started: 2),
            WallClock(origin: 1000))
    }

    private let lease = LeaseID(high: 3, low: 4)

    @Test func doneChunksAreVerifiedAndNotRenderedAgain() {
        var farm = Farm()
        let segment = ReportedSegment(name: "s", hash: [1], sources: SourceBytes(needed: 5, fetched: 6))
        farm.send(
            recovered([
                RecoveredTask(state: .done, epoch: 2, lease: lease, segment: segment), RecoveredTask(state: .pending),
            ]))
        let holding = Holding(job: "job", task: 0, epoch: 2, lease: lease)
        #expect(farm.log.contains(.verify(holding, segment)))
        #expect(farm.brain.jobs["job"]?.workDone.sources == segment.sources)
        farm.register("a")
        #expect(farm.lease(of: "a")?.task == 1)
        farm.send(.verified(holding))
        farm.complete("a")
        #expect(farm.appended() == [0, 1])
        #expect(farm.lease(of: "a") == nil)
    }

    @Test func aDoneChunkWhoseFileIsGoneIsRenderedAgain() {
        var farm = Farm()
        farm.send(
            recovered([
                RecoveredTask(
                    state: .done, epoch: 2, lease: lease, segment: ReportedSegment(name: "s", hash: []))
            ]))
        farm.register("a")
        let holding = Holding(job: "job", task: 0, epoch: 2, lease: lease)
        let error = SplitreelError(.segmentInvalid, operation: "", subject: "", reason: "gone")
        let actions = farm.send(.verificationFailed(holding, error))
        #expect(actions.leases.map(\.epoch) == [3])
        #expect(farm.task(0)?.failedWorkers == [])
    }

    @Test func aLeaseSurvivesTheRestartIfItsSlotComesBack() {
        var farm = Farm()
        farm.send(recovered([RecoveredTask(state: .leased, epoch: 1, lease: lease, slot: "a", worker: "a")]))
        let holding = Holding(job: "job", task: 0, epoch: 1, lease: lease)
        farm.register("b")
        #expect(farm.lease(of: "b") == nil)
        farm.pass(.seconds(4), alive: ["b"])
        farm.register("a", holding: holding)
        farm.complete("a")
        #expect(farm.task(0)?.committed == holding)
    }

    @Test func anOrphanedLeaseGoesBackAfterTenSeconds() {
        var farm = Farm()
        farm.send(recovered([RecoveredTask(state: .leased, epoch: 1, lease: lease, slot: "a", worker: "a")]))
        farm.register("b")
        farm.pass(.seconds(10), alive: ["b"])
        #expect(farm.lease(of: "b") == nil)
        farm.pass(.seconds(1), alive: ["b"])
        #expect(farm.lease(of: "b")?.epoch == 2)
    }

    @Test func publishingGoesOn() {
        var farm = Farm()
        farm.send(
            recovered(
                [
                    RecoveredTask(
                        state: .done, epoch: 1, lease: lease, segment: ReportedSegment(name: "s", hash: []))
                ], film: "1:2:3"))
        #expect(farm.log == [.publish(job: "job")])
        farm.send(.published(job: "job"))
        #expect(farm.log.last == .clean(job: "job"))
    }

    @Test func anEndingGoesOn() {
        var farm = Farm()
        farm.send(recovered([RecoveredTask(state: .pending)], ending: .cancelled))
        #expect(farm.log == [.clean(job: "job")])
        farm.send(.cleaned(job: "job"))
        #expect(farm.brain.jobs["job"]?.state == .cancelled)
    }
}
