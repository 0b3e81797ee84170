import Foundation
import MediaTime
import TestTools
import Testing

/// Texts on whole frames beside pango-view's, which draws them sixteen times as large in the same colours.
@Suite("Frames with texts beside Pango's own tool") struct PangoFrameTests {
    @Test(arguments: [
        ("DejaVu Sans", "Wave", "#ffcc33", "#1a3366"), ("Noto Sans Arabic", "نص حكيم", "#33ccff", "#661a1a"),
        ("Noto Sans Devanagari", "क्षत्रिय", "#ffffff", "#003300"), ("WenQuanYi Micro Hei", "我能吞", "#000000", "#cccccc"),
    ])
    func coloursAndPlaces(_ family: String, _ string: String, _ ink: String, _ ground: String) throws {
        func parts(_ colour: String) throws -> [Double] {
            let number = try #require(Int(colour.dropFirst(), radix: 16))
            return [16, 8, 0].map { Double(number >> $0 & 0xFF) / 255 }
        }
        let text = #""string": "\#(string)", "font": "\#(family)", "size": 32, "align": "left""#
        let frame = try RenderedTree(
            """
            {"bounds": [0, 0, 108, 84], "position": [20, 0], "anchorPoint": [0, 0],
             "contents": {"text": {\(text), "wrap": "none", "color": \(try parts(ink) + [1])}}}
            """,
            background: try parts(ground)
        ).frame(at: Rational(1))
        // Its layer's top left is 20 from the left and 12 from the top; both begin there.
        let view = try PangoView(
            string, font: "\(family) \(32 * 16)px", margin: 16 * 12, foreground: ink, background: ground,
            in: TestFolder("frame"))
        let found = (-1...1).map { lifted in
            let theirs = view.reduced(by: 16, width: 100, height: 84, lifted: lifted)
            let differences = theirs.indices.flatMap { place in
                zip(theirs[place], frame.colour(place % 100 + 8, place / 100)).map { abs($0 - $1) }
            }
            let square = differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)
            return (largest: differences.max() ?? 1, decibels: -10 * log10(max(square, 1e-9)))
        }
        let best = try #require(found.max { $0.decibels < $1.decibels })
        #expect(best.largest < 0.125 && best.decibels > 40, "\(family): \(found)")
        #expect(frame.colour(0, 0) != frame.colour(40, 40) || Set(frame.row(40)).count > 4)
    }
}
