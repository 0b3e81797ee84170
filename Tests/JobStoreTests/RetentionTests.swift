import Diagnostics
import Foundation
import JobStore
import Scheduling
import Testing

/// The store of a farm that never rests stays of one size.
@Suite("What the store keeps") struct RetentionTests {
    private let clock = WallClock(origin: 1_700_000_000)
    private let folder = NSTemporaryDirectory() + "splitreel-store-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func store(_ change: (inout Retention) -> Void) throws -> JobStore {
        var retention = Retention()
        change(&retention)
        return try JobStore(path: folder + "/jobs.sqlite", retention: retention)
    }

    private func submission(_ id: String, composition: String = "{}") -> JobSubmission {
        JobSubmission(
            id: id, name: id, priority: 0, composition: composition, request: "{}", output: "/\(id).mov", submitted: 1)
    }

    private func at(_ change: Transition.Change, _ seconds: Int64 = 0, _ text: String = "why") -> Transition {
        Transition(change, at: Instant(nanoseconds: seconds * 1_000_000_000), text: Phrase(text))
    }

    private func plan(_ tasks: Int) -> JobPlan {
        let spec = TaskSpec(kind: .source, cost: 1, firstUnit: 0, unitCount: 1, label: "chunk")
        return JobPlan(hash: "ab", folder: "/w", frames: tasks, tasks: Array(repeating: spec, count: tasks))
    }

    @Test func eventsAreBoundedByTheirCount() throws {
        defer { remove() }
        let store = try store {
            $0.events = 1000
            $0.interval = 100
        }
        try store.apply([at(.submitted(submission("a")))], clock: clock)
        var pages: [Int] = []
        for round in 0..<60 {
            try store.apply(
                (0..<100).map {
                    at(.running(job: "a"), 0, "event \(round * 100 + $0) " + String(repeating: "x", count: 400))
                },
                clock: clock)
            pages.append(try #require(try store.pragma("page_count").flatMap { Int($0) }))
        }
        let events = try #require(try store.events(of: "a", EventPage(count: 10_000)))
        #expect(events.count >= 1000 && events.count <= 1100)
        #expect(events.last?.text.hasPrefix("event 5999 ") == true)
        // It grows to a size and stays there.
        #expect(pages[59] - pages[19] <= pages[19] / 10, "\(pages)")
    }

    @Test func eventsAreBoundedByTheirAge() throws {
        defer { remove() }
        let store = try store {
            $0.eventDays = 1
            $0.interval = 1
        }
        try store.apply([at(.submitted(submission("a")), 0, "old")], clock: clock)
        try store.apply([at(.running(job: "a"), 86_300, "new")], clock: clock)
        #expect(try store.events(of: "a", EventPage(count: 9))?.map(\.text) == ["old", "new"])
        try store.apply([at(.stitching(job: "a"), 86_500, "newer")], clock: clock)
        #expect(try store.events(of: "a", EventPage(count: 9))?.map(\.text) == ["new", "newer"])
    }

    @Test func endedJobsAreBoundedAndUnfinishedOnesStay() throws {
        defer { remove() }
        let store = try store { $0.endedJobs = 3 }
        try store.apply([at(.submitted(submission("first")))], clock: clock)
        for number in 0..<6 {
            try store.apply(
                [at(.submitted(submission("j\(number)"))), at(.ended(job: "j\(number)", .completed))], clock: clock)
        }
        #expect(
            try store.page(before: 0, ended: false, count: 100).jobs.map(\.recovered.submission.id)
                == ["first", "j5", "j4", "j3"])
    }

    @Test func tasksOfEndedJobsAreBoundedAndTheLatestJobStays() throws {
        defer { remove() }
        let store = try store { $0.endedTasks = 10 }
        for (id, tasks) in [("a", 4), ("b", 4), ("c", 4), ("d", 50)] {
            try store.apply(
                [
                    at(.submitted(submission(id))), at(.planned(job: id, plan: plan(tasks))),
                    at(.ended(job: id, .cancelled)),
                ],
                clock: clock)
            if id == "c" { #expect(try store.job("a") == nil && store.job("b") != nil) }
        }
        #expect(try store.page(before: 0, ended: true, count: 100).jobs.map(\.recovered.submission.id) == ["d"])
    }

    /// The past is counted once and kept in step: a job that goes on again is no part of it, a commit that failed is
    /// counted anew, and so is what an earlier life left.
    @Test func thePastIsCountedAsItStands() throws {
        defer { remove() }
        let failed = JobOutcome.failed(
            SplitreelError(.diskFull, operation: "stitching", subject: "/a.mov", reason: "no space left"))
        func end(_ store: JobStore, _ id: String, _ tasks: Int, _ more: [Transition] = []) throws {
            try store.apply(
                [at(.submitted(submission(id))), at(.planned(job: id, plan: plan(tasks)))] + more
                    + [at(.ended(job: id, failed))], clock: clock)
        }
        func ended(_ store: JobStore) throws -> [String] {
            try store.page(before: 0, ended: true, count: 100).jobs.map(\.recovered.submission.id)
        }
        let first = try store { $0.endedTasks = 10 }
        try end(first, "a", 6)
        try first.apply([at(.retried(job: "a"))], clock: clock)
        try end(first, "b", 6)
        #expect(try ended(first) == ["b"], "what goes on is not counted")
        #expect(throws: SplitreelError.self) { try first.apply([at(.running(job: "nobody"))], clock: clock) }
        try first.apply([at(.ended(job: "a", failed))], clock: clock)
        #expect(try ended(first) == ["b"], "a was submitted first")
        try end(first, "c", 4)
        #expect(try ended(first) == ["c", "b"])
        try first.close()
        let second = try store { $0.endedTasks = 10 }
        try end(second, "d", 1)
        #expect(try ended(second) == ["d", "c"])
        try end(second, "e", 5)
        #expect(try ended(second) == ["e", "d", "c"])
        try end(second, "f", 1)
        #expect(try ended(second) == ["f", "e", "d"])
        try second.close()
    }

    @Test func anEndedJobsCompositionGoes() throws {
        defer { remove() }
        let store = try store { _ in }
        try store.apply([at(.submitted(submission("a", composition: "long")))], clock: clock)
        // A thousand of 64 MiB must not come into memory at once.
        #expect(try store.loadUnfinished().map(\.submission.composition) == [""])
        #expect(try store.composition(of: "a") == "long")
        #expect(throws: SplitreelError.self) { try store.composition(of: "b") }
        try store.apply([at(.ended(job: "a", .completed))], clock: clock)
        #expect(try store.job("a")?.recovered.submission.composition == "")
    }

    /// Its folder would be nobody's if its row went, and a retry may have to plan it anew.
    @Test func aJobThatCanBeRetriedStaysWithItsComposition() throws {
        defer { remove() }
        let store = try store {
            $0.endedJobs = 1
            $0.endedTasks = 2
        }
        let failed = JobOutcome.failed(
            SplitreelError(.diskFull, operation: "stitching", subject: "/a.mov", reason: "no space left"))
        try store.apply(
            [
                at(.submitted(submission("a", composition: "long"))), at(.planned(job: "a", plan: plan(9))),
                at(.ending(job: "a", failed)), at(.kept(job: "a", bytes: 7), 5), at(.ended(job: "a", failed), 5),
            ], clock: clock)
        for number in 0..<4 {
            try store.apply(
                [at(.submitted(submission("j\(number)"))), at(.ended(job: "j\(number)", .completed))], clock: clock)
        }
        #expect(try store.page(before: 0, ended: true, count: 9).jobs.map(\.recovered.submission.id) == ["j3", "a"])
        #expect(try store.composition(of: "a") == "long")
        let kept = try #require(try store.loadKept().first)
        #expect(kept.id == "a" && kept.outputs == ["/a.mov"] && kept.bytes == 7 && kept.ended == 1_700_000_005)
        #expect(kept.plan?.folder == "/w" && kept.plan?.hash == "ab")
        try store.apply([at(.pruned(job: "a"))], clock: clock)
        #expect(try store.loadKept().isEmpty && store.composition(of: "a") == "")
        try store.apply([at(.submitted(submission("z"))), at(.ended(job: "z", .completed))], clock: clock)
        #expect(try store.page(before: 0, ended: true, count: 9).jobs.map(\.recovered.submission.id) == ["z"])
    }

    /// Pieces of a MiB cut letters of three bytes in two, and what nobody submitted goes at the next start.
    @Test func aLongCompositionComesBackFromItsPieces() throws {
        defer { remove() }
        let long = String(repeating: "\u{20AC}uro ", count: 400_000)
        #expect(long.utf8.count == 2_800_000)
        let first = try store { _ in }
        for id in ["a", "b", "lost"] { try first.storeText(long + id, of: id) }
        try first.apply(
            [at(.submitted(submission("a", composition: ""))), at(.submitted(submission("b", composition: "")))],
            clock: clock)
        #expect(try first.composition(of: "a") == long + "a" && first.composition(of: "b") == long + "b")
        try first.storeText("x", of: "dropped")
        try first.dropText(of: "dropped")
        try first.apply([at(.ended(job: "b", .completed))], clock: clock)
        #expect(try first.composition(of: "b") == "")
        try first.close()
        let second = try store { _ in }
        #expect(try second.composition(of: "a") == long + "a")
        // Nothing is left that would be in the way of the same names.
        for id in ["b", "lost", "dropped"] { try second.storeText("new", of: id) }
        try second.close()
    }

    @Test func pagesHoldEveryJobOnceUnfinishedOnesFirst() throws {
        defer { remove() }
        let store = try store { _ in }
        for number in 1...20 {
            let id = "j\(number)"
            var transitions = [at(.submitted(submission(id)))]
            if number % 3 == 0 { transitions.append(at(.ended(job: id, .completed))) }
            try store.apply(transitions, clock: clock)
        }
        let numbers = 1...20
        let expected = numbers.reversed().filter { $0 % 3 != 0 } + numbers.reversed().filter { $0 % 3 == 0 }
        for count in [1, 4, 7, 14, 20, 100] {
            var (seen, before, ended) = ([String](), 0, false)
            while true {
                let page = try store.page(before: before, ended: ended, count: count)
                seen += page.jobs.map(\.recovered.submission.id)
                #expect(page.jobs.count <= count)
                guard !page.isLast, let last = page.jobs.last else { break }
                (before, ended) = (last.number, last.state.isTerminal)
            }
            #expect(seen == expected.map { "j\($0)" }, "pages of \(count)")
        }
    }

    @Test func aPageOfTasksComesWithTheCountsOfAll() throws {
        defer { remove() }
        let store = try store { _ in }
        try store.apply([at(.submitted(submission("a"))), at(.planned(job: "a", plan: plan(30)))], clock: clock)
        let row = TaskRow(
            state: .done, epoch: 1, lease: nil, slot: "", worker: "", tries: 0, losses: 0, failedWorkers: [],
            segment: nil, started: nil, ended: nil, error: nil)
        try store.apply((0..<7).map { at(.task(job: "a", task: $0, row)) }, clock: clock)
        let job = try #require(try store.job("a", tasks: 5..<10))
        #expect(job.recovered.tasks.map(\.state) == [.done, .done, .pending, .pending, .pending])
        #expect(job.firstTask == 5 && job.taskCount == 30 && job.framesDone == 7)
        #expect(job.chunkStates == [.done: 7, .pending: 23])
    }
}
