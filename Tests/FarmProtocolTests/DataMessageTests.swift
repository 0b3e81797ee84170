import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Scheduling
import Testing

@Suite("Messages of the data socket")
struct DataMessageTests {
    private let holding = Holding(job: "j1", task: 3, epoch: 2, lease: LeaseID(high: 1, low: 2))

    @Test("the bytes on the wire are the ones of farm.proto, with those of a piece behind them")
    func wireBytes() throws {
        let piece = Splitreel_Farm_Piece(stream: 5, offset: 300, end: 301)
        let frames = try Splitreel_Farm_DataEnvelope(.piece(piece)).frames([0xFE])
        // Field 1 varint 3; field 20 (20 << 3 | 2 = 162) of 8 bytes: 1 varint 5, 2 varint 300, 3 varint 301.
        let expected: [UInt8] = [
            0x08, 0x03, 0xA2, 0x01, 0x08, 0x08, 0x05, 0x10, 0xAC, 0x02, 0x18, 0xAD, 0x02,
        ]
        #expect(frames == [expected, [0xFE]])
        guard case .message(.piece(let back), let bytes) = ReceivedData(frames) else {
            Issue.record("not read")
            return
        }
        #expect(back == piece && bytes == [0xFE])
    }

    @Test("a fetch has its demand, and one thing that it asks for")
    func fetch() throws {
        let demand = Demand(offset: 1 << 40, limit: 1 << 41, round: 7)
        var fetch = Splitreel_Farm_Fetch()
        fetch.stream = 9
        fetch.job = "j1"
        fetch.slot = "w/1"
        fetch.demand = demand.wire
        fetch.source = "/films/a.mov"
        fetch.segment = Splitreel_Farm_SegmentFile(task: 3, epoch: 2, file: 1, isRecord: true)
        let frames = try Splitreel_Farm_DataEnvelope(.fetch(fetch)).frames()
        guard frames.count == 1, case .message(.fetch(let back), let bytes) = ReceivedData(frames) else {
            Issue.record("not read")
            return
        }
        #expect(back == fetch && bytes.isEmpty)
        #expect(Demand(back.demand) == demand)
        #expect(back.what == .segment(fetch.segment))
    }

    @Test("the sums of a source's blocks are asked for by its path")
    func blockMap() throws {
        let demand = Demand(offset: 0, limit: 1, round: 0)
        let fetch = Splitreel_Farm_Fetch(
            .blockMap(path: "/a"), of: "j", slot: "s", stream: 1, demand: demand, end: nil)
        // The last field: 13 (13 << 3 | 2 = 106) of 2 bytes.
        let frames = try Splitreel_Farm_DataEnvelope(.fetch(fetch)).frames()
        let last: [UInt8] = [0x6A, 0x02, 0x2F, 0x61]
        #expect(frames.count == 1 && frames.first?.suffix(4) == last[...])
        guard case .message(.fetch(let back), _) = ReceivedData(frames) else {
            Issue.record("not read")
            return
        }
        #expect(back.what == .blockMap("/a"))
    }

    @Test("a result and a report tell the bytes of sources")
    func sourceBytes() throws {
        let sources = SourceBytes(needed: 1, fetched: 2, soundNeeded: 3, soundFetched: 300)
        var finished = Splitreel_Farm_Finished()
        finished.sources = sources
        // Fields 5 to 8, each a varint: 5 << 3 = 40 and on.
        let fields: [UInt8] = [0x28, 0x01, 0x30, 0x02, 0x38, 0x03, 0x40, 0xAC, 0x02]
        let result = try Splitreel_Farm_Envelope(.finished(finished)).frame()
        #expect(result.suffix(fields.count) == fields[...])
        var report = Splitreel_Farm_JobReport()
        report.sources = sources
        let told = try Splitreel_Farm_Envelope(.jobReport(report)).frame()
        // Field 36: 36 << 3 = 288, a varint of two bytes.
        let last: [UInt8] = [0xA0, 0x02, 0xAC, 0x02]
        #expect(told.suffix(4) == last[...])
        guard case .jobReport(let back)? = try Splitreel_Farm_Envelope.parse(told)?.body else {
            Issue.record("not read")
            return
        }
        #expect(back.sources == sources)
    }

    @Test("an offer names its attempt, and the file by its place in the set")
    func offer() throws {
        let file = OutboxFile(number: 1, isRecord: true, size: 1000, sum: [UInt8](repeating: 4, count: 32))
        let wire = Splitreel_Farm_Offer(file, of: holding, slot: "w/1", stream: 77)
        let peer = Peer([1, 2])
        let offer = try #require(ArrivalOffer(wire, from: peer))
        #expect(offer.stream == StreamID(peer, 77))
        #expect(offer.key == ArrivalKey(holding: holding, file: 1, isRecord: true))
        #expect(offer.size == 1000 && offer.sum == file.sum)
        var short = wire
        short.hash.removeLast()
        #expect(ArrivalOffer(short, from: peer) == nil)
        var other = wire
        other.file.epoch = 3
        #expect(ArrivalOffer(other, from: peer) == nil)
    }

    @Test("a refusal carries an error, and numbers that no file has are none")
    func refusalsAndLimits() throws {
        let error = SplitreelError(.diskFull, operation: "o", subject: "s", reason: "r")
        #expect(Splitreel_Farm_Refusal(stream: 3, error).problem.error == error)
        var wire = Demand(offset: 5, limit: 9, round: 0).wire
        wire.limit = UInt64.max
        #expect(Demand(wire) == nil)
        wire.limit = 4
        #expect(Demand(wire) == nil)
    }

    @Test("what is not a message of ours is told apart")
    func others() throws {
        let stop = try Splitreel_Farm_DataEnvelope(.stop(Splitreel_Farm_Stop())).frames()
        func isMalformed(_ frames: [[UInt8]]) -> Bool {
            if case .malformed = ReceivedData(frames) { true } else { false }
        }
        #expect(isMalformed([]) && isMalformed([[0xFF]]) && isMalformed(stop + [[1]]))
        let piece = try Splitreel_Farm_DataEnvelope(.piece(Splitreel_Farm_Piece())).frames()
        #expect(isMalformed(piece) && !isMalformed(piece + [[]]))
        // Major 2, and major 3 with a body of a later minor (field 99).
        guard case .otherMajor(2) = ReceivedData([[0x08, 0x02]]),
            case .unknownBody = ReceivedData([[0x08, 0x03, 0x9A, 0x06, 0x00]])
        else {
            Issue.record("another version is not seen")
            return
        }
        let large = [UInt8](repeating: 0, count: 262_145)
        #expect(isMalformed(piece + [large]))
        #expect(throws: SplitreelError.self) {
            try Splitreel_Farm_DataEnvelope(.piece(Splitreel_Farm_Piece())).frames(large)
        }
    }
}
