import MediaTime
import Outputs
import Pictures
import Stitching
import Testing

/// Chunks of 77, 1, 2 and 70 frames: long, shorter than the reordering, and long again.
@Suite struct DecodeEqualTests {
    static let frameDuration = MediaTime(value: 1001, timescale: 30000)
    static let chunks = [77, 1, 2, 70]

    @Test(
        arguments: [
            (VideoSettings.small(.h264), [Container.mp4, .mov, .mkv]),
            (.small(.h264, format: .yuv422p10, preset: "veryslow"), [.mp4]),
            (.small(.h264, preset: "ultrafast"), [.mkv]),
            (.small(.hevc, preset: "fast"), [.mp4, .mov, .mkv]),
            (.small(.hevc, format: .yuv420p10, preset: "superfast"), [.mp4]),
            (.small(.ffv1), [.mkv, .mov]),
            (.small(.ffv1, format: .yuv444p10), [.mkv]),
            (.small(.prores), [.mov, .mkv]),
            (.small(.prores, format: .yuva444p10, preset: "4444"), [.mov]),
            (.small(.prores, format: .yuv444p10, preset: "4444xq"), [.mov]), (.small(.prores), [.mxf]),
            (.small(.av1), [.mp4, .webm, .mkv]), (.small(.av1, format: .yuv420p10), [.mp4]),
            (.small(.vp9), [.webm, .mp4, .mkv]), (.small(.vp9, format: .yuv444p10), [.webm]),
            (.small(.dnxhr, size: PixelSize(width: 256, height: 144)), [.mov, .mkv, .mxf]),
            (
                .small(.dnxhr, format: .yuv444p10, preset: "444", size: PixelSize(width: 256, height: 144)),
                [.mov, .mxf]
            ),
            (.small(.mjpeg), [.mov, .mp4, .mkv]), (.small(.mpeg2, keyFrameInterval: 12), [.mxf, .mov, .mp4, .mkv]),
            (.small(.mpeg2, format: .yuv422p, keyFrameInterval: 12), [.mxf]),
        ])
    func stitchedPicturesAreThoseOfTheChunks(settings: VideoSettings, containers: [Container]) throws {
        let film = try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: Self.chunks)
        let alone = try film.segments.flatMap { try pictureHashes($0.path) }
        #expect(alone.count == 150)
        #expect(Set(alone).count == 150, "the test pictures differ from each other")
        for container in containers {
            let path = try film.stitch(container)
            #expect(try pictureHashes(path) == alone, "\(container)")
            let strict = try run(
                "ffmpeg", ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "null", "-"])
            #expect(strict.status == 0 && strict.complaints.isEmpty, "\(container): \(strict.complaints)")
            let report = try verifyFilm(path: path, plan: film.plan(container), decoding: true)
            #expect(report.ok && report.frames == 150, "\(container): \(report.checks.filter { !$0.ok })")
        }
    }

    @Test(
        arguments: [
            (VideoSettings.small(.ffv1), Container.mkv), (.small(.prores), .mov),
            (.small(.prores, format: .yuv444p10, preset: "4444"), .mov), (.small(.mjpeg), .mov),
            (.small(.dnxhr, size: PixelSize(width: 256, height: 144)), .mxf),
        ])
    func independentFramesEqualAnUnsplitEncode(settings: VideoSettings, container: Container) throws {
        let split = try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: [17, 1, 2, 20])
        let whole = try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: [40])
        let hashes = try packetHashes(try split.stitch(container))
        #expect(hashes.count == 40)
        #expect(try hashes == packetHashes(try whole.stitch(container)))
    }

    @Test func theSameFramesMakeTheSameBytes() throws {
        let settings = VideoSettings.small(.h264)
        let films = try (0..<2).map { _ in
            try FilmFixture(
                video: settings, audio: .stereo(.aac), frameDuration: Self.frameDuration, chunks: [30, 7],
                sample: { _, index in Float(index % 100) / 200 })
        }
        #expect(films[0].segments.map(\.record) == films[1].segments.map(\.record))
        #expect(films[0].sound?.record == films[1].sound?.record)
        for container in [Container.mp4, .mkv] {
            let bytes = try films.map { try BoxReader(path: try $0.stitch(container)).bytes }
            #expect(bytes[0] == bytes[1])
        }
    }
}
