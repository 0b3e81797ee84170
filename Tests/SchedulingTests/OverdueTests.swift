import Diagnostics
import Scheduling
import Testing

/// A thread of the coordinator that hangs holds no job for ever.
@Suite("Time limits of the coordinator's own work") struct OverdueTests {
    private func submitted(_ farm: inout Farm) {
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
    }

    @Test func planningThatHangsFailsItsJob() {
        var farm = Farm { $0.planning = .seconds(20) }
        submitted(&farm)
        // Waiting for a thread does not count.
        farm.pass(.seconds(60))
        #expect(farm.outcome() == nil)
        farm.send(.workBegan(.planning(job: "job")))
        farm.pass(.seconds(20))
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(1))
        #expect(farm.outcome()?.error?.code == .tookTooLong)
        #expect(farm.log.abandoned == [.planning(job: "job")])
        #expect(farm.log.last == .clean(job: "job"))
        farm.send(.cleaned(job: "job"))
        // What it makes after all is removed when it comes.
        #expect(farm.send(.jobPlanned(job: "job", Farm.plan(costs: [1]))) == [.clean(job: "job")])
    }

    @Test func aJobOfManySlowSourcesIsNoHang() {
        var farm = Farm { $0.planning = .seconds(20) }
        submitted(&farm)
        for _ in 0..<500 {
            farm.send(.workBegan(.planning(job: "job")))
            farm.pass(.seconds(19))
        }
        // A large one may take longer than others, and the time of the next one is its own again.
        farm.send(.workBegan(.planning(job: "job"), allowing: .seconds(100)))
        farm.pass(.seconds(120))
        #expect(farm.outcome() == nil)
        farm.send(.workBegan(.planning(job: "job")))
        farm.pass(.seconds(21))
        #expect(farm.outcome()?.error?.code == .tookTooLong)
    }

    /// The job waits for 17 s from the first check that hangs to the second, and as long again to the third.
    @Test func verifyingThatHangsIsTriedAgainAndFailsInTheEnd() {
        var farm = Farm {
            $0.verifying = .seconds(10)
            $0.resourcePatience = .seconds(20)
        }
        farm.submit(costs: [1])
        farm.register("a")
        for attempt in 1...3 {
            #expect(farm.outcome() == nil)
            guard let holding = farm.lease(of: "a") else { return #expect(Bool(false), "no lease \(attempt)") }
            farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
            farm.send(.workBegan(.verifying(holding)))
            farm.pass(.seconds(11), alive: ["a"])
            #expect(farm.log.abandoned.last == .verifying(holding))
            // Its late result changes nothing.
            #expect(farm.send(.verified(holding)).isEmpty)
            farm.pass(.seconds(6), alive: ["a"])
        }
        #expect(farm.outcome()?.error?.code == .tookTooLong)
        #expect(farm.task(0)?.failedWorkers == [], "the worker is not to blame")
        #expect(farm.task(0)?.tries == 0, "a disk that hangs takes no try")
    }

    /// Nothing is known of a segment whose disk does not answer: it was done, and is not thrown away.
    @Test func aDoneSegmentWhoseCheckHangsAfterARestartIsCheckedAgain() {
        var farm = Farm { $0.verifying = .seconds(10) }
        let holding = recover(&farm)
        for checks in 1...3 {
            let asked = farm.log.filter { if case .verify = $0 { true } else { false } }
            #expect(asked.count == checks && farm.log.leases.isEmpty)
            farm.send(.workBegan(.verifying(holding)))
            farm.pass(.seconds(11), alive: ["a"])
            #expect(farm.log.abandoned.count == checks)
            farm.pass(.seconds(6), alive: ["a"])
        }
        farm.send(.verified(holding))
        #expect(farm.task(0)?.state == .done && farm.task(0)?.epoch == 1)
        #expect(farm.appended() == [0] && farm.log.leases.isEmpty)
    }

    /// The first failure comes after 10.5 s, the third 34 s later.
    @Test func aCheckThatGoesOnHangingFailsTheJobAndKeepsTheSegment() {
        var farm = Farm {
            $0.verifying = .seconds(10)
            $0.resourcePatience = .seconds(20)
        }
        let holding = recover(&farm)
        for _ in 1...3 {
            #expect(farm.outcome() == nil)
            farm.send(.workBegan(.verifying(holding)))
            farm.pass(.seconds(17), alive: ["a"])
        }
        #expect(farm.outcome()?.error?.code == .tookTooLong)
        #expect(farm.log.contains(.keep(job: "job")) && farm.log.leases.isEmpty)
    }

    /// A farm with the worker `a` that comes back to a job whose one task was done.
    private func recover(_ farm: inout Farm) -> Holding {
        let holding = Holding(job: "job", task: 0, epoch: 1, lease: LeaseID(high: 1, low: 2))
        let stored = RecoveredTask(
            state: .done, epoch: 1, lease: holding.lease, slot: "z", worker: "z", segment: Farm.segment(holding))
        let submission = JobSubmission(
            id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)
        let job = RecoveredJob(submission: submission, plan: Farm.plan(costs: [1]), tasks: [stored], started: 1)
        farm.send(.jobRecovered(job, WallClock(origin: 0)))
        farm.register("a")
        return holding
    }

    @Test(arguments: [(false, 1), (true, 1), (false, 3), (true, 3)])
    func aFilmThatHangsFailsItsJob(publishes: Bool, outputs: Int) {
        var farm = Farm {
            $0.finishing = .seconds(10)
            $0.finishingPerFrame = .milliseconds(10)
            $0.publishing = .seconds(11)
        }
        farm.submit(costs: [1], outputs: outputs)
        farm.register("a")
        farm.complete("a")
        // Waiting for a place to be made in does not count.
        farm.pass(.seconds(100), alive: ["a"])
        farm.send(.workBegan(.film(job: "job")))
        if publishes { farm.send(.filmFinished(job: "job", film: "f")) }
        farm.pass(.seconds(11) * outputs, alive: ["a"])
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(1), alive: ["a"])
        #expect(farm.outcome()?.error?.code == .tookTooLong)
        #expect(farm.outcome()?.error?.operation == (publishes ? "publishing" : "stitching"))
        #expect(farm.log.abandoned == [.film(job: "job")])
    }

    @Test func aFolderThatCannotBeRemovedKeepsNoJobFromEnding() {
        var farm = Farm { $0.cleaning = .seconds(5) }
        farm.submit(costs: [1])
        farm.send(.cancelJob("job"))
        #expect(farm.brain.jobs["job"]?.ending == .cancelled)
        farm.pass(.seconds(6))
        #expect(farm.brain.jobs["job"]?.state == .cancelled)
        #expect(farm.log.abandoned == [.cleaning(job: "job")])
        #expect(farm.log.last == .jobEnded(job: "job", .cancelled))
        // The thread comes back after all.
        #expect(farm.send(.cleaned(job: "job")).isEmpty)
    }

    @Test func timeInWhichTheCoordinatorStoodStillDoesNotCount() {
        var farm = Farm { $0.planning = .seconds(20) }
        submitted(&farm)
        farm.send(.workBegan(.planning(job: "job")))
        farm.pass(.seconds(5))
        farm.now = farm.now + .seconds(3600)
        farm.pass(.seconds(10))
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(10))
        #expect(farm.outcome()?.error?.code == .tookTooLong)
    }

    @Test func anEndThatIsDecidedAbandonsWhatIsBeingVerified() {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        guard let holding = farm.lease(of: "a") else { return #expect(Bool(false)) }
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        #expect(farm.send(.cancelJob("job")).abandoned == [.verifying(holding)])
    }
}
