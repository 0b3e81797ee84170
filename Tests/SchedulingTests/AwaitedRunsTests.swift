import Scheduling
import Testing

/// The chunk that waits is far from a key frame: whoever has the run ends it sooner than another slot, as long as it
/// goes on.
@Suite("Chunks that wait for the slot that has their run") struct AwaitedRunsTests {
    /// Two slots, a run of two chunks, and the first with the first one, of which 30 frames are made.
    private func begun() throws -> (farm: Farm, holding: Holding) {
        var farm = Farm()
        farm.submit(costs: [1, 1], leads: [0, 0.9], runFrames: 200)
        farm.register("a")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.started(slot: "a", holding))
        farm.send(.progress(slot: "a", holding, done: 30, total: 100))
        farm.register("b")
        return (farm, holding)
    }

    /// Lets that many seconds pass in which both slots live.
    private func pass(_ farm: inout Farm, seconds: Int, isStill: Bool) {
        for _ in 0..<seconds {
            farm.send(.heartbeat(slot: "a", holding: farm.lease(of: "a"), isStill: isStill))
            farm.pass(.seconds(1), alive: ["b"])
        }
    }

    @Test func whileItGoesOnTheyWait() throws {
        var (farm, holding) = try begun()
        pass(&farm, seconds: 20, isStill: false)
        #expect(farm.lease(of: "a") == holding && farm.lease(of: "b") == nil)
    }

    /// Its disk may stand for ten minutes before its chunk goes back.
    @Test func whereItStandsStillAnotherTakesThem() throws {
        var (farm, holding) = try begun()
        pass(&farm, seconds: 4, isStill: true)
        #expect(farm.lease(of: "b") == nil)
        pass(&farm, seconds: 2, isStill: true)
        #expect(farm.lease(of: "b")?.task == 1)
        #expect(farm.lease(of: "a") == holding, "what it has in hand stays its own")
    }

    @Test func aMomentIsNoStandstill() throws {
        var (farm, _) = try begun()
        for _ in 0..<5 {
            pass(&farm, seconds: 4, isStill: true)
            pass(&farm, seconds: 1, isStill: false)
        }
        #expect(farm.lease(of: "b") == nil)
    }

    /// The last word on its frames may not have been the hundredth. Its segment may take a quarter of an hour.
    @Test func whileItSendsAnotherTakesThem() throws {
        var (farm, holding) = try begun()
        farm.send(.sending(slot: "a", holding))
        pass(&farm, seconds: 4, isStill: false)
        #expect(farm.lease(of: "b") == nil)
        pass(&farm, seconds: 2, isStill: false)
        #expect(farm.lease(of: "b")?.task == 1)
    }
}
