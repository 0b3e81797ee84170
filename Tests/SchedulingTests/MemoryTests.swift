import Diagnostics
import Scheduling
import Testing

@Suite("Memory of workers") struct MemoryTests {
    private static let gibibyte = 1 << 30

    /// A farm of a job whose chunks take 2 GiB each, and of two slots of one worker that has `memory`.
    private func farm(
        memory: Int?, costs: [Double] = [1, 1, 1, 1], sound: Bool = false, _ change: (inout Limits) -> Void = { _ in }
    ) -> Farm {
        var farm = Farm(change)
        submit("job", to: &farm, bytes: 2 * Self.gibibyte, costs: costs, sound: sound)
        for slot in ["w/1", "w/2"] { register(slot, of: "w", memory: memory, in: &farm) }
        return farm
    }

    private func submit(
        _ id: String, to farm: inout Farm, bytes: Int, costs: [Double], sound: Bool = false
    ) {
        farm.send(
            .jobSubmitted(
                JobSubmission(
                    id: id, name: id, priority: 0, composition: "{}", request: "{}", output: "/\(id).mov", submitted: 0)
            )
        )
        var plan = Farm.plan(costs: costs, sound: sound)
        plan.slotBytes = bytes
        farm.send(.jobPlanned(job: id, plan))
    }

    private func register(_ slot: String, of worker: String, memory: Int?, in farm: inout Farm) {
        farm.send(.slotRegistered(SlotSpec(slot: slot, worker: worker, memoryBytes: memory), holding: nil))
    }

    private func working(_ farm: Farm) -> [String] {
        farm.brain.slots.values.filter { $0.holding != nil }.map(\.spec.slot).sorted()
    }

    private func die(_ slot: String, in farm: inout Farm) {
        farm.send(.slotLost(slot: slot, reason: "killed", cause: .outOfMemory))
    }

    @Test(
        "a worker has as many chunks in hand as its memory holds",
        arguments: [(3, 1), (4, 2), (1, 1), (nil, 2)] as [(Int?, Int)])
    func room(gibibytes: Int?, count: Int) {
        let farm = farm(memory: gibibytes.map { $0 * Self.gibibyte })
        #expect(working(farm).count == count)
    }

    @Test("where one fits, the slot that has worked goes on, and the film is completed")
    func warm() {
        var farm = farm(memory: 3 * Self.gibibyte)
        let first = working(farm)
        for _ in 0..<4 {
            #expect(working(farm) == first)
            farm.complete(first[0])
        }
        #expect(farm.appended() == [0, 1, 2, 3])
    }

    @Test("each worker has its own memory")
    func workers() {
        var farm = farm(memory: 3 * Self.gibibyte)
        register("v/1", of: "v", memory: 3 * Self.gibibyte, in: &farm)
        #expect(working(farm).contains("v/1") && working(farm).count == 2)
    }

    @Test("sound takes little: a chunk goes beside it")
    func sound() {
        let farm = farm(memory: 5 * Self.gibibyte / 2, sound: true)
        #expect(working(farm).count == 2)
    }

    @Test("a job that needs the whole worker is not passed over for ever by small ones")
    func turn() {
        var farm = Farm()
        submit("small", to: &farm, bytes: Self.gibibyte / 2, costs: [1, 1, 1, 1, 1, 1])
        for slot in ["w/1", "w/2"] { register(slot, of: "w", memory: 2 * Self.gibibyte, in: &farm) }
        submit("large", to: &farm, bytes: 2 * Self.gibibyte, costs: [1])
        farm.complete("w/1")
        #expect(working(farm) == ["w/2"], "the free slot waits for the large one's turn")
        farm.complete("w/2")
        #expect(working(farm).count == 1 && farm.brain.jobs["large"]?.tasks[0].state == .leased)
    }

    @Test("a slot killed for memory beside another costs no try; then its worker has one at a time")
    func crowded() {
        var farm = farm(memory: nil)
        #expect(working(farm) == ["w/1", "w/2"])
        die("w/1", in: &farm)
        for slot in ["w/3", "w/4"] { register(slot, of: "w", memory: nil, in: &farm) }
        #expect(working(farm) == ["w/2"])
        #expect((0..<4).allSatisfy { farm.task($0)?.losses == 0 && farm.task($0)?.tries == 0 })
        for _ in 0..<4 {
            #expect(working(farm) == ["w/2"], "the slot that has worked goes on: it keeps its sources in memory")
            farm.complete("w/2")
        }
        #expect(farm.appended() == [0, 1, 2, 3])
    }

    @Test("of two slots that were killed together neither was alone")
    func both() {
        var farm = farm(memory: nil) { $0.resourcePatience = .zero }
        for slot in ["w/1", "w/2"] { die(slot, in: &farm) }
        #expect(farm.outcome() == nil)
        for slot in ["w/3", "w/4"] { register(slot, of: "w", memory: nil, in: &farm) }
        #expect(working(farm).count == 1)
    }

    @Test("a slot killed for memory alone is as where a disk is full: it waits, and fails with words of memory")
    func alone() throws {
        var farm = Farm { $0.resourcePatience = .seconds(20) }
        submit("job", to: &farm, bytes: 2 * Self.gibibyte, costs: [1])
        for round in 0..<10 {
            let slot = "w/\(round)"
            register(slot, of: "w", memory: Self.gibibyte, in: &farm)
            farm.pass(.seconds(6), alive: [slot])
            if farm.outcome() != nil { break }
            #expect(farm.lease(of: slot) != nil, "round \(round)")
            die(slot, in: &farm)
        }
        guard case .failed(let error)? = farm.outcome() else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.code == .outOfMemory && error.code.exit == .failed)
        let words = "\(error)"
        #expect(words.contains("memory") && words.contains("2.0 GiB") && words.contains("chunk 0"), "\(words)")
        #expect(farm.task(0)?.losses == 0)
    }

    @Test("a chunk that was too much for one worker is rendered by another with room")
    func elsewhere() {
        var farm = Farm()
        submit("job", to: &farm, bytes: 2 * Self.gibibyte, costs: [1])
        register("w/1", of: "w", memory: Self.gibibyte, in: &farm)
        die("w/1", in: &farm)
        register("w/2", of: "w", memory: Self.gibibyte, in: &farm)
        register("v/1", of: "v", memory: 8 * Self.gibibyte, in: &farm)
        farm.pass(.seconds(6), alive: ["w/2", "v/1"])
        for slot in working(farm) { farm.complete(slot) }
        #expect(farm.appended() == [0])
    }
}
