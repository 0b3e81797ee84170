import Authoring
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// Where the subtitles of `splitreel new` stand.
@Suite("Subtitles of films of clips") struct SubtitlePlaceTests {
    private static func clip() -> Clip {
        var video = VideoFacts(codedSize: PixelSize(width: 64, height: 36), pixelFormat: "yuv420p")
        video.nominalFrameRate = MediaTime(value: 25, timescale: 1)
        let length = MediaTime(value: 8, timescale: 1)
        let track = TrackFacts(id: 1, type: .video, codec: "vp8", duration: length, video: video)
        let facts = AssetFacts(kind: .media, path: "/a.webm", duration: length, tracks: [track])
        return Clip(path: "/a.webm", shown: "a.webm", facts: facts)
    }

    private func film(
        _ size: PixelSize, plates: [FilmTitles.Caption?], title: FilmTitles.Caption? = nil
    ) throws -> Project {
        var options = FilmOptions()
        options.titles.title = title
        options.size = size
        options.titles.subtitles = ("a.srt", AssetFacts(kind: .data, path: "/a.srt"))
        options.titles.lowerThirds = plates
        return try FilmBuilder(clips: [Self.clip()], options: options).project()
    }

    /// Their area ends above the plate, whose place counts from below.
    @Test(arguments: [(1280, 720), (720, 1280), (640, 640)]) func theyStandAbovePlates(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let made = try film(size, plates: [FilmTitles.Caption(text: "Ada", detail: "Engineer")])
        let area = try #require(made.video?.subtitles?.first?.area)
        let layers = made.video?.animation?.root.sublayers ?? []
        let plate = try #require(layers.first { $0.id == "lower-third-1" })
        let bounds = try #require(plate.bounds)
        let position = try #require(plate.position)
        #expect(area.y + area.height < Double(height) - (position.y + bounds.height))
        #expect(area.x >= 0 && area.x + area.width <= Double(width) && area.height > Double(height) / 2)
    }

    /// Two lines of subtitles, each of 1.5 times their letters, fit below the title's small line.
    @Test(arguments: [(1280, 720), (720, 1280), (640, 640)])
    func theyStandBelowTheTitle(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let title = FilmTitles.Caption(text: "Trip", detail: "2026")
        let made = try film(size, plates: [FilmTitles.Caption(text: "Ada", detail: "")], title: title)
        let area = try #require(made.video?.subtitles?.first?.area)
        let card = try #require(made.video?.animation?.root.sublayers?.first { $0.id == "title" })
        // The small line hangs from its place, which counts from below.
        let small = try #require(card.sublayers?.first { $0.contents?.text?.string == "2026" })
        let letters = try #require(small.contents?.text?.size)
        let place = try #require(small.position)
        let top: Double = Double(height) - place.y
        let lines: Double = 2 * 1.5 * Double(min(width, height)) / 18
        #expect(top + 1.3 * letters < area.y + area.height - lines)
        #expect(small.anchorPoint?.y == 1)
        // Without plates the title stands in the middle, where its template has it.
        let alone = try film(size, plates: [], title: title)
        let plain = alone.video?.animation?.root.sublayers?.first { $0.id == "title" }
        let usual = try #require(plain?.sublayers?.first { $0.contents?.text?.string == "2026" }?.position)
        #expect(small.position == LayerPoint(usual.x, usual.y + Double(min(width, height)) / 10))
    }

    @Test func withoutPlatesTheyStandAsEver() throws {
        let made = try film(PixelSize(width: 1280, height: 720), plates: [nil])
        #expect(made.video?.subtitles?.count == 1 && made.video?.subtitles?.first?.area == nil)
    }
}
