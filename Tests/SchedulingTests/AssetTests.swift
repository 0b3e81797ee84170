import Diagnostics
import Scheduling
import Testing

/// Each worker looks at a job's files before its first lease of it.
@Suite("Assets are checked before the first lease") struct AssetTests {
    private func farm(_ change: (inout Limits) -> Void = { _ in }) -> Farm {
        Farm {
            $0.checksAssets = true
            change(&$0)
        }
    }

    private let gone = SplitreelError(.mediaNotFound, operation: "open", subject: "/a.mov", reason: "no such file")

    @Test func oneSlotOfEachWorkerIsAskedAndNothingIsLeasedBeforeItsAnswer() {
        var farm = farm()
        farm.register("w/1", worker: "w")
        farm.register("w/2", worker: "w")
        farm.submit(costs: [1, 1])
        #expect(farm.log.assetChecks == ["w/1 of job"])
        #expect(farm.log.leases.isEmpty)
        farm.send(.assetsChecked(slot: "w/1", job: "job", nil))
        #expect(farm.log.leases.count == 2)
        // A worker that comes later is asked when it comes.
        farm.submit("second", costs: [1, 1])
        farm.register("x/1", worker: "x")
        #expect(farm.log.assetChecks == ["w/1 of job", "w/1 of second", "x/1 of second"])
    }

    /// Whoever is asked gets the plan; media are for those who have a lease.
    @Test func filesAreForTheWorkersThatAJobIsGivenTo() {
        var farm = farm()
        farm.register("w/1", worker: "w")
        farm.submit(costs: [1])
        farm.register("x/1", worker: "x")
        #expect(farm.brain.isGiven("job", to: "w/1") && !farm.brain.isLeased("job", to: "w/1"))
        farm.send(.assetsChecked(slot: "w/1", job: "job", nil))
        farm.register("w/2", worker: "w")
        for slot in ["w/1", "w/2"] {
            #expect(farm.brain.isGiven("job", to: slot) && farm.brain.isLeased("job", to: slot))
        }
        #expect(!farm.brain.isLeased("job", to: "x/1") && !farm.brain.isGiven("job", to: "y/1"))
        #expect(!farm.brain.isGiven("other", to: "w/1") && !farm.brain.isLeased("other", to: "w/1"))
        farm.complete("w/1")
        #expect(!farm.brain.isLeased("job", to: "w/1"))
    }

    @Test func aWorkerThatLacksAFileCostsNoTryAndIsAskedAgainLater() {
        var farm = farm()
        farm.register("bad")
        farm.register("good")
        farm.submit(costs: [1, 1, 1])
        farm.send(.assetsChecked(slot: "bad", job: "job", gone))
        farm.send(.assetsChecked(slot: "good", job: "job", nil))
        #expect(farm.lease(of: "bad") == nil && farm.lease(of: "good") != nil)
        #expect(
            farm.brain.remarks(on: "job")
                == ["worker bad gets none of it: error 20002, media not found: /a.mov: no such file"])
        #expect(farm.brain.remarks(onWorker: "bad").count == 1 && farm.brain.remarks(onWorker: "good").isEmpty)
        farm.pass(.seconds(59), alive: ["bad", "good"])
        #expect(farm.log.assetChecks.count == 2)
        farm.pass(.seconds(2), alive: ["bad", "good"])
        #expect(farm.log.assetChecks.last == "bad of job" && farm.log.assetChecks.count == 3)
        farm.send(.assetsChecked(slot: "bad", job: "job", nil))
        #expect(farm.lease(of: "bad") != nil)
        #expect(farm.task(0)?.tries == 0 && farm.task(0)?.failedWorkers == [])
    }

    @Test func whereEveryWorkerLacksItTheJobFailsWithThatErrorAfterAGrace() throws {
        var farm = farm()
        farm.register("a")
        farm.register("b")
        farm.submit(costs: [1])
        farm.send(.assetsChecked(slot: "a", job: "job", gone))
        farm.pass(.seconds(30), alive: ["a", "b"])
        #expect(farm.outcome() == nil, "b has not answered yet")
        farm.send(.assetsChecked(slot: "b", job: "job", gone))
        farm.pass(.seconds(9), alive: ["a", "b"])
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(2), alive: ["a", "b"])
        let error = try #require(farm.outcome()?.error)
        #expect(error.code == .mediaNotFound && error.reason == "no such file on workers a, b")
    }

    @Test func aWorkerThatDoesNotAnswerCountsAsOneThatCannot() {
        var farm = farm {
            $0.assetCheck = .seconds(5)
            $0.standing = .seconds(20)
        }
        farm.register("hung")
        farm.submit(costs: [1])
        farm.pass(.seconds(6), alive: ["hung"])
        #expect(farm.brain.remarks(on: "job").first?.contains("did not answer") == true)
        farm.pass(.seconds(18), alive: ["hung"])
        #expect(farm.outcome() == nil, "its disk has as long as under a chunk that stands still")
        farm.pass(.seconds(3), alive: ["hung"])
        #expect(farm.outcome()?.error?.code == .tookTooLong)
    }

    @Test func aWorkerWhoseDiskHangsForFiveMinutesGetsTheChunkWhenItAnswers() {
        var farm = farm()
        farm.register("hung")
        farm.submit(costs: [1])
        farm.pass(.seconds(300), alive: ["hung"])
        #expect(farm.outcome() == nil && farm.log.leases.isEmpty)
        farm.send(.assetsChecked(slot: "hung", job: "job", nil))
        farm.complete("hung")
        #expect(farm.task(0)?.state == .done && farm.task(0)?.epoch == 1)
    }

    @Test func whenTheAskedSlotIsLostASiblingIsAsked() {
        var farm = farm()
        farm.register("w/1", worker: "w")
        farm.register("w/2", worker: "w")
        farm.submit(costs: [1])
        farm.send(.slotLost(slot: "w/1", reason: "signal 9"))
        farm.pass(.milliseconds(500), alive: ["w/2"])
        #expect(farm.log.assetChecks == ["w/1 of job", "w/2 of job"])
    }

    @Test func aWorkerOfOtherVersionsGetsNothingAndTheJobSaysWhy() {
        var farm = Farm()
        let plan = Farm.plan(costs: [1], versions: ["libavcodec 1.2.3", "x264 164"], encoders: ["libx264"])
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
        farm.send(.jobPlanned(job: "job", plan))
        #expect(farm.brain.remarks(on: "job") == ["no worker is connected"])
        let specs = [
            SlotSpec(slot: "new", worker: "new", versions: ["libavcodec 1.2.4", "x264 164"], encoders: ["libx264"]),
            SlotSpec(slot: "poor", worker: "poor", versions: plan.versions, encoders: ["aac"]),
            SlotSpec(slot: "same", worker: "same", versions: plan.versions, encoders: ["aac", "libx264"]),
        ]
        for spec in specs.prefix(2) { farm.send(.slotRegistered(spec, holding: nil)) }
        #expect(farm.log.leases.isEmpty)
        #expect(
            farm.brain.remarks(on: "job") == [
                "worker new gets none of it: error 40009, worker differs: it has libavcodec 1.2.4, the plan was made "
                    + "with libavcodec 1.2.3",
                "worker poor gets none of it: error 40009, worker differs: it lacks the encoder libx264",
            ])
        farm.send(.slotRegistered(specs[2], holding: nil))
        #expect(farm.lease(of: "same") != nil)
    }

    private static let ten = (0..<10).map { "e\($0) 1" }
    /// The effects that a job needs, those that its worker has, and those that the job tells as lacking; nil: it gets a
    /// chunk.
    private static let lacks: [(needed: [String], has: Set<String>, lack: String?)] = [
        ([], [], nil),
        ([], ["wipe.left 1"], nil),
        (["wipe.left 1"], ["blur 1", "wipe.left 1"], nil),
        (["wipe.left 1"], [], "wipe.left 1"),
        (["wipe.left 2"], ["wipe.left 1"], "wipe.left 2"),
        (["a 1", "b 1", "c 1"], ["b 1"], "a 1, c 1"),
        (ten, [], "e0 1, e1 1, e2 1, e3 1, e4 1, e5 1, e6 1, e7 1 and 2 more"),
    ]

    @Test(arguments: lacks)
    func aWorkerThatLacksAnEffectGetsNothing(row: (needed: [String], has: Set<String>, lack: String?)) {
        let (needed, has, lack) = row
        var farm = Farm()
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
        farm.send(.jobPlanned(job: "job", Farm.plan(costs: [1], effects: needed)))
        farm.send(.slotRegistered(SlotSpec(slot: "w", worker: "w", effects: has), holding: nil))
        #expect((farm.lease(of: "w") != nil) == (lack == nil))
        #expect(
            farm.brain.remarks(on: "job")
                == (lack.map { ["worker w gets none of it: error 40009, worker differs: it lacks \($0)"] } ?? []))
        #expect(farm.brain.remarks(onWorker: "w").count == (lack == nil ? 0 : 1))
        // It costs the job nothing, and one that has all takes it.
        guard lack != nil else { return }
        farm.send(.slotRegistered(SlotSpec(slot: "x", worker: "x", effects: Set(needed)), holding: nil))
        #expect(farm.lease(of: "x") != nil && farm.lease(of: "w") == nil)
    }

    /// Of three chunks the second needs what the worker lacks; the sound needs nothing.
    @Test func chunksGoToWorkersThatHaveWhatTheyNeed() {
        var farm = Farm()
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
        var plan = Farm.plan(costs: [1, 1, 1], sound: true, effects: ["common 1", "rare 1"])
        for (task, needs) in [[], [1], [0], []].enumerated() { plan.tasks[task].needs = needs }
        farm.send(.jobPlanned(job: "job", plan))
        farm.send(.slotRegistered(SlotSpec(slot: "w", worker: "w", effects: ["common 1"]), holding: nil))
        var taken: [Int] = []
        while let holding = farm.lease(of: "w") {
            taken.append(holding.task)
            farm.complete("w")
        }
        #expect(taken == [3, 0, 2])
        #expect(
            farm.brain.remarks(on: "job") == [
                "worker w gets none of it: error 40009, worker differs: it lacks rare 1"
            ])
        farm.send(.slotRegistered(SlotSpec(slot: "x", worker: "x", effects: ["rare 1"]), holding: nil))
        #expect(farm.lease(of: "x")?.task == 1 && farm.brain.remarks(on: "job").isEmpty)
    }

    /// While others wait that it may have, a worker is none that gets nothing; what nobody has is said all the same.
    @Test func whatNobodyHasIsSaid() {
        var farm = Farm()
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "job", name: "", priority: 0, composition: "", request: "", output: "/x", submitted: 0)))
        var plan = Farm.plan(costs: [1, 1, 1, 1], effects: ["rare 1"])
        for task in [0, 3] { plan.tasks[task].needs = [] }
        farm.send(.jobPlanned(job: "job", plan))
        farm.send(.slotRegistered(SlotSpec(slot: "w", worker: "w"), holding: nil))
        #expect(farm.lease(of: "w")?.task == 0)
        #expect(
            farm.brain.remarks(on: "job") == [
                "no worker has what some of its chunks need: rare 1 (2); start one from the program that has it"
            ])
        #expect(farm.brain.remarks(onWorker: "w").isEmpty)
    }
}
