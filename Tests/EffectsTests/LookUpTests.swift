import Effects
import Foundation
import JSONText
import MediaFacts
import Pictures
import TestTools
import Testing

/// LUTs against formulas in doubles and ffmpeg's lut3d and lut1d.
@Suite struct LookUpTests {
    /// A look that bends every axis, from `low` to `high` each way.
    static func cube(_ size: Int, low: Double = 0, high: Double = 1) -> String {
        var text = "# a look\nTITLE \"look\"\nLUT_3D_SIZE \(size)\n"
        if low != 0 || high != 1 { text += "DOMAIN_MIN \(low) \(low) \(low)\nDOMAIN_MAX \(high) \(high) \(high)\n" }
        for index in 0..<size * size * size {
            let place = [index % size, index / size % size, index / size / size].map {
                Double($0) / Double(size - 1)
            }
            text += value(place).map { String(format: "%.6f", $0) }.joined(separator: " ") + "\n"
        }
        return text
    }

    private static func value(_ c: [Double]) -> [Double] {
        [0.1 + 0.7 * c[0] * c[0] + 0.1 * c[1], c[1].squareRoot() * 0.9, 0.2 * c[0] * c[1] + 0.7 * c[2] * c[2]]
    }

    private static func file(_ text: String) -> DataFile { DataFile(sum: text, bytes: Array(text.utf8)) }

    private static let params = JSONValue.object(["lut": .string("look")])

    /// The colour that a table of `size` values a side gives by tetrahedra. The six orders of the fractions are each a
    /// case of its own.
    private static func tetrahedral(_ size: Int, _ colour: [Double], low: Double, high: Double) -> [Double] {
        let places = colour.map { min(max(($0 - low) / (high - low), 0), 1) * Double(size - 1) }
        let cells = places.map { min(Int($0), size - 2) }
        let f = zip(places, cells).map { $0 - Double($1) }
        func node(_ r: Int, _ g: Int, _ b: Int) -> [Double] {
            value([cells[0] + r, cells[1] + g, cells[2] + b].map { Double($0) / Double(size - 1) })
        }
        let (r, g, b) = (f[0], f[1], f[2])
        let way: [([Double], Double)] =
            if r > g {
                g > b
                    ? [(node(1, 0, 0), r - g), (node(1, 1, 0), g - b), (node(1, 1, 1), b), (node(0, 0, 0), 1 - r)]
                    : r > b
                        ? [(node(1, 0, 0), r - b), (node(1, 0, 1), b - g), (node(1, 1, 1), g), (node(0, 0, 0), 1 - r)]
                        : [(node(0, 0, 1), b - r), (node(1, 0, 1), r - g), (node(1, 1, 1), g), (node(0, 0, 0), 1 - b)]
            } else {
                b > g
                    ? [(node(0, 0, 1), b - g), (node(0, 1, 1), g - r), (node(1, 1, 1), r), (node(0, 0, 0), 1 - b)]
                    : b > r
                        ? [(node(0, 1, 0), g - b), (node(0, 1, 1), b - r), (node(1, 1, 1), r), (node(0, 0, 0), 1 - g)]
                        : [(node(0, 1, 0), g - r), (node(1, 1, 0), r - b), (node(1, 1, 1), b), (node(0, 0, 0), 1 - g)]
            }
        return (0..<3).map { k in way.reduce(0) { $0 + $1.0[k] * $1.1 } }
    }

    @Test(arguments: TransitionTests.kinds) func latticesAreTetrahedral(_ kind: TransitionTests.Kind) throws {
        let picture = TestPicture(kind, seed: 11)
        let reference = ColourReference(picture: picture)
        for (size, low, high) in [(2, 0.0, 1.0), (9, 0, 1), (5, -0.2, 1.4)] {
            let result = try TestPicture.changed(
                "lut", Self.params, picture, files: ["look": Self.file(Self.cube(size, low: low, high: high))])
            let expected = reference.planes(
                reference.pixels.map { Self.tetrahedral(size, $0, low: low, high: high) })
            for plane in 0..<3 {
                let worst = result.worst(plane, expected[plane])
                #expect(worst <= (kind.bits > 8 ? 0.75 : 0.56), "size \(size), plane \(plane): \(worst)")
            }
        }
    }

    @Test func halfALookIsHalfTheWay() throws {
        let picture = TestPicture(TransitionTests.kinds[3], seed: 12)
        let reference = ColourReference(picture: picture)
        let result = try TestPicture.changed(
            "lut", .object(["lut": .string("look"), "amount": JSONValue(0.25)]), picture,
            files: ["look": Self.file(Self.cube(5))])
        let expected = reference.planes(
            reference.pixels.map { colour in
                zip(colour, Self.tetrahedral(5, colour, low: 0, high: 1)).map { $0 + ($1 - $0) * 0.25 }
            })
        for plane in 0..<3 { #expect(result.worst(plane, expected[plane]) <= 0.75) }
    }

    /// ffmpeg's own, on 16 bits of R'G'B'.
    @Test(arguments: [("lut3d", "interp=tetrahedral"), ("lut1d", "interp=linear")])
    func lutsAreAsOfFFmpeg(_ filter: String, _ option: String) throws {
        let text = filter == "lut3d" ? Self.cube(17) : Self.components(33)
        let kind = TransitionTests.Kind(bits: 10, shiftX: 0, shiftY: 0, width: 64, height: 64, hasAlpha: false)
        var picture = TestPicture(kind, seed: 13)
        // Colours that R'G'B' has.
        picture.planes[0] = (0..<4096).map { (place: Int) -> UInt16 in UInt16(300 + place * 7 % 400) }
        picture.planes[1] = (0..<4096).map { (place: Int) -> UInt16 in UInt16(452 + place % 64 * 2) }
        picture.planes[2] = (0..<4096).map { (place: Int) -> UInt16 in UInt16(452 + place / 64 * 2) }
        let reference = ColourReference(picture: picture)
        let folder = try TestFolder("lut")
        var bytes = Data()
        for colour in reference.pixels {
            for value in colour {
                try #require((0...1).contains(value))
                withUnsafeBytes(of: UInt16((value * 65535).rounded()).littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        let (input, cube) = (try folder.write(bytes, to: "in.rgb"), try folder.write(text, to: "look.cube"))
        let result = try Tool(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", "64x64", "-i", input, "-vf",
                "\(filter)=file=\(cube):\(option)", "-f", "rawvideo", "-pix_fmt", "rgb48le", "-",
            ], in: folder
        ).finish()
        let words = result.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        try #require(words.count == 3 * 4096, "\(result)")
        let expected = reference.planes(
            (0..<4096).map { k in (0..<3).map { Double(words[3 * k + $0]) / 65535 } })
        let ours = try TestPicture.changed("lut", Self.params, picture, files: ["look": Self.file(text)])
        for plane in 0..<3 {
            let worst = ours.worst(plane, expected[plane])
            #expect(worst <= 0.75, "\(filter), plane \(plane): \(worst)")
        }
    }

    /// A LUT by component whose rows are no even curve.
    static func components(_ size: Int) -> String {
        var text = "LUT_1D_SIZE \(size)\r\n"
        for index in 0..<size {
            let x = Double(index) / Double(size - 1)
            let row = [x * x, 0.9 * x.squareRoot(), index % 2 == 0 ? x : 0.9 * x]
            text += row.map { String(format: "%.6f", $0) }.joined(separator: " ") + "\r\n"
        }
        return text
    }
}
