import DataPlane
import Diagnostics
import Scheduling
import Testing

@Suite("Sending by credit")
struct PieceSenderTests {
    private static let piece: Int64 = 256 << 10
    private static let large: Int64 = 1 << 40
    private let a = Peer([1])
    private let b = Peer([2])

    /// A demand of all bytes from an offset on, as from a receiver without any bound.
    private func all(from offset: Int64 = 0, round: UInt32 = 0) -> Demand {
        Demand(offset: offset, limit: Self.large, round: round)
    }

    private func sent(_ actions: [PieceSender.Action]) -> [StreamID] {
        actions.compactMap { if case .send(let id, _, _, _) = $0 { id } else { nil } }
    }

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    @Test func atMostTenPiecesOfAPeerAreInFlight() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        let first = sender.handle(.begin(id, end: Self.large, all()), now: .zero)
        #expect(sent(first).count == 10)
        #expect(first.first == .send(id, offset: 0, count: 262_144, end: Self.large))
        #expect(sender.inFlight(of: a) == 2_621_440)
        // Another stream of the same peer gets nothing before there is room, and then its share.
        let other = StreamID(a, 2)
        #expect(sent(sender.handle(.begin(other, end: Self.large, all()), now: .zero)).isEmpty)
        let more = sender.handle(.demand(id, all(from: 4 * Self.piece)), now: .zero)
        #expect(sent(more).count == 4)
        #expect(sent(more).count { $0 == other } == 2)
    }

    @Test func nothingGoesBeyondTheLimit() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        let demand = Demand(offset: 100, limit: 100 + Self.piece + 7, round: 0)
        let actions = sender.handle(.begin(id, end: Self.large, demand), now: .zero)
        #expect(
            actions == [
                .send(id, offset: 100, count: 262_144, end: Self.large),
                .send(id, offset: 100 + Self.piece, count: 7, end: Self.large),
            ])
        // Doubled and late demands change nothing.
        #expect(sender.handle(.demand(id, demand), now: .zero).isEmpty)
    }

    /// 32 MiB are 128 pieces. Peers that stand still hold ten each; whoever has nothing in flight still gets a piece.
    @Test func peersThatStandStillLeaveRoomForOthers() {
        var sender = PieceSender()
        for number in 1...40 {
            _ = sender.handle(.begin(StreamID(Peer([UInt8(number)]), 1), end: Self.large, all()), now: .zero)
            #expect(sender.inFlight <= 33_554_432)
        }
        let held = (1...40).map { sender.inFlight(of: Peer([UInt8($0)])) / Self.piece }
        #expect(held.allSatisfy { $0 >= 1 })
        #expect(held.prefix(9).allSatisfy { $0 == 10 })
        // One that reads goes on, piece by piece.
        let reader = StreamID(Peer([40]), 1)
        for step in 1...20 {
            let actions = sender.handle(.demand(reader, all(from: Int64(step) * Self.piece)), now: .zero)
            #expect(sent(actions) == [reader])
        }
    }

    /// Four pieces are in flight at a time; one peer has five streams, the others have one each.
    @Test func peersTakeTurnsWhateverTheirStreams() {
        var limits = DataLimits()
        limits.bytesOfAll = 4 * Self.piece
        limits.reservedBytes = 0
        var sender = PieceSender(limits: limits)
        let streams = (1...5).map { StreamID(a, UInt64($0)) } + [StreamID(b, 1), StreamID(Peer([3]), 1)]
        var sums: [Peer: Int] = [:]
        var came: [StreamID: Int64] = [:]
        var waiting: [StreamID] = []
        for id in streams { waiting += sent(sender.handle(.begin(id, end: Self.large, all()), now: .zero)) }
        for _ in 0..<300 {
            let id = waiting.removeFirst()
            sums[id.peer, default: 0] += 1
            came[id, default: 0] += Self.piece
            waiting += sent(sender.handle(.demand(id, all(from: came[id] ?? 0)), now: .zero))
            #expect(sender.inFlight <= 4 * Self.piece)
        }
        #expect(sums.count == 3)
        #expect((sums.values.max() ?? 0) - (sums.values.min() ?? 0) <= 5)
        // So do the streams of one peer.
        let own = streams.prefix(5).map { (came[$0] ?? 0) / Self.piece }
        #expect((own.max() ?? 0) - (own.min() ?? 0) <= 5)
    }

    @Test func aNewRoundSendsAgain() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        let end = 3 * Self.piece
        _ = sender.handle(.begin(id, end: end, all()), now: .zero)
        let again = sender.handle(.demand(id, all(from: Self.piece, round: 1)), now: .zero)
        #expect(
            again == [
                .send(id, offset: Self.piece, count: 262_144, end: end),
                .send(id, offset: 2 * Self.piece, count: 262_144, end: end),
            ])
        // A word of the round before counts for nothing.
        #expect(sender.handle(.demand(id, all(from: end, round: 0)), now: .zero).isEmpty)
        #expect(sender.handle(.demand(id, all(from: end, round: 1)), now: .zero) == [.close(id, .sent)])
        #expect(sender.inFlight == 0 && sender.streamCount == 0)
    }

    @Test func whoHasAllIsToldTheEnd() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        let actions = sender.handle(.begin(id, end: 500, all(from: 500)), now: .zero)
        #expect(actions == [.send(id, offset: 500, count: 0, end: 500), .close(id, .sent)])
    }

    @Test func whatASilentPeerHoldsIsGivenBack() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        _ = sender.handle(.begin(id, end: Self.large, all()), now: .zero)
        #expect(sender.handle(.tick, now: at(4)).isEmpty)
        #expect(sender.inFlight > 0)
        #expect(sender.handle(.tick, now: at(5)).isEmpty)
        #expect(sender.inFlight == 0)
        // It comes back in time and asks again: its connection may still be full, so it gets one piece first.
        #expect(sent(sender.handle(.demand(id, all(from: 0, round: 1)), now: at(30))).count == 1)
        #expect(sender.stranded(of: a) == 10 * Self.piece)
        #expect(sent(sender.handle(.demand(id, all(from: Self.piece, round: 1)), now: at(30))).count == 10)
        #expect(sender.stranded(of: a) == 0)
        #expect(sender.handle(.tick, now: at(90)) == [.close(id, .silent)])
        #expect(sender.inFlight == 0 && sender.streamCount == 0)
    }

    @Test func whatIsNotOpenIsRefusedForATime() {
        var sender = PieceSender()
        let id = StreamID(a, 9)
        guard case .refuse(let refused, let error)? = sender.handle(.demand(id, all()), now: .zero).first else {
            Issue.record("not refused")
            return
        }
        #expect(refused == id && error.code.retry == .transient)
        guard case .refuse(_, let beyond)? = sender.handle(.begin(id, end: 5, all(from: 6)), now: .zero).first else {
            Issue.record("an offset beyond the end is taken")
            return
        }
        #expect(beyond.code == .mediaChanged)
    }

    @Test func streamsOfAPeerAreBounded() {
        var sender = PieceSender()
        let none = Demand(offset: 0, limit: 0, round: 0)
        for number in 1...64 {
            let id = StreamID(a, UInt64(number))
            #expect(sender.handle(.begin(id, end: 9, none), now: .zero).isEmpty)
        }
        let actions = sender.handle(.begin(StreamID(a, 65), end: 9, none), now: .zero)
        #expect(actions.last == .close(StreamID(a, 65), .failed) && actions.count == 2)
        #expect(sender.streamCount == 64)
        let ends = sender.handle(.peerGone(a), now: .zero)
        #expect(ends.count == 64 && sender.streamCount == 0)
    }

    /// Ten pieces are in flight, of which the socket does not take the eighth: the last two are still being read.
    @Test func aPieceThatTheSocketDidNotTakeGoesAgainWhenItsPeerHasRead() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        _ = sender.handle(.begin(id, end: Self.large, all()), now: .zero)
        #expect(sender.handle(.unsent(id, offset: 7 * Self.piece), now: .zero).isEmpty)
        #expect(sender.inFlight == 7 * Self.piece && sender.stranded(of: a) == 0)
        // A word that confirms nothing does not empty a connection.
        #expect(sender.handle(.demand(id, all()), now: .zero).isEmpty)
        let actions = sender.handle(.demand(id, all(from: Self.piece)), now: .zero)
        #expect(actions.first == .send(id, offset: 7 * Self.piece, count: 262_144, end: Self.large))
        #expect(sent(actions).count == 4)
        #expect(sender.inFlight == 10 * Self.piece)
    }

    /// Nobody asks again, and nobody confirms anything: the connection is tried at each beat.
    @Test func aPieceThatTheSocketDidNotTakeGoesAgainAtTheNextBeat() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        let end = 2 * Self.piece
        _ = sender.handle(.begin(id, end: end, all()), now: .zero)
        for beat in Int64(1)...3 {
            #expect(sender.handle(.unsent(id, offset: Self.piece), now: .zero).isEmpty)
            let actions = sender.handle(.tick, now: .zero + .milliseconds(250 * beat))
            #expect(actions == [.send(id, offset: Self.piece, count: 262_144, end: end)])
        }
        #expect(sender.handle(.demand(id, all(from: end)), now: at(1)) == [.close(id, .sent)])
        #expect(sender.inFlight == 0)
    }

    /// The other peer's connection is not full.
    @Test func aFullConnectionHoldsNobodyElseUp() {
        var sender = PieceSender()
        let (id, other) = (StreamID(a, 1), StreamID(b, 1))
        _ = sender.handle(.begin(id, end: Self.large, all()), now: .zero)
        _ = sender.handle(.unsent(id, offset: 0), now: .zero)
        #expect(sender.inFlight == 0)
        #expect(sent(sender.handle(.begin(other, end: Self.large, all()), now: .zero)).count == 10)
        // What is not sent counts for nothing where its stream ends, and a late word on it neither.
        #expect(sender.handle(.stop(id), now: .zero) == [.close(id, .stopped)])
        #expect(sender.handle(.unsent(id, offset: 0), now: .zero).isEmpty)
        #expect(sender.stranded(of: a) == 0 && sender.inFlight == 10 * Self.piece)
    }

    @Test func whatIsReadBehindAPieceThatWasNotTakenIsNotSent() {
        var pieces = PiecesUnderWay()
        for offset in [Int64(0), 10, 20] { pieces.add(offset) }
        #expect(Self.goOut([0], of: &pieces) == [0])
        #expect(Self.takeBack(0, of: &pieces) == 0)
        // They go again, behind those that are still read.
        for offset in [Int64(0), 10, 20] { pieces.add(offset) }
        #expect(Self.goOut([10, 20, 0, 10], of: &pieces) == [0, 10])
        // The receiver has asked for all of it anew: byte 0 is being read when the piece before it is not taken.
        pieces.add(0)
        #expect(Self.goOut([20], of: &pieces) == [20])
        #expect(Self.takeBack(20, of: &pieces) == 0)
        // The last is a piece of an earlier stream of that number.
        #expect(Self.goOut([0, 30], of: &pieces) == [])
        pieces.add(40)
        #expect(Self.goOut([40], of: &pieces) == [40])
    }

    private static func goOut(_ read: [Int64], of pieces: inout PiecesUnderWay) -> [Int64] {
        var sent: [Int64] = []
        for offset in read where pieces.next(offset) { sent.append(offset) }
        return sent
    }

    private static func takeBack(_ offset: Int64, of pieces: inout PiecesUnderWay) -> Int64 {
        pieces.takeBack(from: offset)
    }

    /// A peer that never reads frees nothing by asking anew, nor by stopping.
    @Test func newRoundsAndStopsDoNotEmptyAConnection() {
        var sender = PieceSender()
        let id = StreamID(a, 1)
        #expect(sent(sender.handle(.begin(id, end: Self.large, all()), now: .zero)).count == 10)
        for round in UInt32(1)...20 {
            #expect(sent(sender.handle(.demand(id, all(round: round)), now: .zero)).count == 1)
            #expect(sender.inFlight(of: a) == Self.piece)
        }
        #expect(sender.stranded(of: a) == 16 * Self.piece)
        #expect(sender.handle(.stop(id), now: .zero) == [.close(id, .stopped)])
        let other = StreamID(a, 2)
        #expect(sent(sender.handle(.begin(other, end: Self.large, all()), now: .zero)).count == 1)
        // Whoever is gone, or silent for a minute, holds nothing.
        _ = sender.handle(.peerGone(a), now: at(1))
        #expect(sender.stranded(of: a) == 0)
    }

    /// 128 MiB are 512 pieces: 33 connections that hold 16 each are too many.
    @Test func aKeyWhoseConnectionsAreFullLosesThem() {
        var sender = PieceSender()
        for number in UInt8(1)...33 {
            #expect(sender.handle(.tick, now: .zero).isEmpty)
            let id = StreamID(Peer([number]), 1)
            // Ten pieces, and then one at a time.
            for _ in 0..<7 {
                _ = sender.handle(.begin(id, end: Self.large, all(), keyName: "k"), now: .zero)
                _ = sender.handle(.stop(id), now: .zero)
            }
            #expect(sender.stranded(of: id.peer) == 16 * Self.piece)
        }
        #expect(sender.inFlight == 0 && sender.streamCount == 0)
        #expect(sender.handle(.tick, now: .zero) == [.disconnect(keyName: "k")])
        for number in UInt8(1)...33 { _ = sender.handle(.peerGone(Peer([number])), now: .zero) }
        #expect(sender.handle(.tick, now: .zero).isEmpty)
    }

    /// 1024 streams may be open, and 32 MiB in flight: a quarter of either is left to other keys.
    @Test func oneKeyLeavesRoomForOthers() {
        var sender = PieceSender()
        for peer in UInt8(1)...16 {
            for number in UInt64(1)...64 {
                _ = sender.handle(
                    .begin(StreamID(Peer([peer]), number), end: Self.large, all(), keyName: "k"), now: .zero)
            }
        }
        #expect(sender.streamCount == 768)
        #expect(sender.inFlight == 25_165_824)
        let other = StreamID(Peer([200]), 1)
        let actions = sender.handle(.begin(other, end: Self.large, all(), keyName: "o"), now: .zero)
        #expect(sender.isOpen(other) && sent(actions) == [other])
    }
}
