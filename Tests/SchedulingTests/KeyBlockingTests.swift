import Diagnostics
import Scheduling
import Testing

/// Keys whose workers fail one after another under ever new names.
@Suite struct KeyBlockingTests {
    private func farm(chunks: Int = 40, cached: [Int: ReportedSegment] = [:]) -> Farm {
        var farm = Farm { $0.otherWorkerWait = .seconds(100_000) }
        farm.submit(costs: Array(repeating: 1, count: chunks), cached: cached)
        return farm
    }

    /// A new worker of that key that fails until it is blocked. Worker `good` makes what it failed.
    private func fail(_ farm: inout Farm, _ worker: String, key: String?) {
        farm.register(worker, key: key)
        for _ in 0..<3 { farm.fail(worker, .encodeFailed) }
        #expect(farm.lease(of: worker) == nil)
        for _ in 0..<4 { farm.complete("good") }
    }

    @Test func threeBlockedWorkersBlockTheirKeyForAnHour() {
        var farm = farm()
        farm.register("good", key: "good")
        for worker in ["a", "b"] { fail(&farm, worker, key: "bad") }
        farm.register("still", key: "bad")
        #expect(farm.lease(of: "still") != nil)
        farm.send(.leaving(slot: "still"))
        fail(&farm, "c", key: "bad")
        farm.register("new", key: "bad")
        #expect(farm.lease(of: "new") == nil)
        #expect(farm.lease(of: "good") != nil)
        let remarks = farm.brain.remarks(on: "job")
        #expect(remarks == ["key bad gets none of it for up to an hour: its workers failed too often"])
        farm.pass(.seconds(3590), alive: ["new"])
        #expect(farm.lease(of: "new") == nil)
        farm.pass(.seconds(11), alive: ["new"])
        #expect(farm.lease(of: "new")?.job == "job")
    }

    /// Its workers failed, and did not lie: what one of them has made before may be right.
    @Test func whatABlockedKeyMadeIsTakenFromACache() throws {
        var farm = farm(cached: [39: ReportedSegment(name: "cached", hash: [])])
        let asked = try #require(farm.log.checks.first?.holding)
        farm.register("good", key: "good")
        for worker in ["a", "b", "c"] { fail(&farm, worker, key: "bad") }
        #expect(farm.brain.remarks(on: "job").first?.contains("key bad gets none of it") == true)
        let segment = ReportedSegment(name: "cached", hash: [1], maker: "bad:old")
        #expect(farm.send(.fetched(asked, segment)).checks.map(\.segment) == [segment])
    }

    @Test func theKeyIsBlockedForThatJobAlone() {
        var farm = farm()
        farm.register("good", key: "good")
        for worker in ["a", "b", "c"] { fail(&farm, worker, key: "bad") }
        farm.submit("other", costs: [1, 1, 1, 1])
        farm.register("new", key: "bad")
        #expect(farm.lease(of: "new")?.job == "other")
    }

    @Test func workersWithoutKeysAreBlockedByThemselves() {
        var farm = farm()
        farm.register("good")
        for worker in ["a", "b", "c", "d"] { fail(&farm, worker, key: nil) }
        farm.register("new")
        #expect(farm.lease(of: "new") != nil)
        let blocked = farm.brain.remarks(on: "job").first
        #expect(blocked == "worker a gets none of it for up to an hour: it failed 3 times")
    }

    @Test func aFewBrokenMachinesOfManyDoNotBlockTheirKey() {
        var farm = farm()
        farm.register("good", key: "good")
        for worker in ["w", "x", "y"] { farm.register(worker, key: "many") }
        for worker in ["a", "b", "c"] { fail(&farm, worker, key: "many") }
        farm.register("new", key: "many")
        #expect(farm.lease(of: "new") != nil)
    }

    @Test func theOnlyKeyThatIsThereIsKept() {
        var farm = farm()
        farm.register("good", key: "only")
        for worker in ["a", "b", "c"] { fail(&farm, worker, key: "only") }
        farm.register("new", key: "only")
        #expect(farm.lease(of: "new") != nil)
    }

    @Test func aChunkThatOneKeyFailedIsLeftToOthers() throws {
        var farm = Farm()
        farm.submit("other", costs: [1])
        farm.register("good", key: "good")
        farm.submit(costs: [1])
        for worker in ["a", "b", "c"] {
            farm.register(worker, key: "bad")
            #expect(farm.lease(of: worker)?.job == "job")
            farm.fail(worker, .encodeFailed)
        }
        #expect(farm.outcome() == nil)
        farm.register("d", key: "bad")
        #expect(farm.lease(of: "d") == nil)
        farm.complete("good")
        #expect(farm.lease(of: "good")?.job == "job")
        // Where another key fails it too it is the chunk's fault.
        farm.fail("good", .encodeFailed)
        #expect(farm.outcome()?.error?.code == .retriesExhausted)
    }
}
