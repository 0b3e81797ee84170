import Diagnostics
import Scheduling
import Testing

@Suite("Notices of a job") struct NoticeTests {
    private func list(_ reason: String, count: Int = 1, first: Double? = nil) -> NoticeList {
        var list = NoticeList()
        list.add(Notice(.sourceDamaged, subject: "/in/a.mp4", reason: reason, firstSeconds: first, count: count))
        return list
    }

    private func rows(_ actions: [Action]) -> [TaskRow] {
        actions.compactMap { action in
            guard case .persist(let transition) = action, case .task(_, _, let row) = transition.change else {
                return nil
            }
            return row
        }
    }

    @Test func committedRecordsAreMergedAndStored() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        for (index, time) in [7.5, 2.5].enumerated() {
            let holding = try #require(farm.lease(of: "a"))
            farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
            let stored = rows(farm.send(.verified(holding, list("holes", count: index + 2, first: time))))
            #expect(stored.contains { $0.state == .done && $0.notices.notices.first?.count == index + 2 })
        }
        let notice = try #require(farm.brain.jobs["job"]?.notices.notices.first)
        #expect(notice.count == 5 && notice.firstSeconds == 2.5)
    }

    @Test func failedAttemptsAndSecondAnswersDoNotCount() throws {
        var farm = Farm()
        farm.submit(costs: [1, 1])
        farm.register("a")
        farm.register("b")
        let holding = try #require(farm.lease(of: "a"))
        farm.send(.finished(slot: "a", holding, Farm.segment(holding)))
        let error = SplitreelError(.segmentInvalid, operation: "", subject: "", reason: "bad")
        farm.send(.verificationFailed(holding, error))
        farm.send(.verified(holding, list("holes")))
        #expect(farm.brain.jobs["job"]?.notices.isEmpty == true)
        let other = try #require(farm.lease(of: "b"))
        farm.send(.finished(slot: "b", other, Farm.segment(other)))
        farm.send(.verified(other, list("holes")))
        farm.send(.verified(other, list("holes")))
        #expect(farm.brain.jobs["job"]?.notices.notices.map(\.count) == [1])
    }

    /// After a restart done chunks are verified again, and their records tell the same again.
    @Test func aRestartCountsNothingTwice() throws {
        let submission = JobSubmission(
            id: "job", name: "job", priority: 0, composition: "{}", request: "{}", output: "/job.mov", submitted: 1)
        let lease = LeaseID(high: 3, low: 4)
        var plan = Farm.plan(costs: [1, 1])
        plan.notices = list("interlaced")
        let done = RecoveredTask(
            state: .done, epoch: 2, lease: lease, segment: ReportedSegment(name: "s", hash: [1]), notices: list("holes")
        )
        for film in [nil, "1:2:3"] {
            var farm = Farm()
            farm.send(
                .jobRecovered(
                    RecoveredJob(submission: submission, plan: plan, tasks: [done, done], film: film),
                    WallClock(origin: 1000)))
            if film == nil {
                for task in 0..<2 {
                    farm.send(.verified(Holding(job: "job", task: task, epoch: 2, lease: lease), list("holes")))
                }
            }
            let notices = try #require(farm.brain.jobs["job"]?.notices.notices)
            #expect(notices.map(\.reason) == ["interlaced", "holes"] && notices.map(\.count) == [1, 2])
        }
    }
}
