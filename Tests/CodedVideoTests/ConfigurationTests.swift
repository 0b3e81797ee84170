import CodedVideo
import TestTools
import Testing

/// FFmpeg's muxer writes the same records of the same parameter sets.
@Suite("Decoder configurations")
struct ConfigurationTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("configurations") }

    @Test("avcC of x264's sets", arguments: [MadeStream.cabac, .cavlc, .deep422, .spsThree, .lossless444])
    func avc(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let record = try AVCConfiguration(film.record)
        #expect(record.lengthSize == 4 && record.sps.count == 1 && record.pps.count == 1)
        #expect(record.bytes == film.record)
        #expect(try AVCConfiguration(sps: record.sps, pps: record.pps).bytes == film.record)
        let depth = stream == .deep422 ? 10 : 8
        #expect((record.samples?.lumaDepth ?? 8) == depth)
    }

    @Test("avcC of several sets is read back, and the one that asks most stands for all")
    func severalSets() throws {
        let films = try [MadeStream.cavlc, .weighted].map { try $0.make(in: folder) }
        let second = try films[1].rewritten(sps: 1, pps: 1, units: films[1].sets.map { $0[...] })
        let sets = films[0].sets + second
        let (sps, pps) = (sets.filter { $0[0] & 31 == 7 }, sets.filter { $0[0] & 31 == 8 })
        let record = try AVCConfiguration(try AVCConfiguration(sps: sps, pps: pps).bytes)
        #expect(record.profile == 100 && record.sps == sps && record.pps == pps)
        #expect(throws: BitstreamFault.outOfRange("numOfSequenceParameterSets")) {
            try AVCConfiguration(sps: [], pps: pps)
        }
        let deep = try MadeStream.deep422.make(in: folder)
        #expect(throws: BitstreamFault.unsupported("a configuration of several chroma formats or depths")) {
            try AVCConfiguration(sps: sps + [deep.sets[0]], pps: pps)
        }
    }

    @Test("hvcC of x265's sets", arguments: [MadeStream.hevc, .hevcDeep, .hevcSlices])
    func hevc(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let record = try HEVCConfiguration(film.record)
        #expect(record.lengthSize == 4 && record.subLayers == 1)
        #expect(record.bytes == film.record)
        func units(_ type: Int) -> [[UInt8]] { record.units.filter { $0.type == type }.flatMap(\.list) }
        let made = try HEVCConfiguration(vps: units(32), sps: units(33), pps: units(34))
        #expect(made.units.allSatisfy(\.isComplete) && made.allUnits == units(32) + units(33) + units(34))
        // Ours has no SEI; where FFmpeg's has none, both are the same.
        #expect(made.profile == record.profile && made.chromaFormat == record.chromaFormat)
        #expect(made.lumaDepth == record.lumaDepth && made.chromaDepth == record.chromaDepth)
        #expect(made.isTemporallyNested == record.isTemporallyNested && made.subLayers == record.subLayers)
        if stream == .hevc { #expect(made.bytes == film.record) }
    }
}
