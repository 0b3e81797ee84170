import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Testing

/// Every layout to every other one, by the rules that docs/reference/audio.md states, worked out here in their own
/// words.
@Suite struct ChannelLayoutTests {
    /// The places of channels and their bits in libavutil's masks.
    private static let places: [(name: String, bit: UInt32)] = [
        ("L", 0x1), ("R", 0x2), ("C", 0x4), ("LFE", 0x8), ("BL", 0x10), ("BR", 0x20), ("LC", 0x40), ("RC", 0x80),
        ("BC", 0x100), ("SL", 0x200), ("SR", 0x400),
    ]
    private static let layouts: [(name: String, places: String)] = [
        ("mono", "C"), ("stereo", "L R"), ("2.1", "L R LFE"), ("3.0", "L R C"), ("3.0(back)", "L R BC"),
        ("4.0", "L R C BC"), ("quad", "L R BL BR"), ("quad(side)", "L R SL SR"), ("3.1", "L R C LFE"),
        ("5.0", "L R C BL BR"), ("5.0(side)", "L R C SL SR"), ("4.1", "L R C LFE BC"), ("5.1", "L R C LFE BL BR"),
        ("5.1(side)", "L R C LFE SL SR"), ("6.0", "L R C BC SL SR"), ("6.0(front)", "L R LC RC SL SR"),
        ("hexagonal", "L R C BL BR BC"), ("6.1", "L R C LFE BC SL SR"), ("6.1(back)", "L R C LFE BL BR BC"),
        ("6.1(front)", "L R LFE LC RC SL SR"), ("7.0", "L R C BL BR SL SR"), ("7.0(front)", "L R C LC RC SL SR"),
        ("7.1", "L R C LFE BL BR SL SR"), ("7.1(wide)", "L R C LFE BL BR LC RC"),
        ("7.1(wide-side)", "L R C LFE LC RC SL SR"), ("octagonal", "L R C BL BR BC SL SR"),
    ]

    private static func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Where a channel that the film does not have goes, and how much of it.
    private static func ways(of channel: String, from: [String], to: [String]) -> [(to: String, part: Double)] {
        let half = 0.5.squareRoot()
        let side = String(channel.suffix(1))
        switch channel {
        case "C": return [("L", half), ("R", half)]
        case "L", "R": return [("C", half)]
        case "BC":
            if to.contains("BL") { return [("BL", half), ("BR", half)] }
            if to.contains("SL") { return [("SL", half), ("SR", half)] }
            return to.contains("L") ? [("L", 0.5), ("R", 0.5)] : [("C", 0.5)]
        case "BL", "BR":
            if to.contains("BC") { return [("BC", half)] }
            if to.contains("SL") { return [("S" + side, from.contains("SL") ? half : 1)] }
            return to.contains("L") ? [(side, half)] : [("C", 0.5)]
        case "SL", "SR":
            if to.contains("BL") { return [("B" + side, from.contains("BL") ? half : 1)] }
            if to.contains("BC") { return [("BC", half)] }
            return to.contains("L") ? [(side, half)] : [("C", 0.5)]
        case "LC", "RC": return to.contains("L") ? [(String(channel.prefix(1)), 1)] : [("C", half)]
        default: return []
        }
    }

    /// A row for each channel out.
    private static func matrix(from: [String], to: [String]) -> [[Double]] {
        var rows = [[Double]](repeating: [Double](repeating: 0, count: from.count), count: to.count)
        for (column, channel) in from.enumerated() {
            let ways = to.contains(channel) ? [(to: channel, part: 1)] : ways(of: channel, from: from, to: to)
            for way in ways { if let row = to.firstIndex(of: way.to) { rows[row][column] += way.part } }
        }
        let scale = max(1, rows.map { $0.reduce(0, +) }.max() ?? 1)
        return rows.map { $0.map { $0 / scale } }
    }

    /// A WAV file of floats that tells its layout by a mask: each channel has a level of its own.
    private static func wave(_ places: [String], levels: [Float], count: Int) -> Data {
        var data = Data()
        func append(_ value: UInt32, _ size: Int) {
            for byte in 0..<size { data.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte)))) }
        }
        let (width, mask) = (
            4 * levels.count, Self.places.filter { places.contains($0.name) }.reduce(0) { $0 | $1.bit }
        )
        data.append(contentsOf: "RIFF".utf8)
        append(UInt32(60 + width * count), 4)
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(40, 4)
        append(0xFFFE, 2)
        append(UInt32(levels.count), 2)
        append(48_000, 4)
        append(UInt32(48_000 * width), 4)
        append(UInt32(width), 2)
        append(32, 2)
        append(22, 2)
        append(32, 2)
        append(mask, 4)
        // The kind of samples: IEEE floats.
        data.append(contentsOf: [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        data.append(contentsOf: "data".utf8)
        append(UInt32(width * count), 4)
        for _ in 0..<count { for level in levels { append(level.bitPattern, 4) } }
        return data
    }

    @Test func everyLayoutIsThere() {
        #expect(ChannelLayout.standard.map(\.rawValue) == Self.layouts.map(\.name))
        for (layout, own) in zip(ChannelLayout.standard, Self.layouts) {
            let places = Self.split(own.places)
            let mask = Self.places.filter { places.contains($0.name) }.reduce(0) { $0 | UInt64($1.bit) }
            #expect(layout.mask == mask && layout.channels == places.count, "\(own.name)")
        }
        #expect(
            (0...9).map { ChannelLayout.usual(channels: $0)?.rawValue ?? "-" } == [
                "-", "mono", "stereo", "2.1", "4.0", "5.0", "5.1", "6.1", "7.1", "-",
            ])
    }

    @Test(arguments: layouts.indices) func layoutsAreMixedAsStated(index: Int) throws {
        let from = Self.split(Self.layouts[index].places)
        let levels = from.indices.map { Float($0 + 2) / 16 }
        let path = NSTemporaryDirectory() + "/layout-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.wave(from, levels: levels, count: 64).write(to: URL(fileURLWithPath: path))
        for (name, places) in Self.layouts {
            let to = Self.split(places)
            let layout = try #require(ChannelLayout(rawValue: name))
            let reader = try AudioReader(
                path: path, track: 1, sampleRate: 48_000, channels: to.count, layout: layout, sourceStart: .zero,
                sourceDuration: Rational(64, 48_000))
            let got = try readAll(reader, channels: to.count, count: 64)
            for (channel, row) in Self.matrix(from: from, to: to).enumerated() {
                let wanted = zip(row, levels).reduce(0) { $0 + $1.0 * Double($1.1) }
                #expect(
                    got[channel].allSatisfy { abs(Double($0) - wanted) < 1e-6 },
                    "\(Self.layouts[index].name) to \(name), \(to[channel]): \(got[channel][0]), not \(wanted)")
            }
        }
    }
}
