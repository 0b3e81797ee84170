import Diagnostics
import Scheduling
import Testing

/// Chunks that are copied: no work, and parts of the film all the same.
@Suite struct CopiedChunksTests {
    private func farm(costs: [Double], copied: Set<Int>, sound: Bool = false) -> Farm {
        var farm = Farm()
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 0)
        farm.send(.jobSubmitted(submission))
        farm.send(.jobPlanned(job: "job", Farm.plan(costs: costs, sound: sound, copied: copied)))
        return farm
    }

    @Test func nobodyRendersThem() {
        var farm = farm(costs: [1, 1, 1, 1], copied: [0, 2])
        #expect(farm.brain.jobs["job"]?.workDone.chunksDone == 2)
        #expect(farm.brain.jobs["job"]?.workDone.framesDone == 200)
        #expect(farm.order("a") == [1, 3])
        #expect(farm.appended() == [0, 1, 2, 3])
        #expect(farm.brain.jobs["job"]?.state == .stitching)
    }

    @Test func aFilmThatIsAllCopiedNeedsNoWorker() {
        var farm = farm(costs: [1, 1], copied: [0, 1])
        #expect(farm.appended() == [0, 1])
        #expect(farm.brain.jobs["job"]?.state == .stitching && farm.brain.jobs["job"]?.started != nil)
        farm.send(.filmFinished(job: "job", film: "f"))
        farm.send(.published(job: "job"))
        farm.send(.cleaned(job: "job"))
        #expect(farm.outcome() == .completed)
        #expect(farm.brain.jobs["job"]?.workDone.percent == 100)
    }

    @Test func theSoundComesFirst() {
        var farm = farm(costs: [1, 1], copied: [0, 1], sound: true)
        #expect(farm.appended().isEmpty)
        #expect(farm.order("a") == [2])
        #expect(farm.appended() == [2, 0, 1])
    }

    /// A coordinator that comes back has them as they are, and begins the film anew.
    @Test(arguments: [false, true]) func aRestartKeepsThem(isAllCopied: Bool) {
        let plan = Farm.plan(costs: [1, 1], copied: isAllCopied ? [0, 1] : [1])
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 0)
        var farm = Farm()
        let tasks = plan.tasks.map { RecoveredTask(state: $0.kind == .passthrough ? .done : .pending) }
        farm.send(
            .jobRecovered(RecoveredJob(submission: submission, plan: plan, tasks: tasks), WallClock(origin: 0)))
        if !isAllCopied { #expect(farm.order("a") == [0]) }
        #expect(farm.appended() == [0, 1])
        #expect(farm.brain.jobs["job"]?.state == .stitching)
    }

    /// A source that changed is nobody's chunk to make again.
    @Test(arguments: [ErrorCode.mediaChanged, .segmentInvalid]) func aFaultOfACopyEndsTheJob(code: ErrorCode) {
        var farm = farm(costs: [1, 1], copied: [0])
        let error = SplitreelError(code, operation: "copying", subject: "clip.mov", reason: "another one")
        farm.send(.stitchFailed(job: "job", task: 0, error))
        #expect(farm.outcome()?.error?.code == code)
    }

    /// A copied chunk leaves nothing in a folder that would be worth keeping.
    @Test func nothingIsKeptOfCopies() {
        var farm = farm(costs: [1, 1], copied: [0])
        let error = SplitreelError(.muxFailed, operation: "stitching", subject: "f", reason: "no")
        #expect(farm.send(.stitchFailed(job: "job", task: nil, error)).contains(.clean(job: "job")))
    }
}
