import Diagnostics
import Scheduling
import Testing

@Suite struct ProgressTests {
    private func progress(_ farm: Farm) -> Double { farm.brain.jobs["job"]?.progress ?? -1 }

    @Test func withoutExpectedCostsEveryFrameCountsTheSame() {
        var farm = Farm()
        farm.submit(costs: [0, 0, 0, 0], sound: false)
        farm.register("a")
        #expect(progress(farm) == 0)
        farm.complete("a")
        #expect(abs(progress(farm) - 0.25 * 0.99) < 1e-9)
        farm.complete("a")
        #expect(abs(progress(farm) - 0.5 * 0.99) < 1e-9)
    }

    @Test func nothingThatIsLostTakesItBack() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.progress(slot: "a", holding, done: 80, total: 100))
        let before = progress(farm)
        #expect(abs(before - 0.4 * 0.99) < 1e-9)
        farm.send(.slotLost(slot: "a", reason: "signal 9"))
        #expect(progress(farm) == before)
        farm.register("b")
        let second = try #require(farm.lease(of: "b"))
        farm.send(.progress(slot: "b", second, done: 10, total: 100))
        #expect(progress(farm) == before)
        farm.send(.progress(slot: "b", second, done: 90, total: 100))
        #expect(abs(progress(farm) - 0.45 * 0.99) < 1e-9)
        farm.send(.cancelJob("job"))
        #expect(abs(progress(farm) - 0.45 * 0.99) < 1e-9)
    }

    @Test func aChunkThatIsBeingCheckedCountsWhole() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        #expect(abs(progress(farm) - 0.5 * 0.99) < 1e-9)
        farm.send(.verified(holding))
        #expect(abs(progress(farm) - 0.5 * 0.99) < 1e-9)
    }

    @Test func chunksAreCountedByStateWithoutTheSound() {
        var farm = Farm()
        farm.submit(costs: [1, 1, 1], sound: true)
        farm.register("a")
        farm.complete("a")
        farm.complete("a")
        #expect(farm.brain.jobs["job"]?.chunkStates == [.done: 1, .leased: 1, .pending: 1])
    }
}
