import Diagnostics
import FarmProtocol
import Planning
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

    @Test func whoWatchesAllJobsIsToldOfEach() async throws {
        let fixture = try await Fixture()
        let (slot, watcher, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        func changes(_ pick: @Sendable (Splitreel_Farm_JobsChanged) -> Bool) async throws -> Splitreel_Farm_JobsChanged
        {
            try await watcher.next {
                if case .jobsChanged(let news) = $0, pick(news) { news } else { nil }
            }
        }
        for isFirst in [true, false] {
            try await watcher.send(.watchJobs(Splitreel_Farm_WatchJobs()), request: 5)
            let answer = try await changes { _ in true }
            #expect(answer.begins == isFirst && answer.jobs.isEmpty)
        }
        let first = try await client.submit(fixture.request)
        _ = try await changes { $0.jobs.contains { $0.job == first && $0.state == .waiting } }
        let second = try await client.submit(OutputRequest(path: fixture.folder + "/out/other.mkv"))
        try await slot.register("w/1", worker: "w")
        for job in [first, second] {
            let end = try await changes { $0.jobs.map(\.job) == [job] && $0.jobs[0].isTerminal }
            #expect(end.jobs[0].state == .completed && end.jobs[0].chunks.isEmpty && !end.begins)
        }
        await fixture.end(slot, watcher, client)
    }

    @Test func watchersOfAllJobsAreBoundedAndThoseWhoLeaveMakeRoom() async throws {
        let fixture = try await Fixture { $0.watchers = 1 }
        let (first, second) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        @Sendable func isTaken(_ peer: FakePeer) async throws -> Bool {
            try await peer.send(.watchJobs(Splitreel_Farm_WatchJobs()), request: 5)
            return try await peer.next { body in
                switch body {
                case .jobsChanged: true
                case .refused(let refused): refused.problem.error.code == .refused ? false : nil
                default: nil
                }
            }
        }
        #expect(try await isTaken(first))
        #expect(try await isTaken(second) == false)
        await first.end()
        while try await isTaken(second) == false { await Task.yield() }
        await fixture.end(second)
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
