import Foundation
import MediaTime
import Outputs
import Stitching
import Testing

/// Films with limits, key frames and fragments; ffprobe and arithmetic are the witnesses.
@Suite struct RateTests {
    static let frameDuration = MediaTime(value: 1, timescale: 25)

    private struct Packet {
        var time: Double
        var bits: Int
        var isKey: Bool
    }

    /// In decoding order.
    private func packets(_ path: String) throws -> [Packet] {
        let result = try run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,size,flags", "-of", "csv=p=0",
                path,
            ])
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ",")
            guard parts.count >= 3, let time = Double(parts[0]), let size = Int(parts[1]) else { return nil }
            return Packet(time: time, bits: size * 8, isKey: parts[2].hasPrefix("K"))
        }
    }

    /// A decoder's buffer over the whole film: filled at the rate, a frame taken out every 1/25 s; never below 0.
    @Test(arguments: [(PictureCodec.h264, 600_000), (.h264, 1_200_000), (.hevc, 600_000)])
    func theLimitHoldsOverSeams(codec: PictureCodec, rate: Int) throws {
        var settings = VideoSettings.small(codec, preset: "veryfast", keyFrameInterval: 50)
        (settings.crf, settings.rateLimit) = (4, RateLimit(rate: rate, buffer: rate))
        let chunks = [75, 75, 30, 75, 10, 25, 75, 50]
        func least(_ film: FilmFixture) throws -> (least: Double, bits: Int) {
            var (full, lowest) = (0.9 * Double(rate), Double(rate))
            let packets = try packets(try film.stitch(.mp4))
            for packet in packets {
                full -= Double(packet.bits)
                lowest = min(lowest, full)
                full = min(Double(rate), full + Double(rate) / 25)
            }
            return (lowest, packets.reduce(0) { $0 + $1.bits })
        }
        let limited = try least(try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: chunks))
        #expect(limited.least >= 0, "\(limited)")
        let seconds = Double(chunks.reduce(0, +)) / 25
        // What is allowed is used, and the test's pictures would take more.
        #expect(Double(limited.bits) > 0.6 * seconds * Double(rate), "\(limited)")
        settings.rateLimit = nil
        let free = try least(try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: chunks))
        #expect(free.least < 0)
    }

    /// x265 would choose its level by each chunk's part of the limit, and parameter sets would differ.
    @Test func chunksOfALimitedRateNameOneLevel() throws {
        var settings = VideoSettings.small(.hevc, preset: "veryfast", keyFrameInterval: 50)
        settings.rateLimit = RateLimit(rate: 1_600_000, buffer: 1_600_000)
        let film = try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: [50, 10, 3, 60])
        let levels = try film.segments.map { segment in
            let result = try run(
                "ffprobe", ["-v", "error", "-show_entries", "stream=profile,level", "-of", "csv=p=0", segment.path])
            return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // 2.1: of the levels that such small pictures have, the lowest whose main tier takes 1.6 Mb/s.
        #expect(levels == Array(repeating: "Main,63", count: 4))
        #expect(Set(film.segments.map(\.record.extradataHash)).count == 1)
    }

    @Test(arguments: [PictureCodec.h264, .hevc, .vp9, .mpeg2])
    func keyFramesStandWhereTheyAreAskedFor(codec: PictureCodec) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("one.nut")
        _ = try FilmFixture.encode(
            .small(codec, keyFrameInterval: 60), Self.frameDuration, frames: 0..<30, keys: [7, 20],
            to: path)
        // NUT counts from 32 frames on, see SegmentLayout; only distances matter.
        let found = try packets(path)
        let first = try #require(found.map(\.time).min())
        let keys = found.filter(\.isKey).map { Int((($0.time - first) * 25).rounded()) }
        #expect(keys == [0, 7, 20])
    }

    @Test(arguments: [Container.mp4, .mov]) func fragmentsKeepTimesAndPictures(container: Container) throws {
        let film = try FilmFixture(
            video: .small(.h264), audio: .stereo(.aac), frameDuration: MediaTime(value: 1001, timescale: 30000),
            chunks: [30, 1, 14], sample: { _, index in index == 20_000 ? 0.9 : 0 })
        let alone = try film.segments.flatMap { try pictureHashes($0.path) }
        let path = try film.stitch(container, isFragmented: true)
        #expect(try pictureHashes(path) == alone)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var count = 0
        var from = bytes.startIndex
        while let found = bytes.range(of: Data("moof".utf8), in: from..<bytes.endIndex) {
            (count, from) = (count + 1, found.upperBound)
        }
        #expect(count >= 3)
        #expect(try packets(path).map(\.time).min() == 0)
        let sound = try decodedSound(path)
        // ffmpeg drops AAC's 1024 samples of priming by their times, which are below 0, and not when it decodes alone.
        #expect(sound.indices.max { abs(sound[$0]) < abs(sound[$1]) } == 20_000 + 1024)
        let starts = try run(
            "ffprobe",
            ["-v", "error", "-select_streams", "a", "-show_entries", "packet=pts", "-of", "csv=p=0", path])
        #expect(String(decoding: starts.output, as: UTF8.self).hasPrefix("-1024"))
        let report = try verifyFilm(path: path, plan: film.plan(container, isFragmented: true), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }
}
