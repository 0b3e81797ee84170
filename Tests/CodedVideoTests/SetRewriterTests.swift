import CodedVideo
import Foundation
import TestTools
import Testing

/// Streams whose sets have equal numbers and other content become one stream. FFmpeg's `trace_headers` finds the new
/// numbers wherever one stands, and its decoder makes of the whole the frames of the parts.
@Suite("Sets under other numbers")
struct SetRewriterTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("numbers") }

    /// The film's sets, then its packets' units without them, under another number for sets of all kinds.
    private func rewritten(_ film: Film, _ number: Int?) throws -> (sets: [[UInt8]], rest: [[UInt8]]) {
        let form = try PacketForm(film.isHEVC ? .hevc : .h264, header: film.record)
        let numbers = number.map { [0: $0] }
        let rewriter = try SetRewriter(form, numbers: numbers)
        var (sets, rest): ([[UInt8]], [[UInt8]]) = ([], [])
        for set in form.sets { sets += [try rewriter.rewritten(set[...])].compactMap(\.self) }
        for unit in film.packets.flatMap(\.units) where !form.codec.isSet(unit) {
            try rewriter.check(unit)
            rest += [try rewriter.rewritten(unit)].compactMap(\.self)
        }
        return (sets, rest)
    }

    @Test(
        "Two streams of equal numbers in one",
        arguments: [
            (MadeStream.cabac, MadeStream.cavlc, 1), (.weightedCAVLC, .weighted, 31), (.weighted, .slices, 7),
            (.cavlc, .buffers, 2), (.hevcClosed, .hevcWeighted, 1), (.hevcSlices, .hevcBuffers, 15),
            (.hevcBuffers, .hevcScaled, 2),
        ])
    func joined(streams: (MadeStream, MadeStream, Int)) throws {
        let films = (try streams.0.make(in: folder), try streams.1.make(in: folder))
        let (one, other) = (try rewritten(films.0, nil), try rewritten(films.1, streams.2))
        #expect(one.sets.allSatisfy(films.0.sets.contains) && !one.sets.allSatisfy(films.1.sets.contains))
        let stream = one.sets + other.sets + one.rest + other.rest
        let frames = try films.0.decoded(films.0.units) + films.1.decoded(films.1.units)
        #expect(try films.0.decoded(stream) == frames)
        // As they are, the second one's pictures go by the first one's sets.
        #expect((try? films.0.decoded(one.sets + one.rest + (try rewritten(films.1, nil).rest))) != frames)

        let path = try folder.write(Data(NALUnits.annexB(other.sets + other.rest)), to: "stream")
        let trace = try HeaderTrace(path, isHEVC: films.0.isHEVC, in: folder)
        let named = trace.units.flatMap(\.fields).filter { Self.names.contains($0.name) }
        #expect(Set(named.map(\.value)) == [streams.2])
        let slices = trace.units(films.0.isHEVC ? "Slice Segment Header" : "Slice Header")
        #expect(slices.count >= 50 && named.count >= slices.count + 3)
        // A buffering period names a sequence.
        #expect(trace.units("Buffering Period").isEmpty == (streams.1 != .buffers))
    }

    private static let names: Set = [
        "vps_video_parameter_set_id", "sps_video_parameter_set_id", "sps_seq_parameter_set_id",
        "pps_seq_parameter_set_id", "pps_pic_parameter_set_id", "slice_pic_parameter_set_id", "seq_parameter_set_id",
        "pic_parameter_set_id", "active_video_parameter_set_id", "active_seq_parameter_set_id",
    ]

    @Test("A slice that cannot be read keeps the sets' numbers", arguments: [MadeStream.cabac, .hevcClosed])
    func oddSlices(stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        var rules = EntryRules(film.isHEVC ? .hevc : .h264, header: film.record)
        // The end of a slice's header is cut off.
        let odd = film.packets[1].units.map { film.isHEVC ? $0.prefix(3) : $0.prefix(2) }
        _ = rules.take(NALUnits.lengthPrefixed(film.packets[0].units))
        #expect(rules.numberingFault == nil)
        _ = rules.take(NALUnits.lengthPrefixed(odd))
        #expect(rules.numberingFault == "what names them cannot be rewritten: the data end too early")
    }

    @Test func twoSetsOfOneNumberAreRefused() throws {
        let film = try MadeStream.cabac.make(in: folder)
        let form = try PacketForm(.h264, header: film.record)
        #expect(throws: BitstreamFault.self) { try SetRewriter(form, numbers: [0: 1, 1: 1]) }
        let rewriter = try SetRewriter(form, numbers: [1: 0])
        #expect(throws: BitstreamFault.missing("a new id for SPS 0")) { try rewriter.rewritten(form.sets[0][...]) }
    }
}
