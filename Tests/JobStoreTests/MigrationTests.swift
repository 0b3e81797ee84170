import Diagnostics
import Foundation
import GRDB
import JobStore
import Outputs
import Planning
import Scheduling
import SplitreelProject
import Testing

@Suite("Stores of earlier releases") struct MigrationTests {
    private let clock = WallClock(origin: 1_700_000_000)
    private let path = NSTemporaryDirectory() + "splitreel-migration-\(UUID().uuidString).sqlite"

    private func remove() {
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }

    private func at(_ change: Transition.Change) -> Transition {
        Transition(change, at: Instant(nanoseconds: 1_000_000_000), text: "why")
    }

    /// A job as it was stored before requests had groups.
    private func submission(_ id: String, _ request: String, further: [String] = []) -> JobSubmission {
        JobSubmission(
            id: id, name: id, priority: 50, composition: "{}", request: request, output: "/o/\(id).mkv",
            further: further, submitted: 1_700_000_000)
    }

    private let flat = #"{"path":"/o/x.mkv","videoCodec":"ffv1","overwrite":true,"startNumber":7}"#

    private func jobs(_ transitions: [Transition]) throws -> [RecoveredJob] {
        let earlier = try JobStore(path: path, upTo: "made for")
        try earlier.apply(transitions, clock: clock)
        try earlier.close()
        let store = try JobStore(path: path)
        defer { try? store.close() }
        return try store.loadUnfinished()
    }

    @Test func unfinishedJobEndsInWords() throws {
        defer { remove() }
        let job = try #require(try jobs([at(.submitted(submission("a", flat)))]).first)
        guard case .failed(let error)? = job.ending else {
            Issue.record("it goes on: \(String(describing: job.ending))")
            return
        }
        #expect(error.code == .versionMismatch && error.hint == "submit the composition again")
        #expect(error.subject == "a" && error.reason.contains("an earlier release"))
    }

    @Test func endedJobStaysAsItWas() throws {
        defer { remove() }
        let unfinished = try jobs([
            at(.submitted(submission("a", flat))), at(.ending(job: "a", .completed)),
            at(.ended(job: "a", .completed)),
        ])
        #expect(unfinished.isEmpty)
        let store = try JobStore(path: path)
        defer { try? store.close() }
        let job = try #require(try store.job("a"))
        #expect(job.state == .completed && job.outcome == .completed)
    }

    @Test func aJobOfBeforeIsMadeForNothingElse() throws {
        defer { remove() }
        let earlier = try JobStore(path: path, upTo: "event phrases")
        try earlier.close()
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(
                sql: """
                    INSERT INTO jobs (id, name, priority, composition, request, output, further, submitted, state)
                    VALUES ('a', 'sheet.png', 50, '{}', '[]', '/o/.sheet.png.splitreel-abcdefgh/frames.mov', '[]', 1, \
                    'waiting')
                    """)
        }
        try queue.close()
        let store = try JobStore(path: path)
        defer { try? store.close() }
        let submission = try #require(try store.loadUnfinished().first?.submission)
        #expect(submission.name == "sheet.png" && submission.madeFor == nil && submission.owner == nil)
    }

    @Test func outcomeThatWasDecidedStands() throws {
        defer { remove() }
        let job = try #require(
            try jobs([at(.submitted(submission("a", flat))), at(.ending(job: "a", .cancelled))]).first)
        #expect(job.ending == .cancelled)
    }

    /// Only its films have to be moved, and for that their places are enough.
    @Test func filmThatStandsIsFinished() throws {
        defer { remove() }
        let requests = """
            [\(flat), {"path": "/o/b.m3u8", "overwrite": false, "streamPath": "/o/b.m3u8",
            "stream": {"kind": "master", "interval": "6s", "members": [{"name": "b-1.mp4", "output": 0}]}}]
            """
        let transitions = [
            at(.submitted(submission("a", requests, further: ["/o/b.m3u8"]))), at(.publishing(job: "a", film: "1:2:3")),
        ]
        let job = try #require(try jobs(transitions).first)
        #expect(job.ending == nil && job.film == "1:2:3")
        var expected = ["/o/a.mkv", "/o/b.m3u8"].map { OutputRequest(path: $0) }
        expected[0].overwrite = true
        expected[0].stills.startNumber = 7
        let document = StreamDocument(kind: .master, members: [.init(name: "b-1.mp4")], interval: "6s")
        expected[1].streamPart = StreamPart(of: "/o/b.m3u8", .document(document))
        #expect(try [OutputRequest](requestText: job.submission.request) == expected)
    }

    @Test func storeOfALaterReleaseIsRefused() throws {
        defer { remove() }
        try JobStore(path: path).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later release')") }
        try queue.close()
        let error = #expect(throws: SplitreelError.self) { _ = try JobStore(path: path) }
        #expect(error?.code == .storeFailed && error?.subject == Phrase(path))
        #expect(error?.reason.contains("a later release") == true && error?.hint.isEmpty == false)
    }

    /// One row with a word of another release is the fault of its job alone.
    @Test(arguments: [
        "UPDATE tasks SET state = 'thinking' WHERE job = 'a'", "UPDATE jobs SET state = 'dreaming' WHERE id = 'a'",
        "UPDATE jobs SET effects = 'no list' WHERE id = 'a'",
        "UPDATE tasks SET epoch = 9223372036854775807 WHERE job = 'a'", "UPDATE tasks SET epoch = -1 WHERE job = 'a'",
        "UPDATE tasks SET tries = 9223372036854775807 WHERE job = 'a'",
        "UPDATE tasks SET losses = 9223372036854775807 WHERE job = 'a'",
        "UPDATE tasks SET first_unit = 9223372036854775807 WHERE job = 'a'",
        "UPDATE tasks SET unit_count = 9223372036854775807 WHERE job = 'a'",
        "UPDATE tasks SET unit_count = -9223372036854775807 WHERE job = 'a'",
        "UPDATE tasks SET cost = 9e999 WHERE job = 'a'", "UPDATE tasks SET lead_cost = -1 WHERE job = 'a'",
        "UPDATE tasks SET started = 1e300 WHERE job = 'a'",
        "UPDATE jobs SET started = -9e999 WHERE id = 'a'", "UPDATE jobs SET frames = -1 WHERE id = 'a'",
    ])
    func jobThatCannotBeReadStopsNoOther(sql: String) throws {
        defer { remove() }
        let store = try JobStore(path: path)
        var plan = JobPlan(hash: "00", folder: "/o/.w", frames: 10, tasks: [])
        plan.tasks = [TaskSpec(kind: .source, cost: 1, firstUnit: 0, unitCount: 10, label: "chunk 0")]
        for id in ["a", "b"] {
            try store.apply([at(.submitted(submission(id, "[]"))), at(.planned(job: id, plan: plan))], clock: clock)
        }
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
        let jobs = try store.loadUnfinished()
        #expect(jobs.map(\.submission.id) == ["a", "b"] && jobs.map { $0.fault != nil } == [true, false])
        #expect(
            jobs[0].fault?.code == .storeFailed && jobs[0].submission.output == "/o/a.mkv" && jobs[1].tasks.count == 1)
        #expect(try store.page(before: 0, ended: false, count: 9).jobs.map(\.recovered.submission.id) == ["b", "a"])
        #expect(try store.job("a")?.recovered.fault != nil)
        try store.apply([at(.ended(job: "a", .cancelled))], clock: clock)
        #expect(try store.loadUnfinished().map(\.submission.id) == ["b"])
        #expect(try store.job("a")?.state == .cancelled)
        try store.close()
    }

    @Test func requestThatCannotBeReadHasItsPlaceAllTheSame() throws {
        defer { remove() }
        let job = try #require(try jobs([at(.submitted(submission("a", "no request")))]).first)
        #expect(job.submission.request.contains("a.mkv") && job.ending != nil)
    }
}
