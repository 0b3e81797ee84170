import CodedVideo
import Foundation
import TestTools
import Testing

/// ffmpeg decodes rewritten streams to the frames that it makes of the old ones, and complains of none.
@Suite("Rewriting ids of parameter sets")
struct RewritingTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("rewriting") }

    @Test(
        "Streams of x264 decode to the same frames under other ids",
        arguments: MadeStream.allCases.filter { !$0.isHEVC })
    func h264(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let frames = try film.decoded(film.units)
        #expect(frames.count == 50)
        for (sps, pps) in [(1, 5), (5, 31), (31, 255)] {
            let rewritten = try film.rewritten(sps: sps, pps: pps)
            #expect(try film.decoded(rewritten) == frames)
            // The ids are what they were asked to be, and the way back leads to the old bytes.
            let sets = try H264ParameterSets(rewritten)
            #expect(Array(sets.sps.keys) == [sps] && Array(sets.pps.keys) == [pps])
            let old = try H264ParameterSets(film.sets)
            let back = try #require(
                Renumbering(sps: [sps: old.sps.keys.first ?? 0], pps: [pps: old.pps.keys.first ?? 0]))
            let rewriter = H264Rewriter(sets: sets, ids: back)
            let again = try rewritten.map { try rewriter.rewritten($0[...]) ?? [] }
            #expect(again == film.units.map { Array($0) })
        }
    }

    @Test(
        "Streams of x265 decode to the same frames under other ids",
        arguments: MadeStream.allCases.filter { $0.isHEVC && $0 != .hevcFields })
    func hevc(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let frames = try film.decoded(film.units)
        #expect(frames.count == 50)
        for (sps, pps) in [(1, 5), (5, 31), (15, 63)] {
            let rewritten = try film.rewritten(sps: sps, pps: pps)
            #expect((film.messageCount(rewritten) == film.messageCount(film.units)) == (stream != .hevcBuffers))
            #expect(try film.decoded(rewritten) == frames)
            let sets = try HEVCParameterSets(rewritten)
            #expect(Array(sets.sps.keys) == [sps] && Array(sets.pps.keys) == [pps])
            #expect(sets.list.map(\.id) == [sps, sps, pps] && sets.sps[sps]?.vpsID == sps)
        }
    }

    @Test("Fields of HEVC, whose timing decoders read by SPS 0, take another PPS id alone")
    func fieldsOfHEVC() throws {
        let film = try MadeStream.hevcFields.make(in: folder)
        #expect(throws: BitstreamFault.unsupported("the timing of fields under another SPS id")) {
            try film.rewritten(sps: 1, pps: 1)
        }
        #expect(try film.decoded(try film.rewritten(sps: 0, pps: 63)) == film.decoded(film.units))
    }

    @Test("An id without a new one, an id too high and two sets of one id are refused")
    func refusals() throws {
        let film = try MadeStream.cavlc.make(in: folder)
        #expect(throws: BitstreamFault.missing("a new id for SPS 0")) {
            try film.rewritten(Renumbering(sps: [:], pps: [0: 1]))
        }
        #expect(throws: BitstreamFault.outOfRange("the new id for SPS 0")) { try film.rewritten(sps: 32, pps: 0) }
        #expect(throws: BitstreamFault.outOfRange("the new id for PPS 0")) { try film.rewritten(sps: 0, pps: 256) }
        #expect(Renumbering(sps: [0: 1, 1: 1], pps: [:]) == nil)
        #expect(Renumbering(sps: [0: -1], pps: [:]) == nil)
    }

    @Test("idr_pic_id changes with the id, and the frames do not", arguments: [MadeStream.buffers, .weightedCAVLC])
    func idrID(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let ids = try #require(Renumbering(sps: [0: 0], pps: [0: 7]))
        let rewriter = H264Rewriter(sets: try H264ParameterSets(film.sets), ids: ids)
        var next = 300
        var units: [[UInt8]] = []
        for unit in film.units {
            if H264NAL(unit)?.kind == .idrSlice { next += 1 }
            units.append(try rewriter.rewritten(unit, idrID: next) ?? [])
        }
        #expect(try film.decoded(units) == film.decoded(film.units))
        let sets = try H264ParameterSets(units)
        let found = try units.filter { H264NAL($0)?.kind == .idrSlice }
            .map { try H264SliceHeader(unit: $0, sets: sets).idrID }
        #expect(found == (301...next).map { $0 })
    }

    // Corrupt files are left out, as their decoders complain of them as they are.
    @Test(
        "Films of cameras and phones decode to the same frames under other ids",
        .enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    func corpus() throws {
        var count = 0
        for part in ["video", "derived", "tlrender"] {
            guard let place = SourceTree.corpus().map({ "\($0)/\(part)" }) else { continue }
            for name in try FileManager.default.contentsOfDirectory(atPath: place).sorted() {
                guard [".mp4", ".mov", ".MOV", ".m4v"].contains(where: name.hasSuffix),
                    let film = try? Film("\(place)/\(name)", in: folder), film.packets.count > 1
                else { continue }
                // Some seconds of each: the first 24 packets.
                let units = film.sets.map { $0[...] } + film.packets.prefix(24).flatMap(\.units)
                guard film.isByHeader(units), let frames = try? film.decoded(units), !frames.isEmpty else { continue }
                let rewritten = try film.rewritten(sps: 9, pps: 40, units: units)
                #expect((try? film.decoded(rewritten)) == frames, "\(name)")
                count += 1
            }
        }
        #expect(count > 20)
    }
}

extension Film {
    /// The film's units under ids that begin at `sps` and `pps`; in HEVC the VPS gets the SPS's.
    func rewritten(sps: Int, pps: Int, units: [ArraySlice<UInt8>]? = nil) throws -> [[UInt8]] {
        func ids(_ kind: ParameterSet.Kind, _ list: [ParameterSet], _ first: Int) -> [Int: Int] {
            Dictionary(
                uniqueKeysWithValues: Set(list.filter { $0.kind == kind }.map(\.id)).sorted().enumerated().map {
                    ($1, first + $0)
                })
        }
        let list = isHEVC ? try HEVCParameterSets(sets).list : try H264ParameterSets(sets).list
        return try rewritten(
            Renumbering(vps: ids(.video, list, sps), sps: ids(.sequence, list, sps), pps: ids(.picture, list, pps)),
            units: units)
    }

    func rewritten(
        _ ids: Renumbering?, units: [ArraySlice<UInt8>]? = nil
    ) throws -> [[UInt8]] {
        guard let ids else { throw ToolFailure("the ids are not different") }
        let units = units ?? self.units
        if isHEVC {
            let rewriter = HEVCRewriter(sets: try HEVCParameterSets(sets), ids: ids)
            return try units.compactMap { try rewriter.rewritten($0) }
        }
        let rewriter = H264Rewriter(sets: try H264ParameterSets(sets), ids: ids)
        return try units.compactMap { try rewriter.rewritten($0) }
    }

    /// Whether the units have no other sets than the header.
    fileprivate func isByHeader(_ units: [ArraySlice<UInt8>]) -> Bool {
        let codec: PacketForm.Codec = isHEVC ? .hevc : .h264
        return units.allSatisfy { !codec.isSet($0) || sets.contains(Array($0)) }
    }

    /// The number of messages of supplemental information in HEVC's units.
    fileprivate func messageCount(_ units: [some Collection<UInt8>]) -> Int {
        units.filter { HEVCNAL($0)?.kind == .prefixSEI }
            .reduce(0) { $0 + ((try? SEIMessage.list(of: $1, headerLength: 2).count) ?? 0) }
    }
}
