import Diagnostics
import Scheduling
import Simulation
import Testing

/// A farm's job that fails leaves its verified segments for whoever retries it, for a while.
@Suite("What is kept of jobs that failed") struct KeptWorkTests {
    private let clock = WallClock(origin: 0)
    private let broken = SplitreelError(.outputExists, operation: "publishing", subject: "/job.mov", reason: "there")

    /// A job of three chunks of which one is done when it fails, and the store as it is then.
    private func failed(_ farm: inout Farm, _ store: inout StoredJobs, _ id: String = "job") {
        farm.submit(id, costs: [1, 1, 1])
        if farm.brain.slots["a"] == nil { farm.register("a") }
        farm.complete("a")
        farm.fail("a", .decodeFailed)
        note(farm, &store)
    }

    /// Takes over what was to be stored since the last time.
    private func note(_ farm: Farm, _ store: inout StoredJobs) {
        store = StoredJobs()
        for case .persist(let transition) in farm.log { store.take(transition, clock) }
    }

    private func changes(_ actions: [Action]) -> [Transition.Change] {
        actions.compactMap { if case .persist(let transition) = $0 { transition.change } else { nil } }
    }

    @Test func aJobWithASegmentKeepsItsFolderAndOneWithoutKeepsItsComposition() {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        #expect(farm.log.last == .keep(job: "job"))
        let actions = farm.send(.folderKept(job: "job", bytes: 700))
        #expect(changes(actions).first == .kept(job: "job", bytes: 700))
        #expect(farm.brain.kept["job"] == KeptWork(since: farm.now, bytes: 700))
        #expect(farm.brain.jobs["job"]?.state == .failed && farm.brain.isIdle)

        farm.send(.jobSubmitted(submission("other")))
        farm.send(.planningFailed(job: "other", broken))
        #expect(farm.log.last == .clean(job: "other"))
        #expect(changes(farm.send(.cleaned(job: "other"))).first == .kept(job: "other", bytes: 0))
    }

    private func submission(_ id: String, madeFor: String? = nil) -> JobSubmission {
        JobSubmission(
            id: id, name: "", priority: 0, composition: "", request: "", output: "/\(id)", madeFor: madeFor,
            submitted: 0)
    }

    @Test func aRetryVerifiesWhatIsDoneAndRendersTheRest() throws {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.send(.folderKept(job: "job", bytes: 700))
        note(farm, &store)
        let rendered = farm.log.leases.count
        let stored = try #require(store["job"])
        let actions = farm.send(.jobRetried(stored, clock))
        #expect(changes(actions).first == .retried(job: "job"))
        #expect(farm.brain.kept.isEmpty && farm.outcome() == nil && farm.brain.jobs["job"]?.state == .running)
        let verified = actions.compactMap { if case .verify(let holding, _) = $0 { holding } else { nil } }
        let done = try #require(verified.first)
        #expect(done.task == 0 && done.epoch == 1)
        // The chunk that failed for good is like any other.
        #expect(actions.leases.map(\.task) == [1] || actions.leases.map(\.task) == [2])
        farm.send(.verified(done))
        for _ in 0..<2 { farm.complete("a") }
        // The film that grew before is made again from its segments.
        #expect(farm.appended() == [0, 0, 1, 2] && farm.log.last == .finishFilm(job: "job"))
        #expect(farm.log.leases.count == rendered + 2, "what was done is not rendered again")
        farm.send(.filmFinished(job: "job", film: "f"))
        farm.send(.published(job: "job"))
        #expect(farm.outcome() == .completed && farm.log.last == .clean(job: "job"))
    }

    @Test func whatIsCheckedAgainIsKeptToo() throws {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.send(.folderKept(job: "job", bytes: 700))
        note(farm, &store)
        var next = Farm()
        next.send(.keptFound(job: "job", KeptWork(since: .zero, bytes: 700)))
        next.send(.jobRetried(try #require(store["job"]), clock))
        next.send(.planningFailed(job: "job", broken))
        #expect(next.log.last == .keep(job: "job"))
    }

    @Test func noFailureOfBeforeCountsInARetry() throws {
        var farm = Farm { $0.transientTries = 2 }
        var store = StoredJobs()
        farm.submit(costs: [1])
        farm.register("a")
        for _ in 0..<2 {
            farm.fail("a", .transportFailed)
            farm.pass(.seconds(3), alive: ["a"])
        }
        #expect(farm.outcome()?.state == .failed)
        farm.send(.cleaned(job: "job"))
        note(farm, &store)
        farm.send(.jobRetried(try #require(store["job"]), clock))
        farm.fail("a", .transportFailed)
        #expect(farm.outcome() == nil && farm.task(0)?.tries == 1)
    }

    @Test func onlyAJobThatIsKeptIsRetried() throws {
        var farm = Farm()
        var store = StoredJobs()
        farm.submit(costs: [1])
        note(farm, &store)
        let stored = try #require(store["job"])
        #expect(farm.send(.jobRetried(stored, clock)).isEmpty, "it goes on")
        farm.send(.cancelJob("job"))
        farm.send(.cleaned(job: "job"))
        // Whatever the hands took in hand for it goes.
        #expect(farm.send(.jobRetried(stored, clock)) == [.clean(job: "job")])
        #expect(farm.brain.jobs["job"]?.state == .cancelled)
    }

    @Test(arguments: [Event.pruneJob("job"), .cancelJob("job")]) func itGoesWhenItIsPrunedOrCancelled(event: Event) {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.send(.folderKept(job: "job", bytes: 700))
        let actions = farm.send(event)
        #expect(changes(actions) == [.pruned(job: "job")] && actions.last == .dropKept(job: "job"))
        #expect(farm.brain.kept.isEmpty && farm.brain.jobs["job"]?.state == .failed)
        #expect(farm.send(event).isEmpty)
    }

    @Test func itGoesAfterSevenDays() {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.send(.folderKept(job: "job", bytes: 700))
        farm.now = farm.now + .seconds(7 * 86_400 - 1)
        #expect(!farm.send(.tick).contains(.dropKept(job: "job")))
        farm.now = farm.now + .seconds(1)
        #expect(farm.send(.tick).contains(.dropKept(job: "job")) && farm.brain.kept.isEmpty)
    }

    @Test func theOldestGoWhereAllTakeMoreThanTheLimit() {
        var farm = Farm { $0.keptBytes = 1000 }
        var store = StoredJobs()
        for (number, bytes) in [400, 0, 500, 450, 2000].enumerated() {
            farm.now = farm.now + .seconds(1)
            failed(&farm, &store, "j\(number)")
            farm.send(.folderKept(job: "j\(number)", bytes: bytes))
            let expected = [["j0"], ["j0", "j1"], ["j0", "j1", "j2"], ["j1", "j2", "j3"], ["j1"]][number]
            #expect(farm.brain.kept.keys.sorted() == expected)
        }
    }

    @Test func noMoreJobsAreKeptThanTheLimitAllows() {
        var farm = Farm { $0.keptJobs = 2 }
        var store = StoredJobs()
        for number in 0..<4 {
            farm.now = farm.now + .seconds(1)
            failed(&farm, &store, "j\(number)")
            farm.send(.folderKept(job: "j\(number)", bytes: 1))
        }
        #expect(farm.brain.kept.keys.sorted() == ["j2", "j3"])
    }

    /// `render` leaves nothing, nor does a command that has a farm make something for it.
    @Test func nothingIsKeptWhereNobodyComesBack() {
        var farm = Farm { $0 = .embedded }
        var store = StoredJobs()
        failed(&farm, &store)
        #expect(farm.log.last == .clean(job: "job"))
        farm.send(.cleaned(job: "job"))
        #expect(farm.brain.kept.isEmpty)

        var other = Farm()
        other.send(.jobSubmitted(submission("job", madeFor: "/sheet.png")))
        other.send(.planningFailed(job: "job", broken))
        other.send(.cleaned(job: "job"))
        #expect(other.brain.kept.isEmpty)
    }

    /// A disk that hangs while the folder is put in order holds no job; what it says later counts from then on.
    @Test func aFolderThatIsPutInOrderLateIsKeptAllTheSame() {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.pass(.seconds(61), alive: ["a"])
        #expect(farm.brain.jobs["job"]?.state == .failed && farm.brain.kept["job"]?.bytes == 0)
        #expect(changes(farm.send(.folderKept(job: "job", bytes: 700))) == [.kept(job: "job", bytes: 700)])
        #expect(farm.brain.kept["job"]?.bytes == 700)
        farm.send(.pruneJob("job"))
        #expect(farm.send(.folderKept(job: "job", bytes: 700)) == [.dropKept(job: "job")])
    }

    @Test func itIsKnownAgainAfterARestart() throws {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.send(.folderKept(job: "job", bytes: 700))
        note(farm, &store)
        var next = Farm()
        next.send(.keptFound(job: "job", KeptWork(since: .zero, bytes: 700)))
        #expect(next.brain.isIdle && next.brain.kept["job"]?.bytes == 700)
        next.send(.jobRetried(try #require(store["job"]), clock))
        #expect(next.brain.jobs["job"]?.state == .waiting && next.brain.kept.isEmpty)
    }

    /// A thread that hung while it published says so when its job failed long ago and goes on anew.
    @Test func aFilmOfAnEarlierTryDoesNotEndTheJob() throws {
        var farm = Farm()
        var store = StoredJobs()
        failed(&farm, &store)
        farm.send(.folderKept(job: "job", bytes: 700))
        note(farm, &store)
        farm.send(.jobRetried(try #require(store["job"]), clock))
        farm.send(.published(job: "job"))
        #expect(farm.outcome() == nil)
    }
}
