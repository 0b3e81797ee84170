import Diagnostics
import Scheduling
import Testing

/// Tasks whose segments a cache had: they are checked and not rendered, and a bad one is nobody's failure.
@Suite struct CachedTaskTests {
    private static func submission() -> Event {
        .jobSubmitted(
            JobSubmission(
                id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov",
                submitted: 0))
    }

    private static func segment(_ task: Int) -> ReportedSegment {
        ReportedSegment(name: "cached-\(task)", hash: [UInt8(task)])
    }

    /// A job of so many chunks with a sound, of which the cache has some.
    private static func planned(_ chunks: Int, cached: [Int], parts: Int = 0) -> Farm {
        var farm = Farm()
        farm.register("a")
        farm.send(submission())
        var plan = Farm.plan(costs: Array(repeating: 1, count: chunks), sound: true)
        plan.tasks += (0..<parts).map {
            TaskSpec(kind: .mix, cost: 1, firstUnit: $0 * 100, unitCount: 100, label: "part \($0) of the sound")
        }
        let segments = Dictionary(uniqueKeysWithValues: cached.map { ($0, segment($0)) })
        farm.send(.jobPlanned(job: "job", plan, cached: segments))
        return farm
    }

    private static func checks(_ farm: Farm) -> [Holding] {
        farm.log.compactMap { if case .verify(let holding, _) = $0 { holding } else { nil } }
    }

    @Test func whatTheCacheHasIsCheckedAndNotRendered() throws {
        var farm = Self.planned(4, cached: [0, 2, 4])
        let checks = Self.checks(farm)
        #expect(checks.map(\.task) == [0, 2, 4] && checks.allSatisfy { $0.epoch == 1 })
        #expect(farm.log.leases.map(\.task) == [1])
        for check in checks { farm.send(.verified(check)) }
        while farm.lease(of: "a") != nil { farm.complete("a") }
        #expect(farm.log.leases.map(\.task) == [1, 3])
        #expect(farm.appended() == [4, 0, 1, 2, 3])
        let job = try #require(farm.brain.jobs["job"])
        #expect(job.chunksCached == 2 && job.workDone.chunksDone == 4 && job.workDone.framesDone == 400)
        #expect(farm.task(0)?.lastSlot == TaskEntry.cacheName && farm.task(1)?.lastSlot == "a")
        #expect(farm.log.contains(.finishFilm(job: "job")))
    }

    /// The maker of a cached segment is told, and is blamed for nothing.
    @Test func theMakerOfACachedSegmentIsTold() throws {
        var farm = Farm()
        farm.register("a")
        farm.send(Self.submission())
        var segment = Self.segment(0)
        segment.maker = "node7"
        farm.send(.jobPlanned(job: "job", Farm.plan(costs: [1, 1]), cached: [0: segment, 1: Self.segment(1)]))
        for check in Self.checks(farm) { farm.send(.verified(check)) }
        #expect(farm.task(0)?.maker == "node7" && farm.task(0)?.lastSlot == TaskEntry.cacheName)
        #expect(farm.task(1)?.maker == nil)
        #expect(TaskEntry.maker(slot: "node7/1", worker: "node7") == nil)
    }

    @Test func aJobThatIsWhollyInTheCacheNeedsNoSlot() throws {
        var farm = Farm()
        farm.send(Self.submission())
        farm.send(
            .jobPlanned(
                job: "job", Farm.plan(costs: [1, 1]), cached: [0: Self.segment(0), 1: Self.segment(1)]))
        for check in Self.checks(farm) { farm.send(.verified(check)) }
        #expect(farm.log.contains(.finishFilm(job: "job")))
        farm.send(.filmFinished(job: "job", film: "film"))
        farm.send(.published(job: "job"))
        farm.send(.cleaned(job: "job"))
        #expect(farm.outcome() == .completed)
        let job = try #require(farm.brain.jobs["job"])
        #expect(job.chunksCached == 2 && job.started != nil)
    }

    @Test(arguments: [ErrorCode.segmentInvalid, .diskFull, .tookTooLong])
    func whatIsNotGoodIsRendered(code: ErrorCode) throws {
        var farm = Self.planned(2, cached: [0, 1])
        farm.complete("a")
        let error = SplitreelError(code, operation: "op", subject: "chunk 0", reason: "a bit was wrong")
        let checks = Self.checks(farm)
        farm.send(.verified(checks[1]))
        farm.send(.verificationFailed(checks[0], error))
        let again = try #require(farm.lease(of: "a"))
        #expect(again.task == 0 && again.epoch == 2)
        #expect(farm.task(0)?.tries == 0 && farm.task(0)?.losses == 0 && farm.task(0)?.failedWorkers == [])
        farm.complete("a")
        #expect(farm.appended() == [2, 0, 1] && farm.brain.jobs["job"]?.chunksCached == 1)
    }

    @Test func theAttemptsOfTheCacheAreStored() throws {
        let farm = Self.planned(2, cached: [1])
        let rows = farm.log.compactMap { action -> TaskRow? in
            guard case .persist(let transition) = action, case .task(_, 1, let row) = transition.change else {
                return nil
            }
            return row
        }
        let row = try #require(rows.first)
        #expect(row.state == .verifying && row.epoch == 1 && row.slot == "cache" && row.segment == Self.segment(1))
    }

    /// A crash in between: the segment lies in the folder, and its epoch is not given to anybody.
    @Test func aRestartChecksThemAgain() throws {
        var farm = Farm()
        let lease = LeaseID(high: 3, low: 4)
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 1)
        let stored = RecoveredTask(
            state: .verifying, epoch: 1, lease: lease, slot: "cache", worker: "cache", segment: Self.segment(0))
        farm.send(
            .jobRecovered(
                RecoveredJob(
                    submission: submission, plan: Farm.plan(costs: [1, 1]),
                    tasks: [stored, RecoveredTask(state: .pending)], started: 2), WallClock(origin: 1000)))
        let check = try #require(Self.checks(farm).first)
        #expect(check == Holding(job: "job", task: 0, epoch: 1, lease: lease))
        farm.register("a")
        #expect(farm.lease(of: "a")?.task == 1)
        farm.send(.verified(check))
        farm.complete("a")
        #expect(farm.appended() == [0, 1] && farm.brain.jobs["job"]?.chunksCached == 1)
    }

    /// Nobody mixes parts of a sound that is there, and where it is not good after all, its parts are mixed.
    @Test func aSoundInTheCacheNeedsNoParts() throws {
        var good = Self.planned(1, cached: [1], parts: 2)
        #expect(good.lease(of: "a")?.task == 0)
        good.complete("a")
        #expect(good.lease(of: "a") == nil)
        good.send(.verified(try #require(Self.checks(good).first)))
        #expect(good.appended() == [1, 0])

        var bad = Self.planned(1, cached: [1], parts: 2)
        let error = SplitreelError(.segmentInvalid, operation: "op", subject: "the sound", reason: "a bit was wrong")
        bad.send(.verificationFailed(try #require(Self.checks(bad).first), error))
        while bad.lease(of: "a") != nil { bad.complete("a") }
        #expect(bad.log.leases.map(\.task) == [0, 2, 3, 1])
        #expect(bad.appended() == [1, 0])
    }

    @Test func aCancelLeavesNothingInHand() throws {
        var farm = Self.planned(2, cached: [0, 1])
        farm.send(.cancelJob("job"))
        #expect(Set(farm.log.abandoned) == Set(Self.checks(farm).map { .verifying($0) }))
        let held = try #require(farm.log.leases.first)
        farm.send(.released(slot: "a", held))
        farm.send(.cleaned(job: "job"))
        #expect(farm.outcome() == .cancelled && farm.brain.isIdle)
    }

    // MARK: - A cache that is far away

    /// A job of three chunks, of which a cache far away has the first two: their segments have no hash yet.
    private static func awaiting() -> Farm {
        var farm = Farm()
        farm.register("a")
        farm.send(submission())
        let awaited = [0, 1].map { ReportedSegment(name: "cached-\($0)", hash: []) }
        farm.send(.jobPlanned(job: "job", Farm.plan(costs: [1, 1, 1]), cached: [0: awaited[0], 1: awaited[1]]))
        return farm
    }

    /// What is on its way is not rendered, and the rest is meanwhile. It counts when it is here.
    @Test func whatIsOnItsWayHoldsNothingUp() throws {
        var farm = Self.awaiting()
        let asked = Self.checks(farm)
        #expect(asked.map(\.task) == [0, 1] && farm.log.leases.map(\.task) == [2])
        #expect(farm.task(0)?.unitsDone == 0 && farm.task(0)?.lastWorker == TaskEntry.cacheName)
        farm.complete("a")
        #expect(farm.lease(of: "a") == nil && farm.appended() == [])
        var segment = Self.segment(0)
        segment.maker = "node7"
        farm.send(.fetched(asked[0], segment))
        #expect(farm.log.contains(.verify(asked[0], segment)))
        #expect(farm.task(0)?.unitsDone == farm.task(0)?.spec.unitCount && farm.task(0)?.maker == "node7")
        // A second word changes nothing.
        farm.send(.fetched(asked[0], Self.segment(1)))
        farm.send(.verified(asked[0]))
        #expect(farm.appended() == [0] && farm.task(0)?.segment == segment)
        farm.send(.fetched(asked[1], Self.segment(1)))
        farm.send(.verified(asked[1]))
        #expect(farm.appended() == [0, 1, 2] && farm.brain.jobs["job"]?.chunksCached == 2)
    }

    @Test func whatDoesNotComeIsRendered() throws {
        var farm = Self.awaiting()
        let asked = Self.checks(farm)
        farm.complete("a")
        let error = SplitreelError(.segmentInvalid, operation: "op", subject: "chunk 0", reason: "it did not come")
        farm.send(.verificationFailed(asked[0], error))
        let again = try #require(farm.lease(of: "a"))
        #expect(again.task == 0 && again.epoch == 2 && farm.task(0)?.tries == 0 && farm.task(0)?.failedWorkers == [])
        // One that comes after all is late.
        farm.send(.fetched(asked[0], Self.segment(0)))
        #expect(farm.task(0)?.attempt?.holding == again && farm.task(0)?.attempt?.segment == nil)
    }

    /// A fetch that hangs is given up as a check is.
    @Test func aFetchThatHangsIsGivenUp() throws {
        var farm = Self.awaiting()
        let asked = Self.checks(farm)
        farm.complete("a")
        farm.send(.workBegan(.verifying(asked[0])))
        farm.pass(farm.brain.limits.verifying + .seconds(2), alive: ["a"])
        #expect(farm.log.abandoned.contains(.verifying(asked[0])) && farm.task(0)?.attempt?.isCached != true)
    }
}
