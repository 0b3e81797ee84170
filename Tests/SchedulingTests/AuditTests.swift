import Diagnostics
import Scheduling
import Testing

/// Chunks that workers of two keys render.
@Suite struct AuditTests {
    private static let whole = AuditRule(percent: 100, secret: [1])

    private func farm(
        _ rule: AuditRule? = AuditTests.whole, chunks: Int = 1, cached: [Int: ReportedSegment] = [:]
    ) -> Farm {
        var farm = Farm()
        farm.brain = CoordinatorBrain(
            limits: farm.brain.limits, leases: LeaseSource(seedHigh: 7, seedLow: 11), audit: rule)
        farm.submit(costs: Array(repeating: 1, count: chunks), cached: cached)
        return farm
    }

    /// The slot's lease through to a segment of that hash, which passes its check.
    private func make(_ farm: inout Farm, _ slot: String, _ hash: UInt8) throws {
        let holding = try #require(farm.lease(of: slot))
        let name = "\(holding.task)-\(holding.epoch)"
        farm.send(.finished(slot: slot, holding, ReportedSegment(name: name, hash: [hash])))
        farm.send(.verified(holding))
    }

    @Test func aChunkIsDoneWhenTwoKeysMadeTheSame() throws {
        var farm = farm()
        farm.register("a1", key: "A")
        farm.register("a2", key: "A")
        try make(&farm, "a1", 1)
        #expect(farm.task(0)?.state == .pending && farm.appended().isEmpty)
        #expect(farm.log.acknowledgements == [true])
        #expect(farm.lease(of: "a1") == nil && farm.lease(of: "a2") == nil)
        farm.register("b", key: "B")
        let second = try #require(farm.lease(of: "b"))
        try make(&farm, "b", 1)
        #expect(farm.task(0)?.committed == second && farm.appended() == [0])
        #expect(farm.task(0)?.witnesses.isEmpty == true)
    }

    @Test func aChunkWaitsForAnotherKeyAsForAWorker() throws {
        var farm = farm()
        farm.register("a", key: "A")
        try make(&farm, "a", 1)
        farm.pass(.seconds(60), alive: ["a"])
        #expect(farm.outcome() == nil && farm.lease(of: "a") == nil)
        let remarks = farm.brain.remarks(on: "job")
        #expect(remarks.count == 1 && remarks.first?.contains("waits for a worker of another key") == true)
    }

    /// The other key's only worker fails the chunk: nobody is left to wait for.
    @Test func aChunkDoesNotWaitForAWorkerThatFailedIt() throws {
        var farm = farm()
        farm.register("a", key: "A")
        try make(&farm, "a", 1)
        farm.register("b", key: "B")
        _ = try #require(farm.lease(of: "b"))
        farm.fail("b", .encodeFailed)
        farm.pass(.seconds(15), alive: ["a", "b"])
        #expect(farm.outcome() != nil)
    }

    @Test func theThirdKeyDecidesAndTheLiarIsOut() throws {
        let rules = (UInt8.min...UInt8.max).compactMap { AuditRule(percent: 50, secret: [$0]) }
        let picked = rules.first { !$0.picks(job: "job", task: 0) && $0.picks(job: "job", task: 1) }
        let rule: AuditRule = try #require(picked)
        var farm = farm(rule, chunks: 2)
        farm.register("a", key: "A")
        try make(&farm, "a", 9)
        try make(&farm, "a", 9)
        #expect(farm.task(0)?.state == .done && farm.task(1)?.state == .pending)
        farm.register("b", key: "B")
        try make(&farm, "b", 1)
        #expect(farm.task(1)?.state == .pending && farm.lease(of: "a") == nil && farm.lease(of: "b") == nil)
        farm.register("c", key: "C")
        #expect(farm.lease(of: "c")?.task == 1)
        try make(&farm, "c", 1)
        // The chunk that was not audited is made again, by another key.
        #expect(farm.task(1)?.state == .done && farm.task(0)?.state != .done)
        #expect(farm.log.contains(.dropFilm(job: "job")))
        #expect(farm.lease(of: "a") == nil)
        farm.register("a2", key: "A")
        #expect(farm.lease(of: "a2") == nil)
        for slot in ["b", "c"] { farm.complete(slot) }
        #expect(farm.task(0)?.state == .done && farm.task(0)?.lastWorker != "a")
        #expect(farm.brain.jobs["job"]?.state == .stitching)
        #expect(Array(farm.appended().suffix(2)) == [0, 1])
    }

    /// The key is caught while a chunk of one of its workers is on its way: `a` is known by its key, and one of an
    /// earlier life by its name.
    @Test(arguments: [("a", false), ("A:old", false), ("b", true), ("B:old", true), ("old", true)])
    func whatALiarMadeIsNotTakenFromACache(maker: String, isTaken: Bool) throws {
        var farm = farm(chunks: 2, cached: [0: ReportedSegment(name: "cached", hash: [])])
        let asked = try #require(farm.log.checks.first?.holding)
        for (name, hash) in [("a", 9), ("b", 1), ("c", 1)] as [(String, UInt8)] {
            farm.register(name, key: name.uppercased())
            try make(&farm, name, hash)
        }
        #expect(farm.task(1)?.state == .done && farm.task(0)?.attempt?.holding == asked)
        let segment = ReportedSegment(name: "cached", hash: [1], maker: maker)
        let actions = farm.send(.fetched(asked, segment))
        #expect(actions.checks.map(\.segment) == (isTaken ? [segment] : []))
        #expect(farm.task(0)?.state == (isTaken ? .verifying : .leased) && farm.task(0)?.epoch == (isTaken ? 1 : 2))
    }

    @Test func theLiarsKeyIsTold() throws {
        var farm = farm(chunks: 2)
        for name in ["A", "B", "C"] { farm.register(name, key: name) }
        for _ in 0..<12 {
            for name in ["A", "B", "C"] where farm.lease(of: name) != nil { try make(&farm, name, name == "A" ? 9 : 1) }
        }
        #expect(farm.brain.jobs["job"]?.state == .stitching)
        for name in ["B", "C"] { farm.send(.leaving(slot: name)) }
        farm.submit("other", costs: [1])
        #expect(farm.lease(of: "A")?.job == "other")
        let told = farm.log.contains { action in
            guard case .persist(let transition) = action else { return false }
            return transition.text.contains("key A is out of this job")
        }
        #expect(told)
    }

    @Test func withoutAThirdKeyTheJobFails() throws {
        var farm = farm()
        farm.register("a", key: "A")
        farm.register("b", key: "B")
        try make(&farm, "a", 9)
        try make(&farm, "b", 1)
        farm.pass(.seconds(9), alive: ["a", "b"])
        #expect(farm.outcome() == nil)
        farm.pass(.seconds(3), alive: ["a", "b"])
        let error = try #require(farm.outcome()?.error)
        #expect(error.code == .auditDisagrees)
        #expect(error.reason.contains("a (key A), b (key B)") && error.reason.contains("third key"))
    }

    @Test func whereNoTwoAgreeTheJobFailsAtOnce() throws {
        var farm = farm()
        for name in ["a", "b", "c"] { farm.register(name, key: name) }
        for (number, name) in ["a", "b", "c"].enumerated() { try make(&farm, name, UInt8(number)) }
        #expect(farm.outcome()?.error?.code == .auditDisagrees)
    }

    @Test func workersWithoutKeysAreNotAudited() throws {
        var farm = farm()
        farm.register("a")
        try make(&farm, "a", 1)
        #expect(farm.task(0)?.state == .done)
    }

    @Test func theShareIsThatOfTheSecretAlone() throws {
        let rule = try #require(AuditRule(percent: 5, secret: [1, 2, 3]))
        let picked = (0..<10_000).filter { rule.picks(job: "job", task: $0) }
        // 500 on average, with a standard deviation of 22.
        #expect((380...620).contains(picked.count))
        let same = try #require(AuditRule(percent: 5, secret: [1, 2, 3]))
        #expect(picked == (0..<10_000).filter { same.picks(job: "job", task: $0) })
        let other = try #require(AuditRule(percent: 5, secret: [1, 2, 4]))
        #expect(picked != (0..<10_000).filter { other.picks(job: "job", task: $0) })
        #expect(AuditRule(percent: 0, secret: [1]) == nil)
    }
}
