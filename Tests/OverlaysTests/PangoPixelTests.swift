import Drawings
import Foundation
import Overlays
import Pictures
import SplitreelProject
import TestTools
import Testing

/// Texts pixel by pixel beside pango-view's: it draws them sixteen times as large, where its whole-pixel places and its
/// antialiasing are a sixteenth of a pixel's, and the mean of 16×16 pixels of it is one of ours.
@Suite("Texts beside Pango's own tool") struct PangoPixelTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var script: String
        var family: String
        var string: String
        var more: [String] = []
        var change: @Sendable (inout TextDrawing) -> Void = { _ in }

        var testDescription: String { script }
    }

    static let samples = [
        Sample(script: "Latin", family: "DejaVu Sans", string: "Hagfish WAVE To. ffi"),
        Sample(script: "Latin with marks", family: "Noto Sans", string: "Ångström fjord & œuvre"),
        Sample(script: "Serifs", family: "DejaVu Serif", string: "The quick brown fox"),
        Sample(script: "Greek", family: "Noto Sans", string: "Ξεσκεπάζω τὴν ψυχή"),
        Sample(script: "Cyrillic", family: "Noto Sans", string: "Съешь ещё этих булок"),
        Sample(script: "Arabic", family: "Noto Sans Arabic", string: "نص حكيم له سر قاطع"),
        Sample(script: "Arabic of Kufa", family: "Noto Kufi Arabic", string: "نص حكيم له سر"),
        Sample(script: "Hebrew", family: "DejaVu Sans", string: "דג סקרן שט בים"),
        Sample(script: "Devanagari", family: "Noto Sans Devanagari", string: "ऋषियों को सताने वाले"),
        Sample(script: "Bengali", family: "Noto Sans Bengali", string: "আমি বাংলায় গান গাই"),
        Sample(script: "Tamil", family: "Noto Sans Tamil", string: "யாமறிந்த மொழி"),
        Sample(script: "Thai", family: "Noto Sans Thai", string: "เป็นมนุษย์สุดประเสริฐ"),
        Sample(script: "Chinese", family: "WenQuanYi Micro Hei", string: "我能吞下玻璃而不伤身体"),
        Sample(script: "Japanese", family: "WenQuanYi Micro Hei", string: "いろはにほへと"),
        Sample(script: "Korean", family: "WenQuanYi Micro Hei", string: "키스의 고유조건은"),
        Sample(script: "both directions", family: "DejaVu Sans", string: "ab אבג 12 cd"),
        Sample(
            script: "bold", family: "Cantarell", string: "Heavy 0123", more: ["--font=Cantarell Bold 640px"],
            change: { $0.font.weight = 700 }),
    ]

    private static let scale = 16
    private static let size = PixelSize(width: 480, height: 96)

    /// With its baseline on each of the three rows that it may have been moved to: Pango's own are whole.
    private func theirs(_ sample: Sample) throws -> [[Double]] {
        let view = try PangoView(
            sample.string, font: "\(sample.family) \(40 * Self.scale)px", margin: 20 * Self.scale, sample.more,
            in: TestFolder("pango"))
        return (-1...1).map { lifted in
            view.reduced(by: Self.scale, width: Self.size.width, height: Self.size.height, lifted: lifted)
                .map { 1 - $0[0] }
        }
    }

    /// - Parameter beside: by which it stands too far to the right and too low.
    private func ours(_ sample: Sample, beside: Double = 0) throws -> [Double] {
        var text = TextDrawing(string: sample.string, width: 600, height: 160)
        (text.font.names, text.font.size, text.align, text.wrap) = ([.named(sample.family)], 40, .left, .never)
        sample.change(&text)
        let origin = -20 - beside
        let picture = try DrawnPicture(DrawingPicture(.text(text), size: Self.size, originX: origin, originY: origin))
        return picture.planes[3].map { Double($0) / 255 }
    }

    /// The differences of coverage over all pixels that have ink: the largest, from 0 to 1, and the root of the mean
    /// square in decibels.
    private static func difference(_ first: [Double], _ second: [Double]) -> (largest: Double, decibels: Double) {
        let inked = first.indices.filter { first[$0] > 0 || second[$0] > 0 }
        let differences = inked.map { abs(first[$0] - second[$0]) }
        let square = differences.reduce(0) { $0 + $1 * $1 } / Double(max(1, inked.count))
        return (differences.max() ?? 1, -10 * log10(max(square, 1e-9)))
    }

    /// No pixel's coverage is another by an eighth, and 33 dB are left: the text stands on its place to a sixteenth of
    /// a pixel, for an eighth beside it there would be less than 30.
    @Test(arguments: samples) func eachPixelIsPangos(_ sample: Sample) throws {
        let theirs = try theirs(sample)
        func best(_ ours: [Double]) throws -> (largest: Double, decibels: Double) {
            try #require(theirs.map { Self.difference(ours, $0) }.max { $0.decibels < $1.decibels })
        }
        let drawn = try ours(sample)
        let found = try best(drawn)
        #expect(found.largest < 0.125 && found.decibels > 33, "\(sample.script): \(found)")
        #expect(drawn.reduce(0, +) > 500)
        let beside = try best(try ours(sample, beside: 0.125))
        #expect(beside.decibels < 30, "\(sample.script): \(beside)")
    }
}
