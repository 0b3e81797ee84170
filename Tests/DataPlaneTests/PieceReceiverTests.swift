import DataPlane
import Diagnostics
import Scheduling
import Testing

@Suite("Receiving by credit")
struct PieceReceiverTests {
    private static let piece: Int64 = 256 << 10
    private let peer = Peer([1])
    private var id: StreamID { StreamID(peer, 1) }

    private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    private func asks(_ actions: [PieceReceiver.Action]) -> [Demand] {
        actions.compactMap { if case .ask(_, let demand, _) = $0 { demand } else { nil } }
    }

    private func opened(_ goal: StreamGoal = StreamGoal(end: 8 << 20)) -> PieceReceiver {
        var receiver = PieceReceiver()
        let actions = receiver.handle(.open(id, goal), now: .zero)
        let demand = Demand(offset: goal.from, limit: goal.from + 2 * Self.piece, round: 0)
        #expect(actions == [.ask(id, demand, .begin)])
        return receiver
    }

    @Test func itGoesOnPieceByPiece() {
        var receiver = opened()
        let first = receiver.handle(.piece(id, offset: 0, count: 262_144, end: 8 << 20), now: at(10))
        #expect(first.first == .take(id, offset: 0, skip: 0, count: 262_144))
        // Credit follows when the bytes are put away.
        let more = receiver.handle(.taken(id, Self.piece), now: at(10))
        #expect(more == [.ask(id, Demand(offset: Self.piece, limit: 3 * Self.piece, round: 0), .more)])
    }

    @Test func doubledAndOverlappingBytesAreTakenOnce() {
        var receiver = opened(StreamGoal(from: 100, end: 8 << 20))
        _ = receiver.handle(.piece(id, offset: 100, count: 50, end: 8 << 20), now: at(1))
        #expect(receiver.handle(.piece(id, offset: 100, count: 50, end: 8 << 20), now: at(1)).isEmpty)
        #expect(receiver.dropped == 1)
        let over = receiver.handle(.piece(id, offset: 120, count: 50, end: 8 << 20), now: at(1))
        #expect(over.first == .take(id, offset: 150, skip: 30, count: 20))
    }

    @Test func aGapIsAskedForAgain() {
        var receiver = opened()
        #expect(receiver.handle(.piece(id, offset: Self.piece, count: 262_144, end: 8 << 20), now: at(10)).isEmpty)
        #expect(receiver.handle(.tick, now: at(200)).isEmpty)
        let again = receiver.handle(.tick, now: at(260))
        #expect(again == [.ask(id, Demand(offset: 0, limit: 2 * Self.piece, round: 1), .begin)])
    }

    @Test func silenceIsAskedAgainOneAtATimeAndLessOften() {
        var receiver = opened()
        let one = Demand(offset: 0, limit: Self.piece, round: 1)
        #expect(receiver.handle(.tick, now: at(4999)).isEmpty)
        #expect(receiver.handle(.tick, now: at(5000)) == [.ask(id, one, .begin)])
        #expect(receiver.handle(.tick, now: at(14_999)).isEmpty)
        #expect(asks(receiver.handle(.tick, now: at(15_000))).map(\.round) == [2])
        #expect(asks(receiver.handle(.tick, now: at(25_000))).map(\.round) == [3])
        #expect(receiver.outstanding == Self.piece)
    }

    @Test func aNewLinkIsAskedAtOnce() {
        var receiver = opened()
        _ = receiver.handle(.piece(id, offset: 0, count: 262_144, end: 8 << 20), now: at(10))
        let again = receiver.handle(.relinked(peer), now: at(20))
        #expect(asks(again).map(\.offset) == [Self.piece] && asks(again).map(\.round) == [1])
    }

    /// 50 Mbit/s are 6,250,000 bytes a second; in 40 ms 250,000 come, and twice that is two pieces. With 200 ms it is
    /// 2,500,000 bytes, ten pieces.
    @Test(arguments: [(Int64(40), Int64(2)), (Int64(100), Int64(5)), (Int64(200), Int64(10))])
    func theWindowIsTwiceWhatTheLinkHolds(delay: Int64, pieces: Int64) {
        var receiver = opened(StreamGoal(end: 1 << 40))
        // A piece takes 262,144 / 6,250,000 s, 41.94 ms.
        var now = delay * 1000
        var offset: Int64 = 0
        for _ in 0..<100 {
            let instant = Instant.zero + .microseconds(now)
            _ = receiver.handle(.piece(id, offset: offset, count: 262_144, end: 1 << 40), now: instant)
            offset += Self.piece
            _ = receiver.handle(.taken(id, offset), now: instant)
            now += 41_943
        }
        #expect(receiver.window(of: id) == pieces * Self.piece)
        // The next stream begins with what this one has learnt.
        let next = StreamID(peer, 2)
        _ = receiver.handle(.close(id), now: .zero + .microseconds(now))
        let asked = receiver.handle(.open(next, StreamGoal(end: 1 << 40)), now: .zero + .microseconds(now))
        #expect(asks(asked).map(\.limit) == [pieces * Self.piece])
    }

    @Test func noPeerIsGivenMoreThanTenPiecesAndAllAreBounded() {
        var receiver = PieceReceiver()
        for number in 1...20 { _ = receiver.handle(.open(StreamID(peer, UInt64(number)), StreamGoal()), now: .zero) }
        #expect(receiver.outstanding(of: peer) == 2_621_440)
        for number in 2...30 {
            let other = Peer([UInt8(number)])
            for stream in 1...6 {
                _ = receiver.handle(.open(StreamID(other, UInt64(stream)), StreamGoal()), now: .zero)
            }
        }
        #expect(receiver.outstanding > 25_165_824)
        #expect(receiver.outstanding <= 33_554_432)
        // What goes beyond its credit is dropped.
        let beyond = receiver.handle(.piece(StreamID(peer, 1), offset: 1 << 30, count: 9, end: 1 << 31), now: .zero)
        #expect(beyond.isEmpty && receiver.dropped == 1)
        // Whoever is gone leaves its room to others, once the reserve for those that have nothing is whole again: with
        // 20 pieces of it taken, and ten left by each, that is when the third one goes.
        let gone = [peer, Peer([2]), Peer([3])].map { receiver.handle(.peerGone($0), now: .zero) }
        #expect(gone.map { asks($0).isEmpty } == [true, true, false])
        #expect(receiver.outstanding == 25_165_824)
    }

    @Test func aWrongSumIsFetchedOnceMore() {
        let right = [UInt8](repeating: 7, count: 32)
        let wrong = [UInt8](repeating: 8, count: 32)
        var receiver = opened(StreamGoal(sum: right))
        _ = receiver.handle(.piece(id, offset: 0, count: 10, end: 10), now: at(1))
        let whole = receiver.handle(.taken(id, 10), now: at(1))
        #expect(whole.last == .sum(id) && asks(whole) == [Demand(offset: 10, limit: 10, round: 0)])
        let again = receiver.handle(.summed(id, wrong), now: at(2))
        #expect(again == [.startOver(id), .ask(id, Demand(offset: 0, limit: 10, round: 1), .begin)])
        _ = receiver.handle(.piece(id, offset: 0, count: 10, end: 10), now: at(3))
        _ = receiver.handle(.taken(id, 10), now: at(3))
        guard case .giveUp(_, let error)? = receiver.handle(.summed(id, wrong), now: at(4)).first else {
            Issue.record("a sum that is wrong twice is taken")
            return
        }
        #expect(error.code == .transportFailed && !receiver.isOpen(id) && receiver.outstanding == 0)
    }

    @Test func aRightSumCompletes() {
        let right = [UInt8](repeating: 7, count: 32)
        var receiver = opened(StreamGoal(sum: right))
        _ = receiver.handle(.piece(id, offset: 0, count: 10, end: 10), now: at(1))
        _ = receiver.handle(.taken(id, 10), now: at(1))
        #expect(receiver.handle(.summed(id, right), now: at(2)) == [.complete(id)])
    }

    @Test func refusalsThatPassAreWaitedOut() {
        var receiver = opened()
        let passing = SplitreelError(.transportFailed, operation: "o", subject: "s", reason: "r")
        #expect(receiver.handle(.refused(id, passing), now: at(100)).isEmpty)
        #expect(receiver.outstanding == 0)
        #expect(receiver.handle(.tick, now: at(1099)).isEmpty)
        #expect(asks(receiver.handle(.tick, now: at(1100))).map(\.round) == [1])
        let full = SplitreelError(.diskFull, operation: "o", subject: "s", reason: "r")
        _ = receiver.handle(.refused(id, full), now: at(2000))
        #expect(receiver.handle(.tick, now: at(11_999)).isEmpty)
        #expect(asks(receiver.handle(.tick, now: at(12_000))).map(\.round) == [2])
        let lasting = SplitreelError(.noSuchJob, operation: "o", subject: "s", reason: "r")
        #expect(receiver.handle(.refused(id, lasting), now: at(12_001)) == [.giveUp(id, lasting)])
    }

    /// Bytes that are there already keep no stream alive: it gives its credit back as a silent one does.
    @Test func onlyNewBytesCountAsLife() {
        var receiver = opened()
        _ = receiver.handle(.piece(id, offset: 0, count: 262_144, end: 8 << 20), now: at(1000))
        _ = receiver.handle(.taken(id, Self.piece), now: at(1000))
        for second in Int64(2)...5 {
            _ = receiver.handle(.piece(id, offset: 0, count: 262_144, end: 8 << 20), now: at(second * 1000))
        }
        #expect(receiver.handle(.tick, now: at(5999)).isEmpty)
        let one = Demand(offset: Self.piece, limit: 2 * Self.piece, round: 1)
        #expect(receiver.handle(.tick, now: at(6000)) == [.ask(id, one, .begin)])
    }

    @Test func whoDoesNotKnowAStreamIsAskedOnceASecond() {
        var receiver = opened()
        #expect(receiver.handle(.again(id), now: at(999)).isEmpty)
        #expect(asks(receiver.handle(.again(id), now: at(1000))).map(\.round) == [1])
        for offer in Int64(1001)..<2000 { #expect(receiver.handle(.again(id), now: at(offer)).isEmpty) }
        #expect(asks(receiver.handle(.again(id), now: at(2000))).map(\.round) == [2])
    }

    /// 32 MiB are 128 pieces. The last 32 of them are for keys that have less than 32.
    @Test func oneKeyLeavesCreditToOthers() {
        var receiver = PieceReceiver()
        for number in UInt8(1)...200 {
            let stream = StreamID(Peer([number]), 1)
            _ = receiver.handle(.open(stream, StreamGoal(), keyName: "k"), now: .zero)
        }
        #expect(receiver.outstanding == 25_165_824)
        let other = StreamID(Peer([201]), 1)
        let asked = receiver.handle(.open(other, StreamGoal(), keyName: "o"), now: .zero)
        #expect(asks(asked).map(\.limit) == [Self.piece])
    }

    @Test func anotherEndIsAnotherFile() {
        var receiver = opened()
        guard case .giveUp(_, let error)? = receiver.handle(.piece(id, offset: 0, count: 9, end: 99), now: at(1)).first
        else {
            Issue.record("another end is taken")
            return
        }
        #expect(error.code == .mediaChanged)
    }
}
