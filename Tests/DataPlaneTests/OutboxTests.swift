import DataPlane
import Diagnostics
import Scheduling
import Testing

@Suite("The worker's outbox")
struct OutboxTests {
    private let holding = Holding(job: "j", task: 3, epoch: 2, lease: LeaseID(high: 1, low: 2))
    private let first = OutboxFile(number: 0, isRecord: false, size: 1000, sum: [UInt8](repeating: 1, count: 32))
    private let record = OutboxFile(number: 0, isRecord: true, size: 10, sum: [UInt8](repeating: 2, count: 32))
    private var item: OutboxItem { OutboxItem(holding: holding, files: [first, record]) }

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private func box() -> Outbox {
        Outbox(budget: DiskBudget(mostBytes: 5000, spareBytes: 100), firstStream: 100)
    }

    /// A box that has offered both files.
    private func offering() -> Outbox {
        var box = box()
        _ = box.handle(.link(isUp: true), now: .zero)
        let actions = box.handle(.kept(item), now: .zero)
        #expect(
            actions == [.tellSending(holding), .offer(101, holding, first), .offer(102, holding, record)])
        return box
    }

    private func error(_ code: ErrorCode) -> SplitreelError {
        SplitreelError(code, operation: "o", subject: "s", reason: "r")
    }

    @Test func filesAreOfferedAndThenDelivered() {
        var box = offering()
        #expect(box.handle(.wanted(101), now: at(0)).isEmpty)
        #expect(box.handle(.stored(101), now: at(0)) == [.forget(101)])
        let last = box.handle(.stored(102), now: at(0))
        #expect(last == [.forget(102), .delivered(holding), .remove(holding)])
        #expect(box.bytes == 0 && box.holdings.isEmpty)
        // A doubled answer changes nothing.
        #expect(box.handle(.stored(102), now: at(0)).isEmpty)
    }

    @Test func offersAreSaidAgainUntilTheyAreAnswered() {
        var box = offering()
        _ = box.handle(.wanted(101), now: at(1))
        let again = box.handle(.tick, now: at(5))
        #expect(again == [.tellSending(holding), .offer(102, holding, record)])
        // A stream that nothing is asked for any more is offered again, too.
        _ = box.handle(.wanted(102), now: at(6))
        let anew = box.handle(.tick, now: at(16))
        #expect(anew == [.tellSending(holding), .forget(101), .offer(103, holding, first)])
    }

    /// Ten minutes without a coordinator cost nothing, and an hour ends it.
    @Test func itWaitsForACoordinatorThatIsAway() {
        var box = offering()
        #expect(box.handle(.link(isUp: false), now: at(1)) == [.forget(101), .forget(102)])
        for second in 2...600 { #expect(box.handle(.tick, now: at(Int64(second))).isEmpty) }
        let back = box.handle(.link(isUp: true), now: at(601))
        #expect(back == [.tellSending(holding), .offer(103, holding, first), .offer(104, holding, record)])
        _ = box.handle(.link(isUp: false), now: at(602))
        let end = box.handle(.tick, now: at(3600))
        guard end.count == 2, case .remove(let removed) = end[0], case .giveUp(let given, let error) = end[1] else {
            Issue.record("\(end)")
            return
        }
        #expect(removed == holding && given == holding && error.code == .tookTooLong)
    }

    @Test func refusalsThatPassAreWaitedOutLongerAndLonger() {
        var box = offering()
        _ = box.handle(.stored(102), now: at(0))
        #expect(box.handle(.refused(101, error(.diskFull)), now: at(0)) == [.forget(101)])
        #expect(!box.handle(.tick, now: at(9)).contains { if case .offer = $0 { true } else { false } })
        #expect(box.handle(.tick, now: at(10)).contains(.offer(103, holding, first)))
        _ = box.handle(.refused(103, error(.diskFull)), now: at(10))
        #expect(!box.handle(.tick, now: at(29)).contains { if case .offer = $0 { true } else { false } })
        #expect(box.handle(.tick, now: at(30)).contains(.offer(104, holding, first)))
    }

    @Test func refusalsThatLastEndIt() {
        var box = offering()
        let refusal = error(.segmentInvalid)
        let end = box.handle(.refused(101, refusal), now: at(0))
        #expect(end == [.forget(101), .forget(102), .remove(holding), .giveUp(holding, refusal)])
    }

    @Test func whatNobodyWantsGoes() {
        var box = offering()
        #expect(box.handle(.dropped(holding), now: at(0)) == [.forget(101), .forget(102), .remove(holding)])
        #expect(box.handle(.dropped(holding), now: at(0)).isEmpty)
    }

    @Test func fourFilesAreSentAtATimeAndTheOldestFirst() {
        var box = box()
        _ = box.handle(.link(isUp: true), now: .zero)
        for task in 0..<4 {
            let other = Holding(job: "j", task: task, epoch: 1, lease: LeaseID(high: 9, low: UInt64(task)))
            _ = box.handle(.kept(OutboxItem(holding: other, files: [first, record])), now: .zero)
        }
        // The third segment waits for the first one.
        let next = box.handle(.stored(101), now: .zero)
        #expect(next.count == 2)
        guard case .offer(105, let holding, _)? = next.last else {
            Issue.record("\(next)")
            return
        }
        #expect(holding.task == 2)
    }

    @Test func roomIsRefusedInTime() {
        var box = offering()
        #expect(box.refusal(of: 3990, free: 4090, place: "/data") == nil)
        #expect(box.refusal(of: 3991, free: 1 << 40, place: "/data")?.code == .diskFull)
        #expect(box.refusal(of: 3990, free: 4089, place: "/data")?.code == .diskFull)
        _ = box.handle(.dropped(holding), now: .zero)
        #expect(box.refusal(of: 5000, free: nil, place: "/data") == nil)
    }
}
