import Authoring
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing

/// The titles of films that `splitreel new` makes, and when they stand.
@Suite("Times of titles") struct TitleTimesTests {
    private typealias Caption = FilmTitles.Caption

    private static func clips(_ seconds: [Int64]) -> [Clip] {
        seconds.map { seconds in
            var video = VideoFacts(codedSize: PixelSize(width: 64, height: 36), pixelFormat: "yuv420p")
            video.nominalFrameRate = MediaTime(value: 10, timescale: 1)
            let length = MediaTime(value: seconds, timescale: 10)
            let track = TrackFacts(id: 1, type: .video, codec: "h264", duration: length, video: video)
            let facts = AssetFacts(kind: .media, path: "/a.mp4", duration: length, tracks: [track])
            return Clip(path: "/a.mp4", shown: "a.mp4", facts: facts)
        }
    }

    private static func ada(_ count: Int = 1) -> [Caption?] {
        Array(repeating: Caption(text: "Ada Lovelace", detail: "Engineer"), count: count)
    }

    /// The times of the layers by their ids.
    private static func times(_ cut: FilmBuilder) throws -> [String: (start: Rational, end: Rational)] {
        var times: [String: (start: Rational, end: Rational)] = [:]
        for layer in try cut.project().video?.animation?.root.sublayers ?? [] {
            guard let id = layer.id, let begin = layer.beginTime, let length = layer.duration else { continue }
            times[id] = (Rational(begin), Rational(begin) + Rational(length))
        }
        return times
    }

    /// Twenty letters take one second and 20 / 15 = 1.33 of them, in tenths.
    @Test func readingTakesASecondAndMore() {
        #expect(Caption(text: "Ada Lovelace", detail: "Engineer").readingTime == Rational(24, 10))
        #expect(Caption(text: "", detail: "").readingTime == 1)
    }

    /// Clips in tenths of a second. A plate never stands while a title or a chapter's card does, and is in its clip.
    @Test(arguments: [[100], [60], [50], [40], [25], [16], [16, 50], [30, 30], [60, 60, 10]] as [[Int64]])
    func captionsFollowEachOther(seconds: [Int64]) throws {
        var options = FilmOptions()
        options.titles.title = Caption(text: "Trip", detail: "2026")
        options.titles.lowerThirds = Self.ada(seconds.count)
        options.titles.chapters = [Caption(text: "One", detail: "")]
        let cut = try FilmBuilder(clips: Self.clips(seconds), options: options)
        let times = try Self.times(cut)
        let title = try #require(times["title"])
        #expect(title.start == .zero && title.end > .zero)
        let card = try #require(times["chapter-1"])
        #expect(card.start >= title.end)
        var clipEnd = Rational.zero
        for (index, length) in seconds.enumerated() {
            let plate = try #require(times["lower-third-\(index + 1)"])
            #expect(plate.start >= (index == 0 ? card.end : title.end) && plate.start >= clipEnd)
            clipEnd += Rational(Int(length), 10)
            #expect(plate.end <= clipEnd && plate.end > plate.start)
        }
    }

    /// A clip of four seconds has room for a title of 1.6 s and for the plate's 2.4.
    @Test func aTitleMakesRoom() throws {
        var options = FilmOptions()
        options.titles.title = Caption(text: "Trip", detail: "2026")
        options.titles.lowerThirds = Self.ada()
        let cut = try FilmBuilder(clips: Self.clips([40]), options: options)
        let times = try Self.times(cut)
        #expect(times["title"]?.end == Rational(16, 10))
        #expect(times["lower-third-1"]?.start == Rational(16, 10) && times["lower-third-1"]?.end == 4)
        #expect(cut.remarks.isEmpty)
    }

    /// With dissolves of half a second before and behind, 0.6 s are left of 1.6.
    @Test func platesThatCannotBeReadAreRemarked() throws {
        var options = FilmOptions()
        options.overlap = Rational(1, 2)
        options.titles.lowerThirds = [nil] + Self.ada()
        let cut = try FilmBuilder(clips: Self.clips([40, 16, 40]), options: options)
        #expect(cut.remarks.count == 1)
        let remark = try #require(cut.remarks.first)
        for words in ["name plate of clip 2", "Ada Lovelace", "0.6 s", "2.4 s"] { #expect(remark.contains(words)) }
    }
}
