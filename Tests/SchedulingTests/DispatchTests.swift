import Diagnostics
import Scheduling
import Testing

@Suite struct DispatchTests {
    @Test func soundFirstThenInFilmOrder() {
        var farm = Farm()
        farm.submit(costs: [1, 5, 2, 9], sound: true)
        #expect(farm.order("a") == [4, 0, 1, 2, 3])
        #expect(farm.appended() == [4, 0, 1, 2, 3])
    }

    /// Twelve chunks in runs of four: each slot goes on with its own.
    @Test func aSlotGoesOnWithItsRun() {
        var farm = Farm()
        farm.submit(costs: Array(repeating: 1, count: 12), runFrames: 400)
        for slot in ["a", "b"] { farm.register(slot) }
        var taken: [[Int]] = [[], []]
        for _ in 0..<6 {
            for (index, slot) in ["a", "b"].enumerated() {
                if let holding = farm.lease(of: slot) { taken[index].append(holding.task) }
                farm.complete(slot)
            }
        }
        // The third run is begun by who is first, and its later half goes to the other.
        #expect(taken == [[0, 1, 2, 3, 8, 9], [4, 5, 6, 7, 10, 11]])
    }

    /// What a slot leaves when it dies, drains or is lent to another job goes on elsewhere.
    @Test(arguments: ["dies", "leaves", "drains", "lent"])
    func runsThatAreLeftAreTakenUp(how: String) {
        var farm = Farm()
        farm.submit(costs: Array(repeating: 1, count: 8), runFrames: 400)
        farm.register("a")
        farm.complete("a")
        #expect(farm.lease(of: "a")?.task == 1)
        switch how {
        case "dies": farm.send(.slotLost(slot: "a", peer: nil, reason: "exit"))
        case "leaves": farm.send(.leaving(slot: "a"))
        case "drains": farm.send(.drainWorker("a"))
        default:
            farm.submit("other", priority: 1, costs: [1])
            farm.complete("a")
        }
        let left = farm.brain.jobs["job"]?.tasks.indices.filter { farm.task($0)?.state == .pending } ?? []
        #expect(farm.order("b") == left)
    }

    @Test func aSlotHoldsOneLease() {
        var farm = Farm()
        farm.submit(costs: [1, 1, 1])
        let actions = farm.send(.slotRegistered(SlotSpec(slot: "a", worker: "w"), holding: nil))
        #expect(actions.leases.count == 1)
        #expect(farm.send(.tick).leases.isEmpty)
        #expect(farm.send(.heartbeat(slot: "a", holding: farm.lease(of: "a"))).leases.isEmpty)
    }

    @Test func higherPriorityFirst() {
        var farm = Farm()
        farm.submit("low", priority: 0, costs: [9, 9])
        farm.submit("high", priority: 5, costs: [1, 1])
        for slot in ["a", "b", "c"] { farm.register(slot) }
        #expect(["a", "b", "c"].compactMap { farm.lease(of: $0)?.job } == ["high", "high", "low"])
    }

    @Test func aJobOfWhichNothingIsInHandSaysWhy() {
        var farm = Farm()
        func reason(_ id: String) -> WaitReason? { farm.brain.jobs[id].flatMap(farm.brain.waitReason(of:)) }
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: "low", name: "low", priority: 0, composition: "{}", request: "{}", output: "/low.mov",
                    submitted: 0)))
        #expect(reason("low") == .planning)
        farm.send(.jobPlanned(job: "low", Farm.plan(costs: [1, 1])))
        #expect(reason("low") == .workers)
        farm.register("a")
        #expect(reason("low") == nil)
        // One of a higher priority, and one of its own, which waits for its turn behind it.
        farm.submit("high", priority: 5, costs: [1, 1])
        farm.submit("later", priority: 0, costs: [1])
        #expect(reason("high") == .slots && reason("later") == .slots)
        farm.complete("a")
        #expect(farm.lease(of: "a")?.job == "high")
        #expect(reason("high") == nil && reason("low") == .priority && reason("later") == .priority)
        farm.send(.drainWorker("a"))
        #expect(reason("low") == .workers)
        farm.send(.cancelJob("low"))
        #expect(reason("low") == nil)
    }

    @Test func jobsOfOnePriorityShareFairly() {
        var farm = Farm()
        farm.submit("one", costs: Array(repeating: 1, count: 20))
        farm.submit("two", costs: Array(repeating: 1, count: 20))
        for slot in 0..<8 { farm.register("s\(slot)") }
        let jobs = (0..<8).compactMap { farm.lease(of: "s\($0)")?.job }
        #expect(jobs.filter { $0 == "one" }.count == 4)
        #expect(jobs.filter { $0 == "two" }.count == 4)
    }

    /// Jobs of one priority take turns, however much one of them has had before the other came.
    @Test(arguments: [(1, [2, 2]), (1, [1, 1, 1]), (2, [4, 4]), (3, [2, 2, 2])])
    func noJobWaitsForAnothersLastChunk(slots: Int, turns: [Int]) {
        var farm = Farm()
        for slot in 0..<slots { farm.register("s\(slot)") }
        farm.submit("0", costs: Array(repeating: 1, count: 200))
        for round in 0..<50 { farm.complete("s\(round % slots)") }
        for job in 1..<turns.count { farm.submit("\(job)", costs: Array(repeating: 1, count: 200)) }
        // The slots that are in the old job's hands first.
        for slot in 0..<slots { farm.complete("s\(slot)") }
        var had: [String: Int] = [:]
        for round in 0..<turns.reduce(0, +) {
            let slot = "s\(round % slots)"
            if let job = farm.lease(of: slot)?.job { had[job, default: 0] += 1 }
            farm.complete(slot)
        }
        for (job, count) in turns.enumerated() {
            #expect(abs((had["\(job)"] ?? 0) - count) <= 1, "\(had)")
        }
    }

    @Test func drainingSlotsGetNothingMore() {
        var farm = Farm()
        farm.submit(costs: [1, 1, 1])
        farm.register("a", worker: "w")
        #expect(farm.send(.drainWorker("w")).contains(.requestDrain(slot: "a")))
        farm.complete("a")
        #expect(farm.lease(of: "a") == nil)
        farm.send(.leaving(slot: "a"))
        #expect(farm.brain.slots.isEmpty)
        farm.register("b")
        #expect(farm.lease(of: "b") != nil)
    }

    /// What a slot hands back that has told that it drains goes to another one, and not to itself.
    @Test func aSlotThatDrainsDoesNotGetItsChunkBack() throws {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a", worker: "w")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.draining(slot: "a"))
        #expect(farm.brain.slots["a"]?.condition.rawValue == "leaving")
        #expect(farm.send(.released(slot: "a", holding)).leases.isEmpty && farm.lease(of: "a") == nil)
        farm.register("b")
        #expect(farm.lease(of: "b")?.epoch == 2)
    }

    @Test func leavingGivesTheChunkBackWithoutALoss() {
        var farm = Farm()
        farm.submit(costs: [1])
        farm.register("a")
        farm.send(.leaving(slot: "a"))
        #expect(farm.task(0)?.state == .pending)
        #expect(farm.task(0)?.losses == 0)
        farm.register("b")
        #expect(farm.lease(of: "b")?.epoch == 2)
    }

    @Test func hundredThousandChunksAreDealtInLinearTime() {
        var farm = Farm()
        farm.submit(costs: (0..<100_000).map { Double($0 % 97) })
        for slot in 0..<100 { farm.register("s\(slot)") }
        let clock = ContinuousClock()
        let taken = clock.measure { for round in 0..<2000 { farm.complete("s\(round % 100)") } }
        #expect(farm.brain.jobs["job"]?.workDone.chunksDone == 2000)
        // A copy of the job per dispatch would take minutes.
        #expect(taken < .seconds(60))
    }
}
