import Diagnostics
import Foundation
import Libav
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Testing

@Suite struct VideoEncoderTests {
    private struct Probed: Decodable {
        struct Stream: Decodable {
            var profile: String?
            var level: Int?
            var has_b_frames: Int?
            var chroma_location: String?
            var pix_fmt: String?
            var refs: Int?
        }
        var streams: [Stream]
    }

    private func probe(_ path: String) throws -> Probed.Stream {
        let output = try run("ffprobe", ["-v", "error", "-show_streams", "-of", "json", path])
        return try #require(try JSONDecoder().decode(Probed.self, from: output).streams.first)
    }

    @Test func everyEncoderIsThere() {
        let names = [
            "libx264", "libx265", "libsvtav1", "libvpx-vp9", "prores_ks", "dnxhd", "ffv1", "mjpeg", "mpeg2video", "aac",
            "flac", "pcm_s24le", "libopus", "alac", "libmp3lame", "libvorbis", "gif", "libwebp", "png", "tiff", "exr",
            "rawvideo",
        ]
        #expect(Set(availableEncoders()) == Set(names))
        #expect(PictureCodec.prores.encoderName == "prores_ks")
        #expect(SoundCodec.pcm.encoderName == "pcm_s24le")
    }

    /// Levels by hand from Table A-1 of H.264.
    @Test(arguments: [
        (160, 90, 25, 11), (640, 360, 25, 30), (1280, 720, 30, 31), (1280, 720, 60, 32), (1920, 1080, 30, 40),
        (1920, 1080, 60, 42), (3840, 2160, 30, 51), (3840, 2160, 60, 52),
    ])
    func levelsComeFromSizeAndRate(width: Int, height: Int, rate: Int, level: Int) throws {
        let folder = try TemporaryFolder()
        let settings = VideoSettings.sized(.h264, width, height, preset: "ultrafast")
        let path = folder.file("one.nut")
        let encoder = try VideoEncoder(
            settings: settings, frameDuration: MediaTime(value: 1, timescale: Int32(rate)))
        let writer = try SegmentWriter(path: path, video: encoder)
        // The parameter sets are made before any frame.
        let frame = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
        try encoder.send(frame, index: 0) { try writer.write($0) }
        try encoder.finish { try writer.write($0) }
        _ = try writer.finish()
        #expect(try probe(path).level == level)
        // profile_idc, constraints and level_idc follow the parameter set's NAL unit header, 0x67.
        let sets = encoder.extradata
        let start = try #require(sets.indices.first { sets[$0] == 0x67 })
        #expect(Int(sets[start + 3]) == level)
    }

    @Test(arguments: [
        (VideoSettings.sized(.h264, 160, 90), "High", 2),
        (.sized(.h264, 160, 90, preset: "ultrafast"), "Constrained Baseline", 0),
        (.sized(.h264, 160, 90, format: .yuv420p10), "High 10", 2),
        (.sized(.h264, 160, 90, format: .yuv444p), "High 4:4:4 Predictive", 2),
        (.sized(.hevc, 160, 90, preset: "fast"), "Main", 2),
        (.sized(.hevc, 160, 90, format: .yuv420p10, preset: "fast"), "Main 10", 2),
        (.sized(.av1, 160, 90, preset: "10"), "Main", 0), (.sized(.vp9, 160, 90, preset: "8"), "Profile 0", 0),
        (.sized(.vp9, 160, 90, format: .yuv422p10, preset: "8"), "Profile 3", 0),
        (.sized(.mpeg2, 160, 90, preset: ""), "Main", 1),
        (.sized(.dnxhr, 320, 180, format: .yuv422p, preset: "sq"), "DNXHR SQ", 0),
        (.sized(.dnxhr, 320, 180, format: .yuv444p10, preset: "444"), "DNXHR 444", 0),
    ])
    func profilesFollowTheFormat(settings: VideoSettings, profile: String, depth: Int) throws {
        let folder = try TemporaryFolder()
        let facts = try encodeSegment(settings, count: 30, to: folder.file("some.nut"))
        #expect(facts.reorderDepth <= depth && settings.reorderDepth == depth)
        #expect(facts.count == 30 && facts.packetCount == 30)
        let stream = try probe(folder.file("some.nut"))
        #expect(stream.profile == profile)
        #expect(stream.pix_fmt == settings.format.rawValue)
    }

    /// The parameter sets that a segment's record promises are those of an encoder that was opened and never used.
    @Test(arguments: [
        VideoSettings.sized(.h264, 160, 90), .sized(.hevc, 160, 90, format: .yuv420p10, preset: "fast"),
        .sized(.vp9, 160, 90, preset: "8"), .sized(.mpeg2, 160, 90, preset: ""), .sized(.ffv1, 160, 90),
    ])
    func parameterSetsNeedNoFrames(settings: VideoSettings) throws {
        let folder = try TemporaryFolder()
        let facts = try encodeSegment(settings, count: 3, to: folder.file("some.nut"))
        let frameDuration = MediaTime(value: 1, timescale: 25)
        #expect(try parameterSets(of: settings, frameDuration: frameDuration, rate: nil) == facts.extradata)
        let reader = try segment(folder.file("some.nut"), frameDuration)
        #expect(reader.extradata == facts.extradata)
    }

    @Test func x264IsToldToBeTheSameEverywhere() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("some.nut")
        _ = try encodeSegment(.sized(.h264, 160, 90), count: 3, to: path)
        // x264 writes its settings into the first packet.
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        for option in ["threads=1", "stitchable=1", "open_gop=0", "keyint=50", "crf=22.0", "bframes=3", "ref=3"] {
            #expect(text.contains(option), "\(option)")
        }
    }

    @Test(arguments: [(2, 2), (4, 4), (2, 288), (4, 290), (354, 2), (1000, 14), (90, 16)])
    func narrowPicturesOfFFV1(width: Int, height: Int) throws {
        let folder = try TemporaryFolder()
        let facts = try encodeSegment(.sized(.ffv1, width, height), count: 2, to: folder.file("some.nut"))
        #expect(facts.count == 2)
    }

    private func segment(_ path: String, _ frameDuration: MediaTime) throws -> SegmentReader {
        let count = try Data(contentsOf: URL(fileURLWithPath: path)).count
        return try SegmentReader(path: path, byteCount: Int64(count), frameDuration: frameDuration)
    }

    @Test func proresSaysApple() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("some.nut")
        _ = try encodeSegment(.sized(.prores, 160, 90, format: .yuv422p10, preset: "hq"), count: 1, to: path)
        let reader = try segment(path, MediaTime(value: 1, timescale: 25))
        #expect(reader.codecName == "prores")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("icpf".utf8)) != nil)
        #expect(bytes.range(of: Data("apl0".utf8)) != nil)
    }

    /// An encoder that is given up in the middle of a chunk is gone at once; SVT-AV1 would hang.
    @Test func anEncoderMayBeGivenUp() throws {
        let settings = VideoSettings.sized(.av1, 160, 90, preset: "10")
        let encoder = try VideoEncoder(settings: settings, frameDuration: MediaTime(value: 1, timescale: 25))
        for number in 0..<5 {
            let frame = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
            try encoder.send(frame, index: number) { _ in }
        }
    }

    /// SVT-AV1 has tables for all encoders of a process: each makes what it makes alone, and none crashes.
    @Test func encodersOfOneProcessDoNotMeet() throws {
        let folder = try TemporaryFolder()
        let settings = VideoSettings.sized(.av1, 160, 90, preset: "10")
        _ = try encodeSegment(settings, count: 12, to: folder.file("alone.nut"))
        let alone = try Data(contentsOf: URL(fileURLWithPath: folder.file("alone.nut")))
        let paths = (0..<8).map { folder.file("\($0).nut") }
        let ended = DispatchGroup()
        for path in paths {
            ended.enter()
            let thread = Thread {
                _ = try? encodeSegment(settings, count: 12, to: path)
                ended.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        ended.wait()
        for path in paths { #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == alone, "\(path)") }
    }

    /// JPEG's black is 0, its white 255; between them rounded: (codes − 16) · 255 / 219.
    @Test func mjpegUsesAllCodes() throws {
        let folder = try TemporaryFolder()
        var settings = VideoSettings.sized(.mjpeg, 64, 16, preset: "")
        settings.crf = 2
        let encoder = try VideoEncoder(settings: settings, frameDuration: MediaTime(value: 1, timescale: 25))
        let writer = try SegmentWriter(path: folder.file("one.nut"), video: encoder)
        let codes = [16, 235, 126, 0]
        let frame = try flatFrame(settings, luma: { x, _ in codes[x / 16] })
        try encoder.send(frame, index: 0) { try writer.write($0) }
        try encoder.finish { try writer.write($0) }
        _ = try writer.finish()
        let stream = try probe(folder.file("one.nut"))
        #expect(stream.pix_fmt == "yuvj420p")
        let raw = try run(
            "ffmpeg", ["-v", "error", "-i", folder.file("one.nut"), "-f", "rawvideo", "-pix_fmt", "yuvj420p", "-"])
        for (column, wanted) in [0, 255, 128, 0].enumerated() {
            #expect(abs(Int(raw[8 * 64 + column * 16 + 8]) - wanted) <= 1, "column \(column)")
        }
    }

    @Test func presentationIndexesComeBack() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("some.nut")
        for (numerator, denominator) in [(30000, 1001), (25, 1), (60000, 1001), (12, 1), (1_000_003, 997)] {
            let duration = MediaTime(value: Int64(denominator), timescale: Int32(numerator))
            _ = try encodeSegment(.sized(.h264, 160, 90), count: 25, to: path, frameDuration: duration)
            let reader = try segment(path, duration)
            var indexes: [Int64] = []
            var keys: [Bool] = []
            while let packet = try reader.next() {
                indexes.append(packet.pts ?? -1)
                keys.append(packet.isKey)
            }
            #expect(indexes.sorted() == (0..<25).map { Int64($0) })
            #expect(indexes != indexes.sorted(), "B-frames make packets come out of order")
            #expect(keys.first == true && indexes.first == 0)
        }
        #expect(throws: SplitreelError.self, "another rate") {
            _ = try segment(path, MediaTime(value: 1, timescale: 25))
        }
    }

    @Test func impossibleSettingsAreRefused() {
        let second = MediaTime(value: 1, timescale: 25)
        let refused: [VideoSettings] = [
            .sized(.h264, 160, 90, preset: "quick"), .sized(.prores, 160, 90, format: .yuv422p10, preset: "4444"),
            .sized(.prores, 160, 90, format: .yuv444p10, preset: "hq"),
            .sized(.prores, 160, 90, format: .yuv420p, preset: "hq"), .sized(.h264, 161, 90),
        ]
        for settings in refused {
            let code = #expect(throws: SplitreelError.self) {
                _ = try VideoEncoder(settings: settings, frameDuration: second)
            }?.code
            #expect(code == .settingsImpossible, "\(settings)")
        }
    }

    @Test func aWrongFrameIsRefused() throws {
        let encoder = try VideoEncoder(
            settings: .sized(.ffv1, 64, 64), frameDuration: MediaTime(value: 1, timescale: 25))
        let other = VideoSettings.sized(.ffv1, 64, 32)
        let frame = try Frame.make(format: other.format, size: other.size, colour: other.colour)
        #expect(throws: SplitreelError.self) { try encoder.send(frame, index: 0) { _ in } }
    }
}
