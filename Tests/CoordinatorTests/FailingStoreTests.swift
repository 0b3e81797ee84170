import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Synchronization
import Testing

@Suite("A store whose disk is full", .timeLimit(.minutes(5)))
struct FailingStoreTests {
    @Test func aSubmissionIsRefusedWithTheStoresErrorAndIsNoJob() async throws {
        let store = FaultyStore()
        let fixture = try await Fixture(store: store)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        store.isFull = true
        let error = await #expect(throws: SplitreelError.self) { try await client.submit(fixture.request) }
        #expect(error?.code == .storeFailed && error?.reason.contains("full") == true)
        store.isFull = false
        #expect(try await client.jobs().flatMap { $0 }.isEmpty)
        // Its output is free again, when a thread has let go of it, and nothing of the refused one is ever rendered.
        var accepted: String?
        while accepted == nil {
            do {
                accepted = try await client.submit(fixture.request)
            } catch let error as SplitreelError where error.code == .outputInUse {
                await Task.yield()
            }
        }
        let job = try #require(accepted)
        #expect(try await client.watch(job).state == .completed)
        #expect(try await client.jobs().flatMap { $0 }.map(\.job) == [job])
        #expect(await slot.leases.allSatisfy { $0.holding.job == job })
        await fixture.end(slot, client)
    }

    /// A long composition is stored beside the loop, before its job is.
    @Test func aLongCompositionIsRefusedOrComesToItsPlanning() async throws {
        let store = FaultyStore()
        let long = String(repeating: "\u{20AC}", count: 50_000)
        let seen = Mutex<[String]>([])
        var mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        mediaWork.atPlanningOf = { text in seen.withLock { $0.append(text) } }
        let fixture = try await Fixture(mediaWork: mediaWork, store: store)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        store.isFull = true
        let error = await #expect(throws: SplitreelError.self) {
            try await client.submit(fixture.request, composition: long)
        }
        #expect(error?.code == .storeFailed && fixture.outputNames.isEmpty)
        store.isFull = false
        let job = try await client.submit(fixture.request, composition: long)
        #expect(try await client.watch(job).state == .completed)
        #expect(seen.withLock { $0 } == [long])
        await fixture.end(slot, client)
    }

    /// A cancel of a job that is not there: its answer says that a turn has been tried.
    private static var noJob: Splitreel_Farm_CancelJob {
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = "none"
        return cancel
    }

    /// Lets a slot deliver a chunk of a new job while the disk is full; returns when a turn has been tried.
    private func deliver(
        to fixture: Fixture, filling store: FaultyStore
    ) async throws -> (slot: FakePeer, client: FakePeer, job: String) {
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        store.isFull = true
        try await slot.deliver(lease)
        repeat {
            try await client.send(.cancelJob(Self.noJob), request: 6)
        } while try await client.problem().error.code != .storeFailed
        return (slot, client, job)
    }

    @Test func whatPeersSayMeanwhileWaitsWithinBounds() async throws {
        let store = FaultyStore()
        let fixture = try await Fixture(store: store) { $0.waitingEvents = 6 }
        let (slot, client, _) = try await deliver(to: fixture, filling: store)
        for round in 0..<3 {
            for number in 0..<6 {
                var register = Splitreel_Farm_Register()
                (register.slot, register.worker) = ("\(round)/\(number)", "other")
                register.rendererVersion = UInt32(RenderPlan.currentRendererVersion)
                try await client.send(.register(register))
            }
            // Its answer says that a turn has been tried after them.
            try await client.send(.cancelJob(Self.noJob), request: 7)
            #expect(try await client.problem().error.code == .storeFailed)
        }
        store.isFull = false
        _ = try await slot.next { if case .acknowledged(let answer) = $0 { answer.accepted } else { nil } }
        try await client.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 8)
        let report = try await client.next { if case .workersReport(let report) = $0 { report } else { nil } }
        #expect(report.workers.first { $0.name == "other" }?.slots ?? 0 <= 6)
        await fixture.end(slot, client)
    }

    /// Twenty messages of more than 1000 bytes each where 10,000 bytes may wait: eleven at least are dropped.
    @Test func whatWaitsIsBoundedByItsBytesToo() async throws {
        let store = FaultyStore()
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false), store: store) {
            $0.waitingEventBytes = 10_000
        }
        let (slot, client, job) = try await deliver(to: fixture, filling: store)
        for number in 0..<20 {
            var ended = Splitreel_Farm_SlotEnded()
            (ended.slot, ended.reason) = ("other/\(number)", String(repeating: "r", count: 1000))
            try await client.send(.slotEnded(ended))
        }
        try await client.send(.countersQuery(Splitreel_Farm_CountersQuery()), request: 7)
        let counters = try await client.next { if case .countersReport(let report) = $0 { report } else { nil } }
        #expect(counters.droppedEvents >= 11 && counters.droppedEvents <= 20)
        #expect(counters.takesNoJobs.hasPrefix("the job store fails: "), "\(counters.takesNoJobs)")
        store.isFull = false
        #expect(try await client.watch(job).state == .completed)
        try await client.send(.countersQuery(Splitreel_Farm_CountersQuery()), request: 8)
        let later = try await client.next { if case .countersReport(let report) = $0 { report } else { nil } }
        #expect(later.takesNoJobs.isEmpty)
        await fixture.end(slot, client)
    }

    /// Whoever only asks or watches hears for what the job waits, and since when; a request is refused with the store's
    /// error. The job goes on afterwards.
    @Test func whoeverAsksMeanwhileHearsWhatTheJobWaitsFor() async throws {
        let store = FaultyStore()
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false), store: store) {
            $0.reportInterval = .milliseconds(10)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        let watcher = try await FakePeer(fixture.endpoint)
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        var query = Splitreel_Farm_JobQuery()
        (query.job, query.watch) = (job, true)
        try await watcher.send(.jobQuery(query), request: 8)
        store.isFull = true
        // Its commit cannot be stored, so that nothing goes on.
        try await slot.deliver(lease)
        let told = try await watcher.next {
            if case .jobReport(let report) = $0, report.hasDelayProblem { report } else { nil }
        }
        #expect(told.delayedWork == "storing" && told.delayProblem.error.code == .storeFailed)
        #expect(told.delayedSince >= told.submitted && told.state != .completed)
        query.watch = false
        try await client.send(.jobQuery(query), request: 9)
        let answer = try await client.next { if case .jobReport(let report) = $0 { report } else { nil } }
        #expect(answer.delayedWork == "storing" && answer.delayedSince == told.delayedSince)
        let listed = try await client.jobs().flatMap { $0 }.first { $0.job == job }
        #expect(listed?.delayedWork == "storing")
        try await client.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 10)
        let workers = try await client.next { if case .workersReport(let report) = $0 { report.workers } else { nil } }
        #expect(workers.map(\.name) == ["w"])
        let refused = await #expect(throws: SplitreelError.self) { try await client.submit(fixture.request) }
        #expect(refused?.code == .storeFailed || refused?.code == .outputInUse)
        store.isFull = false
        let accepted = try await slot.next { if case .acknowledged(let answer) = $0 { answer.accepted } else { nil } }
        #expect(accepted)
        let end = try await client.watch(job)
        #expect(end.state == .completed && !end.hasDelayProblem)
        await fixture.end(slot, client, watcher)
    }
}
