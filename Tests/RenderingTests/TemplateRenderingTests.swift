import Authoring
import Foundation
import JSONText
import MediaTime
import Pictures
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// The pictures of templates over a film of a luma of 60 (16 + 219 · 0.2), two frames a second, in three shapes. The
/// tests figure out from the parameters what they are to show.
@Suite("Rendered templates") struct TemplateRenderingTests {
    private let fixture: RenderFixture
    private static let shapes = [(192, 108), (108, 192), (128, 128)]

    init() throws { fixture = try RenderFixture("templates") }

    private struct Film {
        let width: Int
        let height: Int
        /// Luma of frame k at k / 2 seconds.
        let frames: [[UInt8]]

        var unit: Double { Double(min(width, height)) }

        func luma(_ frame: Int, _ x: Int, _ y: Int) -> Int { Int(frames[frame][y * width + x]) }

        /// Rows of a frame in which something was drawn.
        func touched(_ frame: Int) -> [Int] {
            (0..<height).filter { y in (0..<width).contains { luma(frame, $0, y) != 60 } }
        }

        /// The luma codes of a part of a frame, row by row.
        func part(_ frame: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
            rows.flatMap { y in columns.map { luma(frame, $0, y) } }
        }
    }

    /// Ten seconds of it.
    private func film(_ name: String, _ arguments: String, _ shape: (Int, Int)) throws -> Film {
        let (width, height) = shape
        let template = try #require(Template.named(name))
        guard case .object(let members) = try JSONValue(parsing: Data(arguments.utf8)) else {
            throw ToolFailure("no object: \(arguments)")
        }
        let place = TemplatePlace(size: PixelSize(width: width, height: height), film: Rational(10), id: name)
        let fragment = try template.expand(members, in: place)
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0.2, 0.2, 0.2, 1]}},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "10s"]}]}]},
             "video": {"renderSize": [\(width), \(height)], "frameDuration": "1/2", "animation": {
                "videoLayers": ["film"], "root": {"sublayers": [{"id": "film", "bounds": [0, 0, \(width), \(height)],
                "position": [\(width / 2), \(height / 2)]}]}}}}
            """
        var project = try Project(parsing: Data(text.utf8))
        project.assets.merge(fragment.assets) { $1 }
        project.video?.animation?.root.sublayers?.append(contentsOf: fragment.layers)
        if !fragment.subtitles.isEmpty { project.video?.subtitles = fragment.subtitles }
        let plan = try fixture.plan(String(decoding: project.json.canonicalBytes(), as: UTF8.self)) {
            $0.rendering.chunkSeconds = "none"
        }
        let frames = try fixture.witness.luma(try fixture.render(plan, .chunk(0), to: "0.nut").path)
        try #require(frames.count == 20)
        return Film(width: width, height: height, frames: frames)
    }

    /// From 1 s to 6 s, in the lower third alone: a bar of 14 × 0.055 of the shorter side and 2.5 × as tall.
    @Test(arguments: Self.shapes)
    func aLowerThirdLiesInTheLowerThird(shape: (Int, Int)) throws {
        let film = try film("lower-third", #"{"name": "Ada <b>", "role": "Engineer"}"#, shape)
        for frame in [0, 1, 12, 13, 19] { #expect(film.touched(frame).isEmpty, "frame \(frame)") }
        let em = film.unit * 0.055
        let (bottom, tall) = (Double(film.height) * 0.92, em * 2.5)
        for frame in 3..<11 {
            let rows = film.touched(frame)
            #expect(rows.first.map { $0 >= film.height * 2 / 3 } == true, "frame \(frame)")
            #expect(abs(Double(rows.count) - tall) <= 2 && abs(Double((rows.last ?? 0) + 1) - bottom) <= 1)
        }
        // At the bar's lower edge no letters stand: its background, 60 · 0.35 + 16 · 0.65.
        let y = Int(bottom - em * 0.15)
        let wide = min(Double(film.width) * 0.9, em * 14)
        let columns = (0..<film.width).filter { film.luma(6, $0, y) != 60 }
        #expect(abs(Double(columns.count) - wide) <= 2)
        #expect(abs(Double(columns.first ?? 0) - Double(film.width) * 0.05) <= 1)
        #expect(abs(film.luma(6, film.width / 4, y) - 31) <= 2)
        // Letters are white, of strokes thinner than a pixel.
        #expect(film.frames[6].filter { $0 > 110 }.count > 20)
    }

    /// 60 and black in halves at its full strength, 0.6 s after 0 and before 4 s; the letters in the middle.
    @Test(arguments: Self.shapes)
    func aTitleCardDarkensAndWrites(shape: (Int, Int)) throws {
        let film = try film("title-card", #"{"title": "Trip", "subtitle": "of \"2026\""}"#, shape)
        for frame in 2...6 { #expect(abs(film.luma(frame, 0, 0) - 38) <= 1, "frame \(frame)") }
        // 0.5 of 0.6 s: 5/6 of the way.
        #expect(abs(film.luma(1, 0, 0) - 42) <= 1 && abs(film.luma(7, 0, 0) - 42) <= 1)
        #expect(film.luma(0, 0, 0) == 60 && film.touched(8).isEmpty)
        let bright = (0..<film.height).filter { y in (0..<film.width).contains { film.luma(4, $0, y) > 150 } }
        let share = bright.map { Double($0) / Double(film.height) }
        #expect((share.first ?? 0) > 0.15 && (share.last ?? 1) < 0.82)
        // The same to the left and to the right, but for the letters' own shapes.
        let columns = (0..<film.width).filter { x in (0..<film.height).contains { film.luma(4, x, $0) > 150 } }
        #expect(abs((columns.first ?? 0) + (columns.last ?? 0) - film.width + 1) <= 4)
    }

    /// A plate of nine tenths of white, 217.5, whose upper edge is at 0.08 of the height.
    @Test(arguments: Self.shapes)
    func aChapterCardSlidesIn(shape: (Int, Int)) throws {
        let film = try film("chapter-card", #"{"title": "I & II", "number": "<3", "begin": "1s"}"#, shape)
        let em = film.unit * 0.06
        let (wide, tall) = (min(Double(film.width) * 0.75, em * 12), em * 2.6)
        for frame in [0, 1, 8, 9] { #expect(film.touched(frame).isEmpty, "frame \(frame)") }
        for frame in 3...6 {
            let rows = film.touched(frame)
            #expect(abs(Double(rows.first ?? 0) - Double(film.height) * 0.08) <= 1)
            #expect(abs(Double(rows.count) - tall) <= 2)
            let y = (rows.first ?? 0) + 1
            let columns = (0..<film.width).filter { film.luma(frame, $0, y) != 60 }
            #expect(columns.first == 0 && abs(Double(columns.count) - wide) <= 1)
            #expect((216...218).contains(film.luma(frame, 2, y)))
        }
        // Letters are dark within it.
        let rows = film.touched(5).dropFirst(2).dropLast(2)
        let inside = film.part(5, 2..<Int(wide) - 2, (rows.first ?? 0)..<(rows.last ?? 0))
        #expect(inside.filter { $0 < 170 }.count > 10)
    }

    /// Lines go up by 0.15 of the height each second, and are gone when the background is.
    @Test(arguments: Self.shapes)
    func creditsMoveEvenly(shape: (Int, Int)) throws {
        let film = try film("end-credits", #"{"lines": ["Ada", "", "<i>Grace</i>"], "begin": "1s"}"#, shape)
        #expect(film.luma(1, 0, 0) == 60 && film.luma(2, 0, 0) == 16)
        // (height + 3 lines of 1.5 × 0.055 of the shorter side) / (0.15 of the height), in whole seconds.
        let (height, line) = (Double(film.height), film.unit * 0.055 * 1.5)
        let length = Int(((height + 3 * line) / (0.15 * height)).rounded(.up))
        let end = 2 + 2 * length
        #expect(film.frames.indices.allSatisfy { (film.luma($0, 0, 0) == 60) == ($0 < 2 || $0 >= end) })
        let tops = (2..<16).map { frame in
            (0..<film.height).first { y in (0..<film.width).contains { film.luma(frame, $0, y) > 100 } }
        }
        #expect(tops[0] == nil)
        let seen = tops.indices.filter { tops[$0].map { $0 > 0 && $0 < film.height - Int(line) } ?? false }
        #expect(seen.count >= 8)
        for (one, next) in zip(seen, seen.dropFirst()) {
            let way = Double((tops[one] ?? 0) - (tops[next] ?? 0))
            #expect(abs(way - height * 0.15 / 2 * Double(next - one)) <= 1.5, "\(tops)")
        }
    }

    /// A white picture of 2:1 whose area is that of a square of 0.14 of the shorter side, 0.045 of it from the corner.
    @Test(arguments: [("topRight", 0), ("bottomLeft", 1), ("topLeft", 2)])
    func aWatermarkStandsInItsCorner(corner: String, shape: Int) throws {
        let path = fixture.folder.file("white =\"1\".png")
        try fixture.witness.ffmpeg(["-f", "lavfi", "-i", "color=white:s=200x100", "-frames:v", "1", path])
        let name = path.replacingOccurrences(of: "\"", with: "\\\"")
        let film = try film(
            "watermark", #"{"picture": "\#(name)", "aspect": 2, "corner": "\#(corner)", "opacity": 0.5}"#,
            Self.shapes[shape])
        let (edge, side) = (film.unit * 0.045, film.unit * 0.14)
        let area = film.frames[5].reduce(0) { $0 + (Double($1) - 60) / (147.5 - 60) }
        #expect(abs(area - side * side) < side * side * 0.04 + 2)
        let rows = film.touched(5)
        let columns = (0..<film.width).filter { x in (0..<film.height).contains { film.luma(5, x, $0) != 60 } }
        let (above, below) = (Double(rows.first ?? 0), Double(film.height - 1 - (rows.last ?? 0)))
        let (before, behind) = (Double(columns.first ?? 0), Double(film.width - 1 - (columns.last ?? 0)))
        #expect(abs((corner.hasPrefix("top") ? above : below) - edge) <= 1)
        #expect(abs((corner.hasSuffix("Left") ? before : behind) - edge) <= 1)
        #expect(film.frames.allSatisfy { $0 == film.frames[0] })
    }

    /// At t of ten seconds t tenths of the width, between the bar's own luma and a quarter of white.
    @Test(arguments: Self.shapes)
    func aProgressBarIsAsWideAsItsTime(shape: (Int, Int)) throws {
        let film = try film("progress-bar", "{}", shape)
        let full = 16 + 219 * (0.2126 + 0.7152 * 0.75 + 0.0722 * 0.2)
        let empty = 60 * 0.75 + 235 * 0.25
        for frame in film.frames.indices {
            let row = (0..<film.width).map { Double(film.luma(frame, $0, film.height - 1)) }
            let width = row.reduce(0) { $0 + ($1 - empty) / (full - empty) }
            #expect(abs(width - Double(film.width) * Double(frame) / 20) < 1.5, "frame \(frame): \(width)")
            #expect(film.touched(frame).count == Int((film.unit * 0.015).rounded(.up)))
        }
        let half = try self.film("progress-bar", #"{"begin": "2s", "duration": "4s", "edge": "top"}"#, shape)
        #expect(half.touched(3).isEmpty && half.touched(12).isEmpty)
        let bright = (0..<half.width).filter { abs(Double(half.luma(8, $0, 0)) - full) <= 1 }
        #expect(abs(bright.count - half.width / 2) <= 1 && bright.first == 0)
    }

    /// Each second another number in the ring's middle, which stands for that second, and then the film.
    @Test(arguments: Self.shapes)
    func aCountdownCounts(shape: (Int, Int)) throws {
        let film = try film("countdown", #"{"from": 7, "begin": "1s"}"#, shape)
        let reach = Int(film.unit * 0.4 * 0.5)
        let (x, y) = (film.width / 2, film.height / 2)
        func digit(_ frame: Int) -> [Int] { film.part(frame, x - reach..<x + reach, y - reach..<y + reach) }
        #expect(film.touched(1).isEmpty && film.touched(16).isEmpty)
        let digits = (1...7).map { digit(2 * $0) }
        #expect(Set(digits).count == 7 && digits.allSatisfy { $0.contains(235) })
        for second in 1...7 {
            #expect(digit(2 * second) == digit(2 * second + 1))
            // Half of the ring after half a second: its right half.
            #expect(film.frames[2 * second] != film.frames[2 * second + 1])
        }
        let ring = Int(film.unit * 0.4 * 0.89)
        #expect(film.luma(3, x + ring, y) > 180 && film.luma(3, x - ring, y) < 60)
    }

    /// Words that are still to come are white, others are not.
    @Test func karaokeWordsChangeTheirColour() throws {
        let words = "WEBVTT\n\n00:01.000 --> 00:08.000\nsung <00:03.000>word <00:06.000>by\n"
        let path = try fixture.folder.write(words, to: "song.vtt")
        let film = try film(
            "karaoke-captions", #"{"file": "\#(path)", "highlight": [0, 0, 0, 1], "size": 0.14}"#, Self.shapes[0])
        func white(_ frame: Int) -> Int { film.frames[frame].filter { $0 > 220 }.count }
        #expect(film.touched(1).isEmpty && film.touched(16).isEmpty)
        #expect(white(3) > white(7) && white(7) > 0 && white(13) == 0)
        #expect(white(3) == white(5) && white(7) == white(11))
        #expect(film.touched(13).allSatisfy { $0 > film.height * 3 / 4 })
    }
}
