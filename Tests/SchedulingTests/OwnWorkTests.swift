import Diagnostics
import Scheduling
import Testing

/// The coordinator's own work heeds the retry table as that of slots does.
@Suite("Failures of the coordinator's own work") struct OwnWorkTests {
    private func error(_ code: ErrorCode) -> SplitreelError {
        SplitreelError(code, operation: "stitching", subject: "/job.mov", reason: "so")
    }

    private func stitching(_ costs: [Double] = [1, 1]) -> Farm {
        var farm = Farm()
        farm.submit(costs: costs)
        farm.register("a")
        for _ in costs { farm.complete("a") }
        return farm
    }

    private func planning() -> Farm {
        var farm = Farm()
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
        return farm
    }

    private func count(_ farm: Farm, _ action: Action) -> Int { farm.log.filter { $0 == action }.count }

    @Test(arguments: [ErrorCode.diskFull, .outputNotWritable])
    func aFilmWaitsForRoomAndIsBegunAnew(code: ErrorCode) {
        var farm = stitching()
        let failed = farm.now
        #expect(farm.send(.stitchFailed(job: "job", error(code))).contains(.dropFilm(job: "job")))
        #expect(farm.brain.jobs["job"]?.wait?.work == .stitching && farm.brain.jobs["job"]?.wait?.since == failed)
        #expect(farm.brain.jobs["job"]?.wait?.error.code == code)
        farm.pass(.seconds(4), alive: ["a"])
        #expect(farm.appended() == [0, 1] && farm.outcome() == nil)
        farm.pass(.seconds(2), alive: ["a"])
        #expect(farm.appended() == [0, 1, 0, 1] && count(farm, .finishFilm(job: "job")) == 2)
        farm.send(.filmFinished(job: "job", film: "f"))
        #expect(farm.brain.jobs["job"]?.wait == nil)
        farm.send(.published(job: "job"))
        #expect(farm.outcome() == .completed)
        // Nothing was rendered twice.
        #expect(farm.log.leases.count == 2)
    }

    @Test func aFilmThatFailsWhileChunksRenderWaitsBesideThem() {
        var farm = Farm()
        farm.submit(costs: [1, 1, 1])
        farm.register("a")
        farm.complete("a")
        farm.send(.stitchFailed(job: "job", task: 0, error(.diskFull)))
        farm.complete("a")
        #expect(farm.appended() == [0], "it is handed nothing while it waits")
        farm.pass(.seconds(6), alive: ["a"])
        #expect(farm.appended() == [0, 0, 1])
        farm.complete("a")
        #expect(farm.appended() == [0, 0, 1, 2] && farm.log.last == .finishFilm(job: "job"))
    }

    /// Pauses of 5, 10, 20, 40 and eight times 60 s make 555 s; the thirteenth has the 45 s that are left.
    @Test func patienceEndsAfterTenMinutesOfWaiting() {
        var farm = stitching()
        var failures = 0
        while farm.outcome() == nil, failures < 50 {
            // Each try takes a minute, which is no waiting.
            farm.pass(.seconds(60), alive: ["a"])
            let handed = farm.appended().count
            farm.send(.stitchFailed(job: "job", error(.diskFull)))
            failures += 1
            while farm.outcome() == nil, farm.appended().count == handed { farm.pass(.seconds(1), alive: ["a"]) }
        }
        #expect(failures == 14 && farm.outcome()?.error?.code == .diskFull)
        #expect(farm.now - .zero < .seconds(14 * 61 + 615) && farm.now - .zero > .seconds(14 * 60 + 599))
    }

    @Test func aPartMoreThanBeforeEndsTheWait() {
        var farm = stitching([1, 1, 1])
        farm.send(.partJoined(job: "job"))
        farm.send(.stitchFailed(job: "job", task: 1, error(.diskFull)))
        farm.pass(.seconds(6), alive: ["a"])
        farm.send(.partJoined(job: "job"))
        #expect(farm.brain.jobs["job"]?.wait != nil)
        farm.send(.partJoined(job: "job"))
        #expect(farm.brain.jobs["job"]?.wait == nil)
    }

    @Test func insideRenderNothingIsWaitedFor() {
        var farm = Farm { $0 = .embedded }
        farm.submit(costs: [1])
        farm.register("a")
        farm.complete("a")
        farm.send(.stitchFailed(job: "job", error(.diskFull)))
        #expect(farm.outcome()?.error?.code == .diskFull)
    }

    @Test(arguments: [ErrorCode.outputExists, .muxFailed, .verificationFailed, .internalFault])
    func whatNoRetryMendsEndsTheJobAtOnce(code: ErrorCode) {
        var farm = stitching()
        farm.send(.stitchFailed(job: "job", error(code)))
        #expect(farm.outcome()?.error?.code == code)
    }

    @Test func planningWaitsForRoom() {
        var farm = planning()
        farm.send(.workBegan(.planning(job: "job")))
        farm.send(.planningFailed(job: "job", error(.diskFull)))
        #expect(farm.brain.jobs["job"]?.wait?.work == .planning)
        farm.pass(.seconds(6))
        #expect(count(farm, .plan(job: "job")) == 2 && farm.outcome() == nil)
        farm.send(.jobPlanned(job: "job", Farm.plan(costs: [1])))
        #expect(farm.brain.jobs["job"]?.wait == nil)
        // A source that is not there is not waited for.
        var other = planning()
        other.send(.planningFailed(job: "job", error(.mediaNotFound)))
        #expect(other.outcome()?.error?.code == .mediaNotFound)
    }

    @Test func aPassingFailureIsTriedFourTimes() {
        var farm = planning()
        for _ in 0..<4 {
            #expect(farm.outcome() == nil)
            farm.send(.planningFailed(job: "job", error(.storeFailed)))
            farm.pass(.seconds(20))
        }
        #expect(farm.outcome()?.error?.code == .storeFailed && count(farm, .plan(job: "job")) == 4)
    }

    @Test(arguments: [false, true]) func publishingWaitsAndCanBeCancelledMeanwhile(cancels: Bool) {
        var farm = stitching()
        farm.send(.filmFinished(job: "job", film: "f"))
        #expect(farm.brain.jobs["job"]?.ending == .completed)
        farm.send(.stitchFailed(job: "job", error(.outputNotWritable)))
        #expect(farm.brain.jobs["job"]?.ending == nil && farm.outcome() == nil)
        if cancels {
            farm.send(.cancelJob("job"))
            #expect(farm.outcome() == .cancelled)
        } else {
            farm.pass(.seconds(6), alive: ["a"])
            #expect(count(farm, .publish(job: "job")) == 2)
            farm.send(.published(job: "job"))
            #expect(farm.outcome() == .completed)
        }
    }

    // MARK: - Damaged segments

    @Test func aSegmentThatIsDamagedWhileItIsStitchedGoesBackToItsChunk() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1], sound: true)
        for slot in ["a", "b"] { farm.register(slot) }
        for slot in ["a", "b", "a"] { farm.complete(slot) }
        let maker = try #require(farm.task(1)?.lastSlot)
        #expect(farm.appended() == [2, 0, 1])
        let before = try #require(farm.brain.jobs["job"]?.workDone)
        let actions = farm.send(.stitchFailed(job: "job", task: 1, error(.segmentInvalid)))
        #expect(actions.contains(.dropFilm(job: "job")) && farm.outcome() == nil)
        #expect(actions.leases.map(\.task) == [1] && actions.leases.map(\.epoch) == [2])
        #expect(farm.brain.jobs["job"]?.workDone == before, "what is told of the work does not fall")
        #expect(farm.appended() == [2, 0, 1, 2, 0], "the rest is appended while the chunk is made")
        let slot = try #require(["a", "b"].first { farm.lease(of: $0) != nil })
        farm.complete(slot)
        #expect(farm.appended() == [2, 0, 1, 2, 0, 1] && farm.log.last == .finishFilm(job: "job"))
        // Whose segments are damaged three times gets nothing more of the job.
        for _ in 0..<2 {
            farm.send(.stitchFailed(job: "job", task: 1, error(.segmentInvalid)))
            let slot = try #require(["a", "b"].first { farm.lease(of: $0) != nil })
            farm.complete(slot)
        }
        #expect(farm.outcome() == nil && !maker.isEmpty)
    }

    @Test func whoseSegmentsAreDamagedThreeTimesGetsNothingMore() throws {
        var farm = stitching([1])
        for attempt in 2...3 {
            let leases = farm.send(.stitchFailed(job: "job", task: 0, error(.segmentInvalid))).leases
            #expect(leases.map(\.epoch) == [attempt], "once may be the disk's doing")
            let job = try #require(farm.brain.jobs["job"])
            #expect(farm.brain.failures(of: "a", in: job) == attempt - 1)
            farm.complete("a")
        }
        #expect(farm.send(.stitchFailed(job: "job", task: 0, error(.segmentInvalid))).leases.isEmpty)
        farm.register("b")
        #expect(farm.lease(of: "b")?.epoch == 4)
        farm.complete("b")
        #expect(farm.outcome() == nil && farm.log.last == .finishFilm(job: "job"))
    }

    @Test func whatASegmentThatIsGoneHadToSayIsForgotten() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        guard let holding = farm.lease(of: "a") else { return #expect(Bool(false)) }
        var notices = NoticeList()
        notices.add(Notice(.sourceDamaged, subject: "a.mp4", reason: "damaged"))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        farm.send(.verified(holding, notices))
        #expect(farm.brain.jobs["job"]?.notices.isEmpty == false)
        farm.send(.stitchFailed(job: "job", task: 0, error(.segmentInvalid)))
        #expect(farm.brain.jobs["job"]?.notices.isEmpty == true)
    }
}
