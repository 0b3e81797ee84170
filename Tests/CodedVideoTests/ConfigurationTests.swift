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
