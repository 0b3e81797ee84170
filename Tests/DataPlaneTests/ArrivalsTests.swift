import DataPlane
import Diagnostics
import Scheduling
import Testing

@Suite("Segments that arrive")
struct ArrivalsTests {
    private static let right = [UInt8](repeating: 5, count: 32)
    private static let piece: Int64 = 256 << 10
    private let key = ArrivalKey(
        holding: Holding(job: "j", task: 3, epoch: 2, lease: LeaseID(high: 1, low: 2)), file: 0, isRecord: false)
    private let a = StreamID(Peer([1]), 7)
    private let b = StreamID(Peer([2]), 9)

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private func offer(_ stream: StreamID, size: Int64 = 600_000) -> ArrivalOffer {
        ArrivalOffer(stream: stream, key: key, size: size, sum: Self.right)
    }

    private func arrivals() -> Arrivals { Arrivals(budget: DiskBudget(mostBytes: 1_000_000, spareBytes: 1000)) }

    /// A file whose first piece has come and is written.
    private func begun() -> Arrivals {
        var arrivals = arrivals()
        let first = arrivals.handle(.offer(offer(a), free: nil), now: .zero)
        #expect(first == [.make(key), .want(a, Demand(offset: 0, limit: 2 * Self.piece, round: 0))])
        let piece = arrivals.handle(.piece(a, offset: 0, count: 262_144, end: 600_000), now: .zero)
        #expect(piece == [.write(key, offset: 0, skip: 0, count: 262_144)])
        let more = arrivals.handle(.written(key, Self.piece), now: .zero)
        #expect(more == [.want(a, Demand(offset: Self.piece, limit: 600_000, round: 0))])
        return arrivals
    }

    /// The rest of it, by that stream.
    private func finish(_ arrivals: inout Arrivals, by stream: StreamID) -> [Arrivals.Action] {
        _ = arrivals.handle(.piece(stream, offset: Self.piece, count: 262_144, end: 600_000), now: at(1))
        _ = arrivals.handle(.written(key, 2 * Self.piece), now: at(1))
        _ = arrivals.handle(.piece(stream, offset: 2 * Self.piece, count: 75_712, end: 600_000), now: at(1))
        return arrivals.handle(.written(key, 600_000), now: at(1))
    }

    @Test func aWholeFileGetsItsNameAndIsThenTold() {
        var arrivals = begun()
        #expect(finish(&arrivals, by: a).last == .sum(key))
        #expect(arrivals.handle(.summed(key, Self.right), now: at(1)) == [.place(key)])
        #expect(arrivals.handle(.placed(key), now: at(1)) == [.stored(a)])
        // The answer was lost, and the offer comes again; the worker may have another connection.
        #expect(arrivals.handle(.offer(offer(b), free: nil), now: at(2)) == [.stored(b)])
        #expect(arrivals.outstanding == 0 && arrivals.promised == 0)
        #expect(arrivals.handle(.over(key.holding), now: at(3)).isEmpty)
        #expect(arrivals.holdings.isEmpty)
    }

    @Test func anotherLinkGoesOnWhereTheFileStands() {
        var arrivals = begun()
        #expect(arrivals.handle(.peerGone(a.peer), now: at(1)).isEmpty)
        let on = arrivals.handle(.offer(offer(b), free: nil), now: at(1))
        #expect(on == [.want(b, Demand(offset: Self.piece, limit: 600_000, round: 1))])
        // What is late by the old one is dropped.
        let late = arrivals.handle(.piece(a, offset: Self.piece, count: 262_144, end: 600_000), now: at(1))
        #expect(late.isEmpty && arrivals.dropped == 1)
        #expect(finish(&arrivals, by: b).last == .sum(key))
    }

    /// The disk is slow: a piece that has come still waits for it when the file is offered on another stream.
    @Test func whatWaitsForTheDiskDoesNotComeTwice() {
        var arrivals = begun()
        let second = arrivals.handle(.piece(a, offset: Self.piece, count: 262_144, end: 600_000), now: at(1))
        #expect(second == [.write(key, offset: Self.piece, skip: 0, count: 262_144)])
        #expect(arrivals.handle(.stopped(a), now: at(16)).isEmpty)
        let on = arrivals.handle(.offer(offer(b), free: nil), now: at(16))
        #expect(on == [.want(b, Demand(offset: 2 * Self.piece, limit: 600_000, round: 1))])
        // The piece counts until it is written.
        #expect(arrivals.outstanding == 600_000 - Self.piece)
        _ = arrivals.handle(.written(key, 2 * Self.piece), now: at(16))
        #expect(arrivals.outstanding == 600_000 - 2 * Self.piece)
        let last = arrivals.handle(.piece(b, offset: 2 * Self.piece, count: 75_712, end: 600_000), now: at(17))
        #expect(last == [.write(key, offset: 2 * Self.piece, skip: 0, count: 75_712)])
        #expect(arrivals.handle(.written(key, 600_000), now: at(17)).last == .sum(key))
    }

    @Test func aWrongSumStartsOverOnce() {
        var arrivals = begun()
        _ = finish(&arrivals, by: a)
        let wrong = [UInt8](repeating: 6, count: 32)
        let again = arrivals.handle(.summed(key, wrong), now: at(2))
        #expect(again.first == .startOver(key))
        #expect(again.last == .want(a, Demand(offset: 0, limit: 2 * Self.piece, round: 1)))
    }

    @Test func roomIsRefusedBeforeTheFirstByte() {
        var arrivals = begun()
        let other = ArrivalKey(holding: key.holding, file: 1, isRecord: false)
        let large = ArrivalOffer(stream: b, key: other, size: 400_001, sum: Self.right)
        let refused = arrivals.handle(.offer(large, free: nil), now: .zero)
        guard case .refuse(let stream, let error)? = refused.first else {
            Issue.record("it is taken")
            return
        }
        #expect(refused.count == 1 && stream == b)
        #expect(error.code == .diskFull && error.code.retry == .resource)
        // Of the free bytes 337,856 are promised to the first file.
        let small = ArrivalOffer(stream: b, key: other, size: 100_000, sum: Self.right)
        let full = arrivals.handle(.offer(small, free: 438_855), now: .zero)
        #expect(full.count == 1)
        let fits = arrivals.handle(.offer(small, free: 438_856), now: .zero)
        #expect(fits.first == .make(other))
    }

    /// Of 64 places a key gets no more than 48, and what is whole takes none.
    @Test func oneKeyLeavesPlacesToOthers() {
        var limits = DataLimits()
        limits.arrivals = 64
        var arrivals = Arrivals(limits: limits, budget: DiskBudget(mostBytes: 1_000_000, spareBytes: 1000))
        func offer(_ number: Int, _ keyName: String) -> ArrivalOffer {
            let own = ArrivalKey(holding: key.holding, file: number, isRecord: false)
            let stream = StreamID(a.peer, UInt64(number + 1))
            var offer = ArrivalOffer(stream: stream, key: own, size: 1, sum: Self.right)
            offer.keyName = keyName
            return offer
        }
        var taken = 0
        for number in 0..<60 {
            let actions = arrivals.handle(.offer(offer(number, "k"), free: nil), now: .zero)
            if actions.first == .make(offer(number, "k").key) { taken += 1 }
        }
        #expect(taken == 48)
        let other = offer(60, "o")
        #expect(arrivals.handle(.offer(other, free: nil), now: .zero).first == .make(other.key))
        for number in 0..<2 {
            let whole = offer(number, "k")
            _ = arrivals.handle(.piece(whole.stream, offset: 0, count: 1, end: 1), now: .zero)
            _ = arrivals.handle(.written(whole.key, 1), now: .zero)
            #expect(arrivals.handle(.summed(whole.key, Self.right), now: .zero) == [.place(whole.key)])
        }
        let next = offer(59, "k")
        #expect(arrivals.handle(.offer(next, free: nil), now: .zero).first == .make(next.key))
    }

    @Test func twoContentsForOneFileAreRefused() {
        var arrivals = begun()
        let refused = arrivals.handle(.offer(offer(b, size: 5), free: nil), now: .zero)
        guard case .refuse(_, let error)? = refused.first else {
            Issue.record("it is taken")
            return
        }
        #expect(error.code == .segmentInvalid)
    }

    @Test func whatNobodySendsAnyMoreGoes() {
        var arrivals = begun()
        // The credit goes to others first, and the file after 15 minutes.
        #expect(arrivals.outstanding > 0)
        for second in 1..<900 {
            let actions = arrivals.handle(.tick, now: at(Int64(second)))
            #expect(!actions.contains(.drop(key)))
        }
        #expect(arrivals.outstanding == 0)
        #expect(arrivals.handle(.tick, now: at(900)) == [.drop(key)])
        #expect(arrivals.promised == 0)
    }

    @Test func anAttemptThatIsOverLeavesNothing() {
        var arrivals = begun()
        #expect(arrivals.handle(.over(key.holding), now: at(1)) == [.drop(key)])
        #expect(arrivals.outstanding == 0 && arrivals.holdings.isEmpty)
    }

    @Test func aDiskThatFailsIsTold() {
        var arrivals = begun()
        let full = SplitreelError(.diskFull, operation: "write", subject: "f", reason: "r")
        #expect(arrivals.handle(.failed(key, full), now: at(1)) == [.refuse(a, full), .drop(key)])
    }
}
