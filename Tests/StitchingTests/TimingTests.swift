import Foundation
import MediaTime
import Outputs
import Pictures
import Planning
import Stitching
import Testing

/// The facts of a stream and its packets that ffprobe tells.
struct ProbedPicture: Decodable {
    struct Stream: Decodable {
        var avg_frame_rate: String
        var r_frame_rate: String
        var time_base: String
        var color_range: String?
        var color_space: String?
        var color_primaries: String?
        var color_transfer: String?
        var sample_aspect_ratio: String?
        var codec_tag_string: String?
        var field_order: String?
        var chroma_location: String?
    }
    struct Packet: Decodable {
        var pts: Int?
        var dts: Int?
        var duration: Int?
    }
    var streams: [Stream]
    var packets: [Packet]

    static func of(_ path: String) throws -> ProbedPicture {
        let result = try run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_streams", "-show_packets", "-of", "json", path])
        return try JSONDecoder().decode(ProbedPicture.self, from: result.output)
    }
}

@Suite struct TimingTests {
    /// The ticks of a second where those of the rate are fewer than ten thousand, as ffmpeg's films have them.
    private static let finer = [24: 12_288, 25: 12_800, 30: 15_360, 50: 12_800, 60: 15_360]
    static let rates = [(24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1)]

    @Test(arguments: rates)
    func everyFrameStandsOnTheGrid(numerator: Int, denominator: Int) throws {
        // 100 times too large, to see that terms are lowered.
        let duration = MediaTime(value: Int64(denominator * 100), timescale: Int32(numerator * 100))
        let film = try FilmFixture(
            video: .small(.h264, preset: "veryfast"), audio: .stereo(.pcm), frameDuration: duration,
            chunks: [19, 1, 2, 18])
        let container = Container.mov
        let path = try film.stitch(container)
        let probed = try ProbedPicture.of(path)
        let stream = try #require(probed.streams.first)
        #expect(stream.avg_frame_rate == "\(numerator)/\(denominator)")
        #expect(stream.r_frame_rate == stream.avg_frame_rate)
        let ticks = Self.finer[numerator] ?? numerator
        #expect(stream.time_base == "1/\(ticks)")
        let step = denominator * ticks / numerator
        let times = probed.packets.compactMap(\.pts).sorted()
        #expect(times == (0..<40).map { $0 * step })
        let decoding = probed.packets.compactMap(\.dts)
        #expect(decoding == (-2..<38).map { $0 * step })
        let boxes = try BoxReader(path: path)
        let steps = boxes.timeToSample(track: 0)
        #expect(steps.count == 1 && steps.first?.count == 40 && steps.first?.delta == step)
        let scale = try #require(boxes.timescale(track: nil))
        #expect(scale % 48000 == 0 && scale % numerator == 0)
        let edits = boxes.editList(track: 0)
        #expect(edits.count == 1)
        #expect(edits.first?.mediaTime == 2 * step)
        #expect((edits.first?.duration ?? 0) * numerator == 40 * denominator * scale)
        let order = boxes.boxes().map(\.type)
        let (moov, mdat) = (try #require(order.firstIndex(of: "moov")), try #require(order.firstIndex(of: "mdat")))
        #expect(moov < mdat, "the index stands in front")
        let report = try verifyFilm(path: path, plan: film.plan(container))
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    @Test(arguments: rates)
    func matroskaRoundsToMilliseconds(numerator: Int, denominator: Int) throws {
        let duration = MediaTime(value: Int64(denominator), timescale: Int32(numerator))
        let film = try FilmFixture(
            video: .small(.h264, preset: "veryfast"), audio: .stereo(.flac), frameDuration: duration,
            chunks: [19, 1, 2, 18])
        let path = try film.stitch(.mkv)
        let probed = try ProbedPicture.of(path)
        let stream = try #require(probed.streams.first)
        // Matroska stores 16,683,333 ns, and libavformat's terms end at 30,000: its nearest fraction.
        let told = numerator == 60000 ? "19001/317" : "\(numerator)/\(denominator)"
        #expect(stream.avg_frame_rate == told)
        #expect(stream.r_frame_rate == stream.avg_frame_rate)
        let wanted = (0..<40).map { (2000 * $0 * denominator + numerator) / (2 * numerator) }
        #expect(probed.packets.compactMap(\.pts).sorted() == wanted)
        for plan in [film.plan(.mkv), nil] {
            let report = try verifyFilm(path: path, plan: plan)
            #expect(report.ok, "\(report.checks.filter { !$0.ok })")
            #expect(report.checks.first { $0.name == "rate" }?.detail == "\(numerator)/\(denominator)")
        }
    }

    /// Few frames or long ones: libavformat guesses their rate wrong, their timestamps are right.
    @Test(arguments: [("1/1", 3), ("2/1", 2), ("100/1", 3), ("1/3", 2), ("1/1000", 12), ("1001/60000", 2), ("1/25", 1)])
    func matroskaIsCheckedByItsTimestamps(frameDuration: String, count: Int) throws {
        let duration = try #require(MediaTime(text: frameDuration))
        let film = try FilmFixture(video: .small(.ffv1), frameDuration: duration, chunks: [count])
        let report = try verifyFilm(path: try film.stitch(.mkv), plan: film.plan(.mkv))
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
        var other = film.plan(.mkv)
        other.frameDuration = (Rational(duration) * Rational(11, 10)).mediaTime
        let refused = try verifyFilm(path: try film.stitch(.mkv, name: "again"), plan: other)
        #expect(refused.ok == (count == 1))
    }

    @Test(arguments: [
        (VideoSettings.small(.h264), Container.mp4, "avc1"), (.small(.hevc, preset: "ultrafast"), .mp4, "hvc1"),
        (.small(.prores), .mov, "apch"), (.small(.prores, preset: "proxy"), .mov, "apco"),
        (.small(.prores, format: .yuv444p10, preset: "4444"), .mov, "ap4h"), (.small(.ffv1), .mkv, ""),
    ])
    func tagsAreWritten(settings: VideoSettings, container: Container, tag: String) throws {
        var settings = settings
        settings.colour = ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)
        let film = try FilmFixture(
            video: settings, frameDuration: MediaTime(value: 1, timescale: 25), chunks: [2, 3])
        let path = try film.stitch(container)
        let stream = try #require(try ProbedPicture.of(path).streams.first)
        #expect(stream.color_primaries == "bt2020")
        #expect(stream.color_transfer == "arib-std-b67")
        #expect(stream.color_space == "bt2020nc")
        #expect(stream.color_range == "tv" || container == .mov)
        #expect(stream.sample_aspect_ratio == "1:1")
        #expect(stream.field_order == nil || stream.field_order == "progressive" || stream.field_order == "unknown")
        if !tag.isEmpty { #expect(try BoxReader(path: path).sampleEntry(track: 0) == tag) }
        #expect(try verifyFilm(path: path, plan: film.plan(container)).ok)
    }
}
