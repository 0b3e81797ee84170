import Diagnostics
import Foundation
import MediaTime
import Outputs
import Pictures
import SplitreelTimeline
import Testing
import Validation

@Suite("An output's own size and rate")
struct OutputSizeTests {
    private static let tracks =
        #"{"id": 1, "type": "video", "segments": [{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}]}"#

    private func recipe(_ size: PixelSize?, _ video: String = #""renderSize": [1280, 720]"#) throws -> PictureGroup {
        let made = try project(tracks: Self.tracks, #""video": {\#(video)}"#)
        return try Timeline(project: made, assets: ["a": filmFacts()], size: size).recipe(at: .zero)
    }

    private func map(_ recipe: PictureGroup) -> [Double] {
        guard let map = recipe.layers.first?.transform else { return [] }
        return [map.a, map.b, map.c, map.d, map.tx, map.ty]
    }

    @Test func theSameShapeIsScaled() throws {
        let half = try recipe(PixelSize(width: 640, height: 360))
        #expect(half.clip == nil && map(half) == [0.5, 0, 0, 0.5, 0, 0])
        let own = try recipe(PixelSize(width: 1280, height: 720))
        #expect(own == (try recipe(nil)) && map(own) == [1, 0, 0, 1, 0, 0])
        // 854 is what players call 16:9 at 480 lines: a third of a pixel too wide, and filled.
        let wide = try recipe(PixelSize(width: 854, height: 480))
        #expect(wide.clip == nil && map(wide) == [854.0 / 1280, 0, 0, 480.0 / 720, 0, 0])
    }

    @Test func anotherShapeIsFittedAndClipped() throws {
        let square = try recipe(PixelSize(width: 720, height: 720))
        // 720 × 405 in the middle, from an even line on.
        #expect(square.clip == Rect(x: 0, y: 156, width: 720, height: 405))
        #expect(map(square) == [0.5625, 0, 0, 0.5625, 0, 156])
        let tall = try recipe(PixelSize(width: 1920, height: 720))
        #expect(tall.clip == Rect(x: 320, y: 0, width: 1280, height: 720))
        #expect(map(tall) == [1, 0, 0, 1, 320, 0])
    }

    @Test func itRulesOverRenderScale() throws {
        let scaled = #""renderSize": [1280, 720], "renderScale": 0.25"#
        #expect(map(try recipe(nil, scaled)) == [0.25, 0, 0, 0.25, 0, 0])
        #expect(map(try recipe(PixelSize(width: 640, height: 360), scaled)) == [0.5, 0, 0, 0.5, 0, 0])
    }

    @Test func aRateChangesTheGridOnly() throws {
        let made = try project(tracks: Self.tracks)
        let timeline = try Timeline(
            project: made, assets: ["a": filmFacts()], frameDuration: MediaTime(value: 1, timescale: 10))
        #expect(timeline.frameDuration == time("1/10"))
        #expect(timeline.duration == Rational(4))
        #expect(timeline.recipe(at: Rational(21, 10)).layers.first?.sourceTime == Rational(21, 10))
    }

    @Test(arguments: [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"), ("2024-02-29", "2024-02-29T00:00:00Z"),
        ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"), ("1999-12-31 23:59:59.5-0100", "2000-01-01T00:59:59Z"),
        ("1904-01-01", "1904-01-01T00:00:00Z"), ("9999-12-31T23:59Z", "9999-12-31T23:59:00Z"),
    ])
    func creationDates(text: String, utc: String) {
        #expect(CreationDate(text)?.text == utc)
    }

    @Test(arguments: [
        "", "2026", "2026-13-01", "2026-02-29", "2026-01-02T24:00:00Z", "1903-12-31", "tomorrow",
        "2026-01-02T03:04:05+25:00",
    ])
    func datesThatAreNone(text: String) {
        #expect(CreationDate(text) == nil)
    }
}
