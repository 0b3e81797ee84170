import Foundation
import MediaFacts
import MediaTime
import Outputs
import Planning
import Stitching
import Testing

/// Chapters and dispositions stand in the film; ffprobe is the witness.
@Suite("Chapters of a film")
struct ChapterTests {
    private static let frameDuration = MediaTime(value: 1001, timescale: 30_000)

    private func stitched(
        _ container: Container, isFragmented: Bool = false, titles: [String] = ["Anfang", "Zwölf", ""]
    ) throws -> (FilmFixture, RenderPlan, String) {
        let codec: SoundCodec =
            switch container {
            case .mkv: .flac
            case .webm: .opus
            case .mp3: .mp3
            default: .aac
            }
        let video: VideoSettings? = container.holdsPictures ? .small(container == .webm ? .vp9 : .h264) : nil
        let audio = AudioSettings(
            codec: codec, bitRate: codec.isLossless ? nil : 64_000, sampleRate: 48_000, channels: 1)
        let film = try FilmFixture(
            video: video, audio: audio, frameDuration: Self.frameDuration, chunks: [20, 10], sampleCount: 48_048)
        var plan = film.plan(container, isFragmented: isFragmented)
        func time(_ frame: Int64) -> MediaTime { MediaTime(value: 1001 * frame, timescale: 30_000) }
        plan.output.chapters = [
            FilmChapter(start: time(3), end: time(10), title: titles[0]),
            FilmChapter(start: time(10), end: time(20), title: titles[1]),
            FilmChapter(start: time(21), end: time(30), title: titles[2]),
        ]
        var tags = FilmTags()
        tags.items = ["title": "T", "location": "+48.1250+011.5000/"]
        tags.audio = FilmTags.Track(language: "deu", name: "K", dispositions: [.default, .comment, .hearingImpaired])
        tags.video = FilmTags.Track(language: nil, name: "Bild", dispositions: [.default])
        plan.output.tags = tags
        return (film, plan, try film.stitch(plan))
    }

    /// Starts in nanoseconds, and titles.
    private func chapters(_ root: [String: Any]) -> [(Int, String)] {
        (root["chapters"] as? [[String: Any]] ?? []).map { chapter in
            let parts = (chapter["time_base"] as? String ?? "").split(separator: "/").compactMap { Int($0) }
            let start = chapter["start"] as? Int ?? -1
            let time = parts.count == 2 ? Rational(start) * Rational(parts[0], parts[1]) : Rational(-1)
            let tags = chapter["tags"] as? [String: String]
            return ((time * Rational(1_000_000_000)).rounded(), tags?["title"] ?? "")
        }
    }

    @Test(arguments: [Container.mp4, .mov, .m4a, .mkv, .webm, .mp3])
    func everyContainerHasThem(container: Container) throws {
        let (film, plan, path) = try stitched(container)
        // Its folder goes away with it.
        defer { withExtendedLifetime(film) {} }
        let found = chapters(try probed(path))
        func place(_ frame: Int) -> Int { (Rational(1001 * frame, 30_000) * Rational(1_000_000_000)).rounded() }
        var expected = [(place(3), "Anfang"), (place(10), "Zwölf"), (place(21), "")]
        // A track of them begins at 0 and has no gaps.
        if container.isISO { expected = [(0, ""), expected[0], expected[1], (place(20), ""), expected[2]] }
        // Readers of MP3 name what has no name.
        if container == .mp3 { expected[2].1 = "ch2" }
        // Half a tick; m4a's is a sample.
        let slack = container == .mp3 ? 500_000 : container == .m4a ? 10_417 : 0
        #expect(found.map(\.1) == expected.map(\.1))
        for (one, other) in zip(found, expected) { #expect(abs(one.0 - other.0) <= slack, "\(one) \(other)") }
        let report = try verifyFilm(path: path, plan: plan, decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
        var other = plan
        other.output.chapters?[1].title = "Dreizehn"
        #expect(try !verifyFilm(path: path, plan: other).ok)
    }

    /// Sizes of 128 bytes and more are written in another way than smaller ones.
    @Test func longTitlesReachAnMP3() throws {
        let titles = [(80, "x"), (81, "x"), (100, "y"), (128, "x"), (200, "z"), (100, "ä")].map {
            String(repeating: $0.1, count: $0.0)
        }
        for titles in [Array(titles.prefix(3)), Array(titles.suffix(3)), [titles[0], "a", "ä"]] {
            let (film, plan, path) = try stitched(.mp3, titles: titles)
            // Its folder goes away with it.
            defer { withExtendedLifetime(film) {} }
            #expect(chapters(try probed(path)).map(\.1) == titles)
            let report = try verifyFilm(path: path, plan: plan, decoding: true)
            #expect(report.ok, "\(report.checks.filter { !$0.ok })")
        }
    }

    /// The index stands in front of the media, in room that is kept before it is known: too little loses the film.
    @Test(arguments: [Container.mp4, .mov, .m4a])
    func theyHaveRoomAndNotMuchMore(container: Container) throws {
        let audio = AudioSettings(codec: .aac, bitRate: 64_000, sampleRate: 48_000, channels: 1)
        let film = try FilmFixture(
            video: container.holdsPictures ? .small(.h264) : nil, audio: audio, frameDuration: Self.frameDuration,
            chunks: [200, 110], sampleCount: 496_496)
        var plan = film.plan(container)
        func byteCount(_ count: Int, _ titleBytes: Int) throws -> Int {
            // With a stretch of a frame between two.
            plan.output.chapters = (0..<count).map { number in
                let (start, end) = (Int64(2 * number + 1) * 1001, Int64(2 * number + 2) * 1001)
                return FilmChapter(
                    start: MediaTime(value: start, timescale: 30_000), end: MediaTime(value: end, timescale: 30_000),
                    title: String(repeating: "x", count: titleBytes))
            }
            let path = try film.stitch(plan)
            let found = chapters(try probed(path)).filter { !$0.1.isEmpty }
            #expect(found.count == (titleBytes == 0 ? 0 : count), "\(count) chapters, titles of \(titleBytes) bytes")
            return try Data(contentsOf: URL(fileURLWithPath: path)).count
        }
        let none = try byteCount(0, 0)
        for (count, titleBytes) in [(1, 1), (3, 12), (40, 30), (150, 1), (150, 255), (150, 1000), (150, 0)] {
            // Two texts of each, and 300 bytes for a chapter and the stretch behind it.
            let most = 4096 + count * (300 + 3 * titleBytes)
            let added = try byteCount(count, titleBytes) - none
            #expect(added > 0 && added < most, "\(count) chapters, titles of \(titleBytes) bytes: \(added)")
        }
    }

    @Test func fragmentedFilmsHaveThem() throws {
        let (film, plan, path) = try stitched(.mp4, isFragmented: true)
        // Its folder goes away with it.
        defer { withExtendedLifetime(film) {} }
        #expect(chapters(try probed(path)).map(\.1) == ["", "Anfang", "Zwölf", "", ""])
        let report = try verifyFilm(path: path, plan: plan, decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    @Test(arguments: [Container.mp4, .mov, .mkv])
    func dispositionsAndPlaceReachTheFilm(container: Container) throws {
        let (film, _, path) = try stitched(container)
        // Its folder goes away with it.
        defer { withExtendedLifetime(film) {} }
        let root = try probed(path)
        let streams = root["streams"] as? [[String: Any]] ?? []
        let flags = streams.prefix(2).map { $0["disposition"] as? [String: Int] ?? [:] }
        #expect(flags.map { $0["default"] } == [1, 1])
        #expect(flags.last?["comment"] == (container == .mov ? 0 : 1))
        #expect(flags.last?["hearing_impaired"] == (container == .mov ? 0 : 1))
        let tags = (root["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
        let place = tags.first { $0.key.lowercased() == "location" }?.value
        #expect(place == "+48.1250+011.5000/")
    }
}
