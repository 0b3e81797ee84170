import Diagnostics
import FarmProtocol
import Scheduling
import Testing

@Suite("Questions about what happened", .timeLimit(.minutes(5)))
struct QuestionTests {
    private func events(
        of job: String, _ client: FakePeer, request: UInt64, _ change: (inout Splitreel_Farm_EventsQuery) -> Void
    ) async throws -> Splitreel_Farm_EventsReport {
        var query = Splitreel_Farm_EventsQuery()
        query.job = job
        change(&query)
        try await client.send(.eventsQuery(query), request: request)
        return try await client.next { if case .eventsReport(let report) = $0 { report } else { nil } }
    }

    @Test func aJobsEventsAreToldInPagesWithTheirTasksAndSlots() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(fixture.request)
        #expect(try await client.watch(job).state == .completed)
        let all = try await events(of: job, client, request: 10) { _ in }
        #expect(!all.more && all.events.first?.text == "submitted" && all.events.last?.text == "ended: completed")
        #expect(all.events.map(\.number) == all.events.map(\.number).sorted())
        // Three chunks and the sound are leased and done.
        let ofTasks = all.events.filter(\.hasTask)
        #expect(ofTasks.count == 8 && ofTasks.allSatisfy { $0.worker == "w/1" } && Set(ofTasks.map(\.task)).count == 4)
        #expect(all.events.allSatisfy { $0.hasTask || $0.worker.isEmpty })
        var paged: [Splitreel_Farm_EventReport] = []
        var more = true
        while more {
            let page = try await events(of: job, client, request: UInt64(100 + paged.count)) {
                $0.after = paged.last?.number ?? 0
                $0.limit = 4
            }
            #expect(page.events.count <= 4 && !page.events.isEmpty)
            paged += page.events
            more = page.more
        }
        #expect(paged == all.events)
        let last = try await events(of: job, client, request: 11) {
            $0.latest = true
            $0.limit = 3
        }
        #expect(last.events == Array(all.events.suffix(3)))
        var query = Splitreel_Farm_EventsQuery()
        query.job = "nobody"
        try await client.send(.eventsQuery(query), request: 12)
        #expect(try await client.problem().error.code == .noSuchJob)
        await fixture.end(slot, client)
    }

    @Test func whatIsNotTakenIsCounted() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        func counters(_ request: UInt64) async throws -> Splitreel_Farm_CountersReport {
            try await client.send(.countersQuery(Splitreel_Farm_CountersQuery()), request: request)
            return try await client.next { if case .countersReport(let report) = $0 { report } else { nil } }
        }
        #expect(try await counters(1) == Splitreel_Farm_CountersReport())
        try await client.send(raw: Array("no message".utf8))
        try await client.send(raw: Array("no message".utf8))
        // An answer is no question.
        try await client.send(.submitted(Splitreel_Farm_Submitted()))
        var expected = Splitreel_Farm_CountersReport()
        expected.malformedMessages = 2
        expected.unknownMessages = 1
        #expect(try await counters(2) == expected)
        await fixture.end(client)
    }
}
