import Foundation
import MediaTime
import Outputs
import Planning
import Stitching
import Testing

/// What a composition says of its film stands in the film; ffprobe is the witness.
@Suite("Tags of a film")
struct TagTests {
    private static let frameDuration = MediaTime(value: 1, timescale: 25)

    private func probe(_ path: String) throws -> (items: [String: String], streams: [[String: String]]) {
        let root = try probed(path)
        func tags(_ holder: Any?) -> [String: String] {
            let all = (holder as? [String: Any])?["tags"] as? [String: String] ?? [:]
            return Dictionary(all.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        }
        return (tags(root["format"]), (root["streams"] as? [[String: Any]] ?? []).map(tags))
    }

    @Test(arguments: [Container.mp4, .mov, .mkv])
    func titleDateAndLanguageReachTheFilm(container: Container) throws {
        let audio = AudioSettings(
            codec: container == .mkv ? .flac : .aac, bitRate: container == .mkv ? nil : 96_000, sampleRate: 48_000,
            channels: 1)
        let film = try FilmFixture(
            video: .small(.h264), audio: audio, frameDuration: Self.frameDuration, chunks: [10, 5])
        var tags = FilmTags()
        // Long enough to overflow a header that leaves no room for it.
        let comment = String(repeating: "ä", count: 20_000)
        tags.items = [
            "title": "Die Reise", "creation_time": "2026-01-02T03:04:05Z", "artist": "Somebody", "genre": comment,
        ]
        tags.video = FilmTags.Track(language: "fra", name: "Image")
        tags.audio = FilmTags.Track(language: "deu", name: "Ton")
        var plan = film.plan(container)
        plan.output.tags = tags
        let path = try film.stitch(plan)
        let found = try probe(path)
        #expect(found.items["title"] == "Die Reise")
        #expect(found.items["artist"] == "Somebody")
        #expect(found.items["genre"] == comment)
        #expect(found.items["creation_time"] == "2026-01-02T03:04:05.000000Z")
        #expect(
            found.streams.map { $0["language"] } == ["fre", "ger"]
                || found.streams.map { $0["language"] } == ["fra", "deu"]
                || found.streams.map { $0["language"] } == ["fra", "ger"])
        let names = found.streams.map { $0["title"] ?? $0["handler_name"] ?? $0["name"] }
        #expect(names == ["Image", "Ton"])
        let report = try verifyFilm(path: path, plan: plan, decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    /// What made it is told where the container keeps that; what would make it another film is not written.
    @Test(arguments: [(Container.mp4, "encoder"), (.mkv, "software")])
    func softwareReachesTheFilm(container: Container, key: String) throws {
        let audio = AudioSettings(
            codec: container == .mkv ? .flac : .aac, bitRate: container == .mkv ? nil : 96_000, sampleRate: 48_000,
            channels: 1)
        let film = try FilmFixture(
            video: .small(.h264), audio: audio, frameDuration: Self.frameDuration, chunks: [10, 5])
        var plan = film.plan(container)
        var tags = FilmTags()
        tags.items = ["encoding_tool": "Schnitt 3", "stereo_mode": "left_right", "timecode": "01:00:00:00"]
        plan.output.tags = tags
        let path = try film.stitch(plan)
        let found = try probe(path)
        #expect(found.items[key] == "Schnitt 3")
        // QuickTime's timecode would be a third one.
        #expect(found.streams.count == 2)
        #expect(found.streams.allSatisfy { $0["stereo_mode"] == nil })
        let report = try verifyFilm(path: path, plan: plan, decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }

    /// In Ogg the title of a film and the name of its sound are one comment.
    @Test(arguments: [("Die Reise", "Die Reise"), (nil, "Ton")])
    func titleOfOgg(title: String?, expected: String) throws {
        let film = try FilmFixture(
            video: nil, audio: .stereo(.opus), frameDuration: Self.frameDuration, chunks: [], sampleCount: 48_000)
        var tags = FilmTags()
        if let title { tags.items = ["title": title] }
        tags.audio = FilmTags.Track(language: "deu", name: "Ton")
        var plan = film.plan(.ogg)
        plan.output.tags = tags
        let found = try probe(try film.stitch(plan))
        #expect(found.streams.map { $0["title"] } == [expected])
        #expect(found.streams.map { $0["language"] } == ["deu"])
    }

    /// `--crf 0` is what people expect of it, whatever the pixel format, and over cuts; FFV1 is the witness.
    @Test(arguments: [WorkingFormat.yuv420p, .yuv422p, .yuv444p, .yuv420p10])
    func crfZeroLosesNothing(format: WorkingFormat) throws {
        var settings = VideoSettings.small(.h264, format: format)
        settings.crf = 0
        let chunks = [13, 1, 9]
        let film = try FilmFixture(video: settings, frameDuration: Self.frameDuration, chunks: chunks)
        let master = try FilmFixture(
            video: .small(.ffv1, format: format), frameDuration: Self.frameDuration, chunks: chunks)
        #expect(Set(film.segments.map(\.record.extradataHash)).count == 1)
        let path = try film.stitch(.mp4)
        #expect(try pictureHashes(path) == master.segments.flatMap { try pictureHashes($0.path) })
        let report = try verifyFilm(path: path, plan: film.plan(.mp4), decoding: true)
        #expect(report.ok, "\(report.checks.filter { !$0.ok })")
    }
}
