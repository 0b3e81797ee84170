import Coordinator
import FarmProtocol
import Foundation
import Testing

@Suite("What workers tell of their machines", .timeLimit(.minutes(5)))
struct MachineFactsTests {
    private func facts(fonts: [String]) -> Splitreel_Farm_WorkerFacts {
        var facts = Splitreel_Farm_WorkerFacts()
        facts.roots = ["/srv/media"]
        facts.maps = ["/mnt=/srv/media"]
        facts.opensPaths = true
        facts.data = "/var/lib/w"
        facts.fonts = fonts
        return facts
    }

    /// The first report of the workers with which `isEnough` is content.
    private func workers(
        _ client: FakePeer, facts: Bool = true, _ isEnough: ([Splitreel_Farm_WorkerReport]) -> Bool
    ) async throws -> [Splitreel_Farm_WorkerReport] {
        var query = Splitreel_Farm_WorkersQuery()
        query.facts = facts
        while true {
            try await client.send(.workersQuery(query), request: 9)
            let found = try await client.next {
                if case .workersReport(let report) = $0 { report.workers } else { nil }
            }
            if isEnough(found) { return found }
        }
    }

    @Test func workersAreToldWithTheirMachines() async throws {
        let fixture = try await Fixture()
        let (rich, poor, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        var beat = Splitreel_Farm_Heartbeat()
        beat.diskFree = 5_000_000_000
        beat.linkRate = 6_000_000
        beat.waiting = 2
        await rich.tellMachine(beat, ahead: 100)
        try await rich.register("rich/1", worker: "rich", facts: facts(fonts: ["Sans.ttf", "Serif.ttf"]))
        try await poor.register("poor/1", worker: "poor", facts: facts(fonts: ["Sans.ttf"]))
        let found = try await workers(client) { workers in
            workers.count == 2 && workers[1].processes.first?.facts.hasClockOffset == true
        }
        let told = try #require(found.last?.processes.first?.facts)
        #expect(told.roots == ["/srv/media"] && told.maps == ["/mnt=/srv/media"] && told.data == "/var/lib/w")
        #expect(told.opensPaths && told.lacks.isEmpty && told.waiting == 2)
        #expect(told.diskFree == 5_000_000_000 && told.linkRate == 6_000_000)
        // A heartbeat may be under way for a while.
        #expect(told.clockOffset > 80 && told.clockOffset < 101)
        let lack = try #require(found.first?.processes.first?.facts.lacks.first)
        #expect(lack.kind == .fonts && lack.names == ["Serif.ttf"] && lack.count == 1)
        let plain = try await workers(client, facts: false) { !$0.isEmpty }
        #expect(plain.allSatisfy { worker in worker.processes.allSatisfy { !$0.hasFacts } })
        await fixture.end(rich, poor, client)
    }

    @Test func aPeerMayTellAnything() async throws {
        let fixture = try await Fixture()
        let (peer, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        var facts = facts(fonts: (0..<5000).map { "font \($0)" })
        facts.roots = (0..<300).map { "/" + String(repeating: "r", count: 1000) + "\($0)" }
        facts.maps = facts.roots
        facts.data = String(repeating: "d", count: 5000)
        var beat = Splitreel_Farm_Heartbeat()
        beat.diskFree = .max
        beat.linkRate = .nan
        beat.waiting = .max
        await peer.tellMachine(beat, ahead: .infinity)
        try await peer.register("w/1", worker: "w", facts: facts)
        let found = try await workers(client) { $0.first?.processes.first?.facts.hasDiskFree == true }
        let told = try #require(found.first?.processes.first?.facts)
        #expect(told.roots.count == 8 && told.maps.count == 8)
        #expect((told.roots + told.maps + [told.data]).allSatisfy { $0.utf8.count <= 256 })
        #expect(!told.hasClockOffset && told.linkRate == 0 && told.lacks.isEmpty)
        #expect(told.diskFree == UInt64(Int64.max))
        await fixture.end(peer, client)
    }
}
