import CodedVideo
import Foundation
import TestTools
import Testing

/// Sets of one film state one reorder depth. FFmpeg's `trace_headers` finds it, and nothing else that changed; its
/// decoder makes the same frames.
@Suite("One reorder depth")
struct ReorderDepthTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("depths") }

    /// The streams' sets, the second one's under another number, and the packets' units without sets.
    private func joined(_ films: [Film]) throws -> (sets: [[UInt8]], rest: [[UInt8]]) {
        var (sets, rest): ([[UInt8]], [[UInt8]]) = ([], [])
        for (number, film) in films.enumerated() {
            let form = try PacketForm(film.isHEVC ? .hevc : .h264, header: film.record)
            let rewriter = try SetRewriter(form, numbers: [0: number])
            for set in form.sets { sets += [try rewriter.rewritten(set[...])].compactMap(\.self) }
            for unit in film.packets.flatMap(\.units) where !form.codec.isSet(unit) {
                rest += [try rewriter.rewritten(unit)].compactMap(\.self)
            }
        }
        return (sets, rest)
    }

    /// What FFmpeg reads in sets; `film` is one whose packets make a stream of them.
    private func fields(_ sets: [[UInt8]], _ film: Film) throws -> [HeaderTrace.Field] {
        let units = sets + film.packets.flatMap(\.units).map(Array.init)
        let path = try folder.write(Data(NALUnits.annexB(units)), to: "sets-\(UUID().uuidString)")
        let trace = try HeaderTrace(path, isHEVC: film.isHEVC, in: folder)
        return trace.units.filter { $0.name.hasSuffix("Parameter Set") }.prefix(sets.count).flatMap(\.fields)
            // What fills up a set's last byte.
            .filter { !$0.name.hasPrefix("rbsp_") }
    }

    private static let depths = ["max_num_reorder_frames", "sps_max_num_reorder_pics", "vps_max_num_reorder_pics"]
    private static let buffers = [
        "max_dec_frame_buffering", "sps_max_dec_pic_buffering_minus1", "vps_max_dec_pic_buffering_minus1",
    ]

    /// `least` stands for a source beside them whose packets run further ahead than its sets say.
    @Test(
        "Two streams state the larger depth",
        arguments: [
            (MadeStream.cavlc, MadeStream.cabac, 0, 2), (.buffers, .cavlc, 0, 2), (.cavlc, .weighted, 4, 4),
            (.hevcClosed, .hevcPlain, 0, 2), (.hevcPlain, .hevcBuffers, 1, 2),
            (.hevcPlain, .hevcScaled, 4, 4),
        ])
    func larger(streams: (MadeStream, MadeStream, Int, Int)) throws {
        let films = [try streams.0.make(in: folder), try streams.1.make(in: folder)]
        let codec: PacketForm.Codec = films[0].isHEVC ? .hevc : .h264
        let (sets, rest) = try joined(films)
        let made = try codec.withOneReorderDepth(sets, least: streams.2)
        #expect(made.count == sets.count && made != sets)
        let (before, after) = (try fields(sets, films[0]), try fields(made, films[0]))
        #expect(before.map(\.name) == after.map(\.name) && before.count > 40)
        var depths = 0
        for (place, (old, new)) in zip(before, after).enumerated() {
            // Of several sub-layers of time, three values of each, the highest holds for the film.
            let isLower = place + 3 < before.count && before[place + 3].name == old.name
            if !isLower, Self.depths.contains(old.name) {
                #expect(new.value == streams.3, "\(new)")
                depths += 1
            } else if !isLower, Self.buffers.contains(old.name) {
                #expect(new.value == max(old.value, streams.3), "\(new)")
            } else {
                #expect(new.value == old.value, "\(new)")
            }
        }
        #expect(depths >= (films[0].isHEVC ? 4 : 2))
        let frames = try films.flatMap { try $0.decoded($0.units) }
        #expect(try films[0].decoded(made + rest) == frames)
    }

    /// The last statements of a set are left out: all of them, or those of depths.
    @Test("A set that says nothing", arguments: ["vui_parameters_present_flag", "bitstream_restriction_flag"])
    func nothing(flag: String) throws {
        let film = try MadeStream.cabac.make(in: folder)
        let place = try #require(try fields(film.sets, film).first { $0.name == flag }).position
        func silent(_ set: [UInt8]) -> [UInt8] {
            guard H264NAL(set)?.kind == .sps else { return set }
            var writer = BitWriter()
            writer.copy(0..<place, of: EmulationPrevention.removed(from: set))
            writer.flag(false)
            writer.trailingBits()
            return EmulationPrevention.added(to: writer.bytes)
        }
        let own = film.sets.map(silent)
        let codec = PacketForm.Codec.h264
        // Alone, it stays what it is. Beside another one, both say it.
        #expect(try codec.withOneReorderDepth(own, least: 2) == own)
        let other = try joined([film, try MadeStream.cavlc.make(in: folder)]).sets.filter { !film.sets.contains($0) }
        let made = try codec.withOneReorderDepth(own + other, least: 3)
        let stated = try fields(made, film)
        #expect(stated.filter { Self.depths.contains($0.name) }.map(\.value) == [3, 3])
        // Level 1.2 holds 2376 blocks of 16 × 16, nine pictures of 20 × 12.
        let level = try #require(stated.first { $0.name == "level_idc" })
        #expect(level.value == 12 && stated.first { $0.name == "max_dec_frame_buffering" }?.value == 9)
        #expect(stated.first { $0.name == "motion_vectors_over_pic_boundaries_flag" }?.value == 1)
        let units = film.packets.flatMap(\.units).map(Array.init)
        #expect(try film.decoded(made + units) == film.decoded(film.units))
    }

    @Test("Sets of one depth stay as they are", arguments: [(MadeStream.cabac, 7), (.cavlc, 2), (.hevcClosed, 7)])
    func equal(stream: MadeStream, least: Int) throws {
        let film = try stream.make(in: folder)
        let sets = try joined([film, film]).sets
        #expect(Set(sets).count == (film.isHEVC ? 6 : 4))
        let codec: PacketForm.Codec = film.isHEVC ? .hevc : .h264
        #expect(try codec.withOneReorderDepth(sets, least: least) == sets)
    }
}
