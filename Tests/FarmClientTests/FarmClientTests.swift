import Diagnostics
import FarmClient
import FarmProtocol
import Reports
import Scheduling
import Testing

@Suite("Farm client", .timeLimit(.minutes(5)))
struct FarmClientTests {
    @Test("silence ends in an error that names the endpoint, after the limit")
    func silence() async throws {
        let fake = try FakeCoordinator { _, _ in [] }
        let endpoint = try await fake.start()
        do {
            let target = endpoint
            let client = try FarmClient(endpoint: target, timeout: .milliseconds(300))
            let started = ContinuousClock.now
            await #expect { try await client.jobs() } throws: { error in
                let error = error as? SplitreelError
                return error?.code == .coordinatorUnreachable && error?.description.contains(target) == true
            }
            let passed = ContinuousClock.now - started
            #expect(passed >= .milliseconds(300) && passed < .seconds(60))
            client.close()
        }
        await fake.end()
    }

    @Test("where nobody listens on this machine it is known at once, whatever the limit")
    func refusedConnection() async throws {
        for target in ["tcp://127.0.0.1:9", "tcp://localhost:9", "ipc:///tmp/splitreel-nobody"] {
            let client = try FarmClient(endpoint: target, timeout: .seconds(600))
            let started = ContinuousClock.now
            await #expect { try await client.jobs() } throws: { error in
                let error = error as? SplitreelError
                return error?.code == .coordinatorUnreachable && error?.description.contains(target) == true
            }
            await #expect(throws: SplitreelError.self) { for try await _ in client.watch("a") {} }
            #expect(ContinuousClock.now - started < .seconds(60))
            client.close()
        }
    }

    @Test("a retry and a prune say which jobs they mean, and hear what became of them")
    func retryAndPrune() async throws {
        let fake = try FakeCoordinator { envelope, _ in
            switch envelope.body {
            case .retryJob(let message):
                return [Splitreel_Farm_Envelope(.jobReport(report(message.job, .waiting)), request: envelope.request)]
            case .pruneJobs(let message):
                var pruned = Splitreel_Farm_JobsPruned()
                pruned.jobs = message.jobs.isEmpty ? ["all"] : message.jobs
                pruned.bytes = 12
                return [Splitreel_Farm_Envelope(.jobsPruned(pruned), request: envelope.request)]
            default: return []
            }
        }
        let client = try FarmClient(endpoint: try await fake.start())
        let retried = try await client.retry("j1")
        #expect(retried.job == "j1" && retried.state.value == .waiting)
        #expect(try await client.prune(["a", "b"]) == PruneReport(jobs: ["a", "b"], bytes: 12))
        #expect(try await client.prune().jobs == ["all"])
        client.close()
        await fake.end()
    }

    @Test("the list of jobs is asked for page after page, and a job in two pages is listed once")
    func jobPages() async throws {
        @Sendable func page(_ jobs: [Splitreel_Farm_JobReport], _ next: UInt64, ended: Bool)
            -> Splitreel_Farm_JobsReport
        {
            var report = Splitreel_Farm_JobsReport()
            (report.jobs, report.next, report.nextEnded) = (jobs, next, ended)
            return report
        }
        let fake = try FakeCoordinator { envelope, _ in
            let answer =
                switch (envelope.jobsQuery.before, envelope.jobsQuery.ended) {
                case (0, false): page([report("low", .running), report("a", .running)], 7, ended: false)
                case (7, false): page([report("a", .completed), report("b", .failed)], 5, ended: true)
                default: page([report("c", .cancelled)], 0, ended: false)
                }
            return [Splitreel_Farm_Envelope(.jobsReport(answer), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        #expect(try await client.jobs().map(\.job) == ["low", "a", "b", "c"])
        client.close()
        await fake.end()
    }

    @Test("films of more bytes than any store has are refused before they are summed")
    func filmSizes() async throws {
        let most: UInt64 = 1 << 50
        let lists: [[UInt64]] = [[most, 0], [most, 1], [UInt64(Int64.max)], [UInt64.max, UInt64.max]]
        let fake = try FakeCoordinator { envelope, before in
            var report = Splitreel_Farm_FilmsReport()
            report.films = lists[min(before, lists.count - 1)].enumerated().map { index, size in
                var film = Splitreel_Farm_FilmFile()
                film.path = "/films/\(index).mp4"
                film.size = size
                return film
            }
            return [Splitreel_Farm_Envelope(.filmsReport(report), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        #expect(try await client.films(of: "a").films.map(\.size) == [1 << 50, 0])
        for _ in lists.dropFirst() {
            await #expect { try await client.films(of: "a") } throws: { error in
                (error as? SplitreelError)?.code == .malformedMessage
            }
        }
        client.close()
        await fake.end()
    }

    @Test("an endpoint with bad syntax is a usage error at once")
    func badEndpoint() {
        #expect { try FarmClient(endpoint: "localhost") } throws: { ($0 as? SplitreelError)?.code == .usage }
    }

    @Test("answers reach the one who asked, in whatever order they come")
    func answersByRequest() async throws {
        // Holds the first question's answer back until the second has come.
        let fake = try FakeCoordinator { envelope, before in
            let mine = Splitreel_Farm_Envelope(
                .jobReport(report(envelope.jobQuery.job, .running)), request: envelope.request)
            if before == 0 { return [] }
            let other = envelope.jobQuery.job == "a" ? "b" : "a"
            return [
                mine,
                Splitreel_Farm_Envelope(
                    .jobReport(report(other, .running)), request: envelope.request == 1 ? 2 : 1),
            ]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        async let first = client.job("a")
        async let second = client.job("b")
        #expect(try await first.job == "a")
        #expect(try await second.job == "b")
        client.close()
        await fake.end()
    }

    @Test("a job's chunks are asked for page after page")
    func pages() async throws {
        let fake = try FakeCoordinator { envelope, _ in
            let first = envelope.jobQuery.firstChunk
            #expect(envelope.jobQuery.withChunks)
            var page = report("a", .running)
            page.taskCount = 5
            page.chunks = (first..<min(first + 2, 5)).map { index in
                var chunk = Splitreel_Farm_ChunkReport()
                chunk.index = index
                return chunk
            }
            return [Splitreel_Farm_Envelope(.jobReport(page), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        #expect(try await client.job("a").chunks.map(\.index) == [0, 1, 2, 3, 4])
        client.close()
        await fake.end()
    }

    @Test("the last events of a job are asked for by number, and come with what is known of each")
    func lastEvents() async throws {
        let fake = try FakeCoordinator { envelope, _ in
            let query = envelope.eventsQuery
            #expect(query.job == "a" && query.latest && query.limit == 7 && query.after == 0)
            var (whole, ofTask) = (Splitreel_Farm_EventReport(), Splitreel_Farm_EventReport())
            whole.at = 1.5
            whole.text = "failed: crf 60"
            whole.phrase = Splitreel_Farm_Phrase("failed: \(.crf, 60)")
            ofTask.task = 0
            ofTask.worker = "w/1"
            var report = Splitreel_Farm_EventsReport()
            report.events = [whole, ofTask]
            return [Splitreel_Farm_Envelope(.eventsReport(report), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start(), calling: { "<\($0.rawValue)>" })
        let events = try await client.lastEvents(of: "a", count: 7)
        #expect(
            events == [
                EventReport(at: 1.5, text: "failed: <crf> 60"), EventReport(at: 0, task: 0, worker: "w/1", text: ""),
            ])
        client.close()
        await fake.end()
    }

    @Test("a watch of all jobs goes on under its number, and tells where it begins anew")
    func watchJobs() async throws {
        let fake = try FakeCoordinator { envelope, before in
            guard case .watchJobs? = envelope.body else { return [] }
            var news = Splitreel_Farm_JobsChanged()
            news.begins = before != 1
            if before == 1 { news.jobs = [report("a", .running, done: 1)] }
            return [Splitreel_Farm_Envelope(.jobsChanged(news), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start(), timeout: .seconds(1))
        var seen: [JobsNews] = []
        for try await news in client.watchJobs(patience: .seconds(60)) {
            seen.append(news)
            if seen.count == 3 { break }
        }
        #expect(seen == [.begins, .changed([JobReport(report("a", .running, done: 1))]), .begins])
        #expect(Set(await fake.received.map(\.request)).count == 1)
        client.close()
        await fake.end()
    }

    @Test("a watch of all jobs that is refused ends with the coordinator's error")
    func refusedWatch() async throws {
        let error = SplitreelError(.refused, operation: "watching", subject: "all jobs", reason: "many watch")
        let fake = try FakeCoordinator { envelope, _ in
            var refused = Splitreel_Farm_Refused()
            refused.problem = Splitreel_Farm_Problem(error)
            return [Splitreel_Farm_Envelope(.refused(refused), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        await #expect(throws: error) { for try await _ in client.watchJobs(patience: .zero) {} }
        client.close()
        await fake.end()
    }

    @Test("counters come as the coordinator has them")
    func counters() async throws {
        var counted = Splitreel_Farm_CountersReport()
        counted.malformedMessages = 1
        counted.unknownMessages = 2
        counted.droppedMessages = 3
        counted.droppedEvents = 4
        counted.lateResults = .max
        let report = counted
        let fake = try FakeCoordinator { envelope, _ in
            guard case .countersQuery? = envelope.body else { return [] }
            return [Splitreel_Farm_Envelope(.countersReport(report), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        let counters = try await client.counters()
        #expect(counters == CountersReport(counted))
        #expect([counters.malformedMessages, counters.unknownMessages, counters.droppedMessages] == [1, 2, 3])
        #expect(counters.droppedEvents == 4 && counters.lateResults == .max)
        client.close()
        await fake.end()
    }

    @Test("the coordinator's own error comes out as it was")
    func refused() async throws {
        let error = SplitreelError(
            .noSuchJob, operation: "looking up", subject: "job x", reason: "there is none", hint: "list them")
        let fake = try FakeCoordinator { envelope, _ in
            [Splitreel_Farm_Envelope(.problem(Splitreel_Farm_Problem(error)), request: envelope.request)]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        await #expect(throws: error) { try await client.cancel("x") }
        client.close()
        await fake.end()
    }

    @Test("a coordinator of another major version is told as such")
    func otherMajor() async throws {
        let fake = try FakeCoordinator { envelope, _ in
            var answer = Splitreel_Farm_Envelope(.jobsReport(Splitreel_Farm_JobsReport()), request: envelope.request)
            answer.major = FarmVersion.major + 1
            return [answer]
        }
        let client = try FarmClient(endpoint: try await fake.start())
        await #expect { try await client.jobs() } throws: { ($0 as? SplitreelError)?.code == .versionMismatch }
        client.close()
        await fake.end()
    }

    @Test("a long submit waits beyond the limit while pings are answered, and fails when they are not")
    func longSubmit() async throws {
        // Answers pings, and the submit only with the eighth ping: 8 × 250 ms exceed the limit of 1 s.
        let fake = try FakeCoordinator { envelope, before in
            guard case .workersQuery? = envelope.body else { return [] }
            var answers = [
                Splitreel_Farm_Envelope(.workersReport(Splitreel_Farm_WorkersReport()), request: envelope.request)
            ]
            if before >= 8 {
                var submitted = Splitreel_Farm_Submitted()
                submitted.job = "j9"
                answers.append(Splitreel_Farm_Envelope(.submitted(submitted), request: 1))
            }
            return answers
        }
        let client = try FarmClient(endpoint: try await fake.start(), timeout: .seconds(1))
        let started = ContinuousClock.now
        let answer = try await client.submit(
            composition: "{}", requestJSON: "{}", priority: 3, name: "n", madeFor: "/o/sheet.png",
            owner: "ana@ws7")
        #expect(answer == "j9")
        #expect(ContinuousClock.now - started > .seconds(1))
        let submit = await fake.received[0].submit
        #expect(submit.composition == "{}" && submit.priority == 3 && submit.name == "n")
        #expect(submit.madeFor == "/o/sheet.png" && submit.owner == "ana@ws7")
        await fake.end()
        await #expect { try await client.submit(composition: "", requestJSON: "", priority: 0, name: "") } throws: {
            ($0 as? SplitreelError)?.code == .coordinatorUnreachable
        }
        client.close()
    }

    @Test(
        "a watch streams what changes and ends after the terminal report",
        arguments: [JobState.completed, .failed, .cancelled])
    func watch(_ end: JobState) async throws {
        let fake = try FakeCoordinator { envelope, _ in
            guard envelope.jobQuery.watch else { return [] }
            return [report("j", .running, done: 1), report("j", .running, done: 1), report("j", end, done: 2)].map {
                Splitreel_Farm_Envelope(.jobReport($0), request: envelope.request)
            }
        }
        let client = try FarmClient(endpoint: try await fake.start())
        var seen: [JobReport] = []
        for try await case .report(let report) in client.watch("j") { seen.append(report) }
        #expect(seen == [report("j", .running, done: 1), report("j", end, done: 2)].map { JobReport($0) })
        client.close()
        await fake.end()
    }

    @Test("a watch goes on over a restart of the coordinator")
    func watchOverRestart() async throws {
        let first = try FakeCoordinator { envelope, _ in
            [Splitreel_Farm_Envelope(.jobReport(report("j", .running, done: 1)), request: envelope.request)]
        }
        let endpoint = try await first.start()
        let client = try FarmClient(endpoint: endpoint, timeout: .seconds(3))
        var reports = client.watch("j").makeAsyncIterator()
        #expect(try await reports.next() == .report(JobReport(report("j", .running, done: 1))))
        await first.end()
        guard case .silence(let time)? = try await reports.next() else {
            Issue.record("its silence is not told")
            return
        }
        #expect(time > .seconds(2) && time < .seconds(20))
        let second = try FakeCoordinator { envelope, _ in
            let state = envelope.jobQuery.watch ? JobState.completed : .running
            return [Splitreel_Farm_Envelope(.jobReport(report("j", state, done: 2)), request: envelope.request)]
        }
        _ = try await second.start(endpoint)
        var later: [JobNews] = []
        while let news = try await reports.next() { later.append(news) }
        let back = try #require(later.firstIndex { if case .back(let after) = $0 { after >= time } else { false } })
        #expect(later[..<back].allSatisfy { if case .silence = $0 { true } else { false } })
        #expect(
            later[(back + 1)...] == [
                .report(JobReport(report("j", .running, done: 2))),
                .report(JobReport(report("j", .completed, done: 2))),
            ])
        client.close()
        await second.end()
    }

    @Test("closing fails what waits, and later calls")
    func closing() async throws {
        let fake = try FakeCoordinator { _, _ in [] }
        let client = try FarmClient(endpoint: try await fake.start())
        var reports = client.watch("j").makeAsyncIterator()
        client.close()
        await #expect { _ = try await reports.next() } throws: { ($0 as? SplitreelError)?.code == .cancelled }
        await #expect { try await client.jobs() } throws: { ($0 as? SplitreelError)?.code == .cancelled }
        await fake.end()
    }

    @Test("a composition that does not fit a message goes in parts, and the submission names them")
    func parts() async throws {
        let composition = String(repeating: "0123456789abcdé", count: 150_000)
        let fake = try FakeCoordinator { envelope, _ in
            switch envelope.body {
            case .submitPart(let part):
                var taken = Splitreel_Farm_PartTaken()
                (taken.upload, taken.bytes) = (part.upload, part.offset + UInt64(part.content.count))
                return [Splitreel_Farm_Envelope(.partTaken(taken), request: envelope.request)]
            case .submit:
                var submitted = Splitreel_Farm_Submitted()
                submitted.job = "j"
                return [Splitreel_Farm_Envelope(.submitted(submitted), request: envelope.request)]
            default: return []
            }
        }
        let client = try FarmClient(endpoint: try await fake.start())
        #expect(try await client.submit(composition: composition, requestJSON: "{}", priority: 1, name: "n") == "j")
        let received = await fake.received
        let parts = received.compactMap { if case .submitPart(let part)? = $0.body { part } else { nil } }
        #expect(parts.count > 2 && Set(parts.map(\.upload)).count == 1)
        #expect(String(decoding: parts.flatMap(\.content), as: UTF8.self) == composition)
        let submissions = received.compactMap { if case .submit(let submit)? = $0.body { submit } else { nil } }
        let submit = try #require(submissions.first)
        #expect(submit.composition.isEmpty && submit.upload == parts.first?.upload && submit.upload != 0)
        #expect(submit.compositionBytes == UInt64(composition.utf8.count) && submit.compositionHash.count == 32)
        // One that fits goes whole.
        _ = try await client.submit(composition: "small", requestJSON: "{}", priority: 1, name: "n")
        // Something else may follow it: the client asks after its coordinator.
        let last = await fake.received.last { if case .submit? = $0.body { true } else { false } }
        #expect(last?.submit.composition == "small")
        client.close()
        await fake.end()
    }
}
