import Diagnostics
import Foundation
import GRDB
import Hashing
import JobStore
import Scheduling
import Testing

@Suite struct JobStoreTests {
    private let clock = WallClock(origin: 1_700_000_000)
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "splitreel-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder + "/jobs.sqlite" }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// A planning thread reads a composition while the coordinator stops.
    @Test func closesWhileOthersRead() throws {
        defer { remove() }
        let first = try JobStore(path: path)
        try first.apply([at(.submitted(submission("j1")), 0)], clock: clock)
        try first.close()
        for _ in 0..<60 {
            let store = try JobStore(path: path)
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            for _ in 0..<6 {
                Thread.detachNewThread {
                    var code: ErrorCode?
                    begun.signal()
                    while code == nil {
                        do {
                            _ = try store.composition(of: "j1")
                        } catch {
                            code = (error as? SplitreelError)?.code ?? .internalFault
                        }
                    }
                    #expect(code == .storeFailed)
                    ended.signal()
                }
            }
            for _ in 0..<6 { begun.wait() }
            try store.close()
            for _ in 0..<6 { ended.wait() }
            try store.close()
        }
    }

    private func submission(_ id: String) -> JobSubmission {
        JobSubmission(
            id: id, name: "film of \(id)", priority: 3, composition: "{\"ü\":1}", request: "{}", output: "/o/\(id).mov",
            madeFor: "/o/\(id).png", owner: "\(id)@ws7", keyName: "key-\(id)", submitted: 1_700_000_001.5)
    }

    private func plan(_ count: Int) -> JobPlan {
        JobPlan(
            hash: "ab", folder: "/o/.w", frames: count * 10,
            tasks: (0..<count).map {
                var task = TaskSpec(
                    kind: .source, cost: Double($0) + 0.5, firstUnit: $0 * 10, unitCount: 10, label: "chunk \($0)")
                task.needs = [nil, [], [0]][$0 % 3]
                task.leadCost = Double($0) / 4
                task.key = $0 == 0 ? nil : ContentKey(of: Array("\($0)".utf8))
                return task
            }, notices: planNotices, versions: ["libavcodec 59"], encoders: ["libx264"], effects: ["wipe.left 1"],
            runFrames: 25)
    }

    private static func notices(_ reasons: String...) -> NoticeList {
        reasons.reduce(into: NoticeList()) {
            $0.add(Notice(.sourceDamaged, subject: "/in/a.mp4", reason: $1, firstSeconds: 1.5, count: 3))
        }
    }

    private let planNotices = notices("interlaced")

    private func at(_ change: Transition.Change, _ seconds: Int64, _ text: String = "why") -> Transition {
        Transition(change, at: Instant(nanoseconds: seconds * 1_000_000_000), text: Phrase(text))
    }

    @Test func everythingComesBackAfterReopening() throws {
        defer { remove() }
        let lease = LeaseID(high: .max, low: 1)
        let error = SplitreelError(.encodeFailed, operation: "avcodec", subject: "s", reason: "r", hint: "h")
        let row = TaskRow(
            state: .done, epoch: 4, lease: lease, slot: "w/1", worker: "w", tries: 2, losses: 7,
            failedWorkers: ["a", "b"],
            segment: ReportedSegment(
                name: "chunk-1.nut", hash: [0, 255, 7], sources: SourceBytes(needed: 1 << 33, soundFetched: 9)),
            started: Instant(nanoseconds: 5_000_000_000), ended: Instant(nanoseconds: 9_500_000_000), error: error,
            notices: Self.notices("holes"))
        do {
            let store = try JobStore(path: path)
            try store.apply(
                [
                    at(.submitted(submission("x")), 0), at(.planned(job: "x", plan: plan(2)), 1),
                    at(.running(job: "x"), 2), at(.task(job: "x", task: 1, row), 3, "done"),
                    at(.publishing(job: "x", film: "1:2:3"), 4),
                ], clock: clock)
            try store.close()
        }
        let store = try JobStore(path: path)
        let job = try #require(try store.loadUnfinished().first)
        #expect(try store.composition(of: "x") == submission("x").composition)
        var expected = submission("x")
        expected.composition = ""
        #expect(job.submission == expected)
        #expect(job.plan == plan(2))
        #expect(job.started == 1_700_000_002)
        #expect(job.film == "1:2:3")
        #expect(job.ending == nil)
        #expect(job.tasks[0] == RecoveredTask(state: .pending))
        #expect(
            job.tasks[1]
                == RecoveredTask(
                    state: .done, epoch: 4, lease: lease, slot: "w/1", worker: "w", tries: 2, losses: 7,
                    failedWorkers: ["a", "b"], segment: row.segment, started: 1_700_000_005, ended: 1_700_000_009.5,
                    error: error, notices: row.notices))
        let events = try #require(try store.events(of: "x", EventPage(count: 100)))
        #expect(events.map(\.task) == [nil, nil, nil, 1, nil])
        #expect(events[3] == JobEvent(number: 4, task: 1, slot: "w/1", at: 1_700_000_003, text: "done"))
    }

    @Test func furtherOutputsAndWhatTheyAreMadeForStayWithTheJob() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        var several = submission("b")
        several.madeFor = nil
        several.owner = nil
        several.further = ["/o/b.gif", "/o/[b.mkv"]
        try store.apply([at(.submitted(submission("a")), 0), at(.submitted(several), 1)], clock: clock)
        #expect(try store.loadUnfinished().map(\.submission.further) == [[], several.further])
        let listed = try store.page(before: 0, ended: false, count: 9).jobs.map(\.recovered.submission.further)
        #expect(listed == [several.further, []])
        #expect(try store.job("b")?.recovered.submission.further == several.further)
        #expect(try store.loadUnfinished().map(\.submission.madeFor) == ["/o/a.png", nil])
        let known = try store.page(before: 0, ended: false, count: 9).jobs.map(\.recovered.submission.madeFor)
        #expect(known == [nil, "/o/a.png"])
        #expect(try store.loadUnfinished().map(\.submission.owner) == ["a@ws7", nil])
        let owners = try store.page(before: 0, ended: false, count: 9).jobs.map(\.recovered.submission.owner)
        #expect(owners == [nil, "a@ws7"])
        #expect(try store.job("a")?.recovered.submission.owner == "a@ws7")
        #expect(try store.loadUnfinished().map(\.submission.keyName) == ["key-a", "key-b"])
        let keys = try store.page(before: 0, ended: false, count: 9).jobs.map(\.recovered.submission.keyName)
        #expect(keys == ["key-b", "key-a"])
    }

    @Test func eventsComeInPagesOfTheirJob() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        var transitions = [at(.submitted(submission("a")), 0, "0"), at(.submitted(submission("b")), 0, "b")]
        for number in 1..<10 { transitions.append(at(.running(job: number % 3 == 0 ? "b" : "a"), 1, "\(number)")) }
        try store.apply(transitions, clock: clock)
        func texts(_ page: EventPage) throws -> [Phrase]? { try store.events(of: "a", page)?.map(\.text) }
        #expect(try texts(EventPage(count: 3)) == ["0", "1", "2"])
        let third = try #require(try store.events(of: "a", EventPage(count: 3))?.last)
        #expect(try texts(EventPage(after: third.number, count: 3)) == ["4", "5", "7"])
        #expect(try texts(EventPage(count: 2, isLatest: true)) == ["7", "8"])
        #expect(try texts(EventPage(after: third.number, count: 100, isLatest: true)) == ["4", "5", "7", "8"])
        #expect(try texts(EventPage(after: .max, count: 3)) == [])
        #expect(try store.events(of: "nobody", EventPage(count: 3)) == nil)
        // A letter and its marks are one character of any size.
        try store.apply([at(.running(job: "a"), 2, "e" + String(repeating: "\u{301}", count: 5000))], clock: clock)
        let last = try #require(try store.events(of: "a", EventPage(count: 1, isLatest: true))?.first)
        let text = last.text.description
        #expect(text.utf8.count <= 510 && text.utf8.first == UInt8(ascii: "e"))
        // Settings stay settings, in texts that are stored whole.
        let named: Phrase = "failed: \(.crf, 60)"
        let long: Phrase = "\(String(repeating: "x", count: 3000)) \(.crf)"
        for text in [named, long] {
            try store.apply([Transition(.running(job: "a"), at: Instant(nanoseconds: 0), text: text)], clock: clock)
        }
        let kept = try #require(try texts(EventPage(count: 2, isLatest: true)))
        #expect(kept[0] == named && !kept[1].namesSettings && kept[1].hasPrefix("xxx"))
    }

    /// A coordinator of a later release wrote to the store, and this one came back.
    @Test func eventsOfALaterReleaseKeepTheirWords() throws {
        defer { remove() }
        let first = try JobStore(path: path)
        try first.apply([at(.submitted(submission("a")), 0, "named"), at(.running(job: "a"), 1, "told")], clock: clock)
        try first.close()
        let phrases = ["named": #"[{"setting":{"_0":{"setting":"colour"}}}]"#, "told": #"{"later":"x"}"#]
        try DatabaseQueue(path: path).write { database in
            for (text, phrase) in phrases {
                try database.execute(
                    sql: "UPDATE events SET phrase = ? WHERE text = ?", arguments: [phrase, text])
            }
        }
        let events = try JobStore(path: path).events(of: "a", EventPage(count: 9))
        #expect(events?.map(\.text) == ["colour", "told"])
    }

    /// The notices of planning and of every committed task stay, equal ones counted, with the tasks read or not.
    @Test func whatAPersonShouldKnowStaysWithTheJob() throws {
        defer { remove() }
        func row(_ state: TaskState, _ notices: NoticeList) -> TaskRow {
            TaskRow(
                state: state, epoch: 1, lease: nil, slot: "", worker: "", tries: 0, losses: 0, failedWorkers: [],
                segment: nil, started: nil, ended: nil, error: nil, notices: notices)
        }
        do {
            let store = try JobStore(path: path)
            try store.apply(
                [
                    at(.submitted(submission("x")), 0), at(.planned(job: "x", plan: plan(3)), 1),
                    at(.task(job: "x", task: 0, row(.done, Self.notices("holes"))), 2),
                    at(.task(job: "x", task: 2, row(.done, Self.notices("holes", "noise"))), 3),
                    at(.task(job: "x", task: 1, row(.pending, NoticeList())), 4), at(.ended(job: "x", .completed), 5),
                ], clock: clock)
            try store.close()
        }
        let store = try JobStore(path: path)
        for stored in [
            try #require(try store.job("x")),
            try #require(try store.page(before: 0, ended: false, count: 1).jobs.first),
        ] {
            #expect(stored.notices.notices.map(\.reason) == ["interlaced", "holes", "noise"])
            #expect(stored.notices.notices.map(\.count) == [3, 6, 3])
        }
    }

    @Test func endedJobsAreHistoryAndNotTakenUp() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        let error = SplitreelError(
            .mediaNotFound, operation: "open", subject: "clip", reason: "gone", hint: "say \(.crf, 20)")
        try store.apply(
            [
                at(.submitted(submission("a")), 0), at(.submitted(submission("b")), 1),
                at(.submitted(submission("c")), 2), at(.ending(job: "a", .failed(error)), 3),
                at(.ended(job: "a", .failed(error)), 4), at(.ending(job: "b", .cancelled), 5),
            ], clock: clock)
        let unfinished = try store.loadUnfinished()
        #expect(unfinished.map(\.submission.id) == ["b", "c"])
        #expect(unfinished.map(\.ending) == [.cancelled, nil])
        let history = try store.page(before: 0, ended: false, count: 10).jobs
        #expect(history.map(\.recovered.submission.id) == ["c", "b", "a"])
        #expect(history.map(\.state) == [.waiting, .waiting, .failed])
        #expect(history.last?.outcome == .failed(error))
        #expect(history.last?.ended == 1_700_000_004)
        #expect(try store.job("a")?.state == .failed)
        #expect(try store.job("nobody") == nil)
    }

    @Test func theWorkThatWasDoneStaysWithAnEndedJob() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        var work = WorkDone(frames: 40, framesDone: 27, chunks: 4, chunksDone: 2)
        work.sources = SourceBytes(needed: 1 << 40, fetched: 7, soundNeeded: 0, soundFetched: 9)
        try store.apply(
            [
                at(.submitted(submission("a")), 0), at(.planned(job: "a", plan: plan(4)), 1),
                at(.ending(job: "a", .cancelled), 2), at(.ended(job: "a", .cancelled, work), 3),
                at(.submitted(submission("b")), 4),
            ], clock: clock)
        let jobs = try store.page(before: 0, ended: false, count: 9).jobs
        #expect(jobs.map(\.work) == [nil, work] && jobs.map(\.recovered.submission.id) == ["b", "a"])
        #expect(try store.job("a")?.work == work)
        try store.apply([at(.retried(job: "a"), 5)], clock: clock)
        #expect(try store.job("a")?.work == nil)
    }

    /// The store holds a retried job as the brain goes on with it: what is done stays done, no failure counts.
    @Test func aRetriedJobIsAsTheBrainHasIt() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        let error = SplitreelError(.diskFull, operation: "stitching", subject: "/o/x.mov", reason: "no space left")
        func row(_ state: TaskState) -> TaskRow {
            TaskRow(
                state: state, epoch: 3, lease: LeaseID(high: 1, low: 2), slot: "w/1", worker: "w", tries: 3, losses: 2,
                failedWorkers: ["v"], segment: ReportedSegment(name: "s", hash: [1, 2]), started: .zero, ended: .zero,
                error: error, notices: state == .done ? Self.notices("holes") : NoticeList())
        }
        try store.apply(
            [
                at(.submitted(submission("x")), 0), at(.planned(job: "x", plan: plan(4)), 1),
                at(.running(job: "x"), 2), at(.task(job: "x", task: 0, row(.done)), 3),
                at(.task(job: "x", task: 1, row(.failed)), 3), at(.task(job: "x", task: 2, row(.leased)), 3),
                at(.publishing(job: "x", film: "1:2"), 4), at(.ending(job: "x", .failed(error)), 5),
                at(.kept(job: "x", bytes: 12), 6), at(.ended(job: "x", .failed(error)), 6),
            ], clock: clock)
        var expected = try #require(try store.job("x")?.recovered).retried
        try store.apply([at(.retried(job: "x"), 7)], clock: clock)
        let retried = try #require(try store.loadUnfinished().first)
        expected.submission.composition = ""
        #expect(retried == expected)
        #expect(retried.tasks.map(\.state) == [.done, .pending, .pending, .pending])
        #expect(retried.tasks.map(\.epoch) == [3, 3, 3, 0] && retried.tasks.map(\.tries) == [0, 0, 0, 0])
        #expect(retried.ending == nil && retried.film == nil && retried.started == 0)
        #expect(try store.loadKept().isEmpty && store.job("x")?.ended == 0)
        #expect(try store.composition(of: "x") == submission("x").composition)
    }

    @Test func oneBadTransitionUndoesAllOfItsCommit() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        let thrown = #expect(throws: SplitreelError.self) {
            try store.apply(
                [at(.submitted(submission("a")), 0), at(.submitted(submission("a")), 1)], clock: clock)
        }
        #expect(thrown?.code == .storeFailed)
        #expect(try store.loadUnfinished().isEmpty)
        #expect(try store.events(of: "a", EventPage(count: 1)) == nil)
        // An event of a job that is not there breaks the foreign key.
        #expect(throws: SplitreelError.self) { try store.apply([at(.running(job: "nobody"), 0)], clock: clock) }
    }

    @Test func durabilityIsNotLowered() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        #expect(try store.pragma("journal_mode") == "wal")
        #expect(try store.pragma("synchronous") == "2")
        #expect(try store.pragma("foreign_keys") == "1")
    }

    @Test func aFileThatIsNoDatabaseIsRefusedReadably() throws {
        defer { remove() }
        try Data("this is not a database, but it is long enough to be one".utf8)
            .write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: SplitreelError.self) { try JobStore(path: path) }
        #expect(error?.code == .storeFailed)
        #expect(error?.subject.description == path)
        #expect(error?.reason.isEmpty == false)
        #expect(throws: SplitreelError.self) { try JobStore(path: folder + "/none/jobs.sqlite") }
    }

    @Test func planningAgainReplacesTheOldTasks() throws {
        defer { remove() }
        let store = try JobStore(path: path)
        try store.apply(
            [
                at(.submitted(submission("a")), 0), at(.planned(job: "a", plan: plan(5)), 1),
                at(.planned(job: "a", plan: plan(2)), 2),
            ], clock: clock)
        #expect(try store.loadUnfinished().first?.tasks.count == 2)
    }
}
