import Effects
import Foundation
import JSONText
import Pictures
import TestTools
import Testing

/// Keys against formulas in doubles and ffmpeg's chromakey, despill and lumakey.
@Suite struct KeyTests {
    private static let green: [Double] = [0.2, 0.7, 0.3]
    private static let params = JSONValue.object([
        "color": .array([0.2, 0.7, 0.3, 1].map { JSONValue($0) }), "tolerance": JSONValue(0.15),
        "softness": JSONValue(0.2), "spill": JSONValue(0.8),
    ])

    @Test(arguments: TransitionTests.kinds) func chromaKeyIsAsTheFormulaSays(_ kind: TransitionTests.Kind) throws {
        let picture = TestPicture(kind, seed: 21)
        let reference = ColourReference(picture: picture)
        let unit = Double(1 << (kind.bits - 8))
        let maximum = Double((1 << kind.bits) - 1)
        let result = try TestPicture.changed("chroma-key", Self.params, picture, withAlpha: true)
        let key = reference.codes(Self.green)
        let count = kind.width * kind.height
        let alpha = (0..<count).map { index -> Double in
            let (x, y) = (index % kind.width, index / kind.width)
            let (b, r) = (reference.chroma(1, x, y) - key[1], reference.chroma(2, x, y) - key[2])
            let distance = (b * b + r * r).squareRoot() / (224 * unit)
            let kept = kind.hasAlpha ? Double(picture.planes[3][index]) : maximum
            return min(max((distance - 0.15) / 0.2, 0), 1) * kept
        }
        #expect(result.worst(3, alpha) <= 0.51)
        // What green has above the mean of red and blue.
        let taken = reference.pixels.map { max($0[1] - ($0[0] + $0[2]) / 2, 0) * 0.8 }
        let black = reference.codes([0, 0, 0])
        let codes = zip(black, reference.codes([0, 1, 0])).map { $1 - $0 }
        for plane in 0..<3 {
            let size = TestPicture.size(kind, plane)
            let expected = (0..<size.width * size.height).map { index -> Double in
                let taps = ColourReference.taps(
                    kind, index % size.width, index / size.width, isChroma: plane > 0)
                let sum = taps.reduce(0) { $0 + taken[$1.index] * $1.weight }
                return Double(picture.planes[plane][index]) - sum * codes[plane]
            }
            #expect(result.worst(plane, expected) <= 0.51, "plane \(plane)")
        }
    }

    @Test(arguments: TransitionTests.kinds) func lumaKeyIsAsTheFormulaSays(_ kind: TransitionTests.Kind) throws {
        let picture = TestPicture(kind, seed: 22)
        let unit = Double(1 << (kind.bits - 8))
        let params = JSONValue.object([
            "threshold": JSONValue(0.3), "tolerance": JSONValue(0.1), "softness": JSONValue(0.2),
        ])
        let result = try TestPicture.changed("luma-key", params, picture, withAlpha: true)
        let maximum = Double((1 << kind.bits) - 1)
        let alpha = picture.planes[0].enumerated().map { index, code -> Double in
            let luma = (Double(code) / unit - 16) / 219
            let kept = kind.hasAlpha ? Double(picture.planes[3][index]) : maximum
            return min(max((abs(luma - 0.3) - 0.1) / 0.2, 0), 1) * kept
        }
        #expect(result.worst(3, alpha) <= 0.51)
        #expect(Array(result.planes[..<3]) == Array(picture.planes[..<3]))
    }

    /// Patches of one colour each, of which ffmpeg's averages over neighbours tell nothing.
    @Test func keysAreAsOfFFmpeg() throws {
        let kind = TransitionTests.Kind(bits: 8, shiftX: 0, shiftY: 0, width: 128, height: 64, hasAlpha: false)
        var picture = TestPicture(kind, seed: 1)
        for index in 0..<128 * 64 {
            let (column, row) = (index % 128 / 8, index / 128 / 8)
            picture.planes[0][index] = UInt16(40 + 20 * row + column)
            picture.planes[1][index] = UInt16(44 + 9 * column)
            picture.planes[2][index] = UInt16(34 + 14 * row + column)
        }
        let folder = try TestFolder("key")
        let bytes = Data(picture.planes[..<3].joined().map { UInt8($0) })
        let input = try folder.write(bytes, to: "in.yuv")
        func filtered(_ filter: String) throws -> [UInt8] {
            let result = try Tool(
                "/usr/bin/ffmpeg",
                [
                    "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "128x64", "-i", input, "-vf",
                    "format=yuva444p,\(filter)", "-f", "rawvideo", "-pix_fmt", "yuva444p", "-",
                ], in: folder
            ).finish()
            try #require(result.standardOutput.count == 4 * 128 * 64, "\(result)")
            return Array(result.standardOutput.suffix(128 * 64))
        }
        // Its key colour is of BT.601 and of the samples' codes where `yuv` says so: Y, Cb, Cr as R, G, B.
        let key = ColourReference(picture: picture).codes(Self.green).map { Int($0.rounded()) }
        let scale = 224 / (255 * 2.0.squareRoot())
        let theirs = try filtered(
            String(
                format: "chromakey=0x%02x%02x%02x:%.9f:%.9f:yuv=1", key[0], key[1], key[2], 0.15 * scale, 0.2 * scale))
        let ours = try TestPicture.changed("chroma-key", Self.params, picture, withAlpha: true)
        #expect(Set(theirs).count > 20)
        // Its key is rounded to codes: half a code of 45.
        #expect(Self.worst(ours, theirs) <= 5)
        let params = JSONValue.object([
            "threshold": JSONValue(100.0 / 219), "tolerance": JSONValue(20.0 / 219), "softness": JSONValue(30.0 / 219),
        ])
        let luma = try TestPicture.changed("luma-key", params, picture, withAlpha: true)
        let expected = try filtered("lumakey=\(116.0 / 255):\(20.0 / 255):\(30.0 / 255)")
        #expect(Set(expected).count > 10)
        #expect(Self.worst(luma, expected) <= 9, "it counts in whole codes of 30")
    }

    private static func worst(_ ours: TestPicture, _ theirs: [UInt8]) -> Int {
        // In the middle of the patches.
        (0..<128 * 64).filter { $0 % 8 == 4 && $0 / 128 % 8 == 4 }.map {
            abs(Int(ours.planes[3][$0]) - Int(theirs[$0]))
        }
        .max() ?? 255
    }
}
