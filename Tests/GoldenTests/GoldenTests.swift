import Compositing
import Foundation
import MediaTime
import Preparation
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Frames of small compositions, held against recorded hashes and pictures (they guard against change) and against
/// sample values that were worked out by hand in each case's `expected.json` (they prove).
///
/// `UPDATE_GOLDEN=1` records hashes and pictures anew; the values by hand stay.
@Suite struct GoldenTests {
    struct Expected: Codable {
        struct Pixel: Codable {
            var frame: Int
            /// 0 Y', 1 Cb, 2 Cr; nil: 0. Positions count in samples of the plane.
            var plane: Int?
            var x: Int
            var y: Int
            /// The sample's code.
            var luma: Int
            var tolerance: Int
            var why: String
        }
        /// ffmpeg's name of a pixel format that the film is rendered in and decoded from; nil: the composed 4:4:4.
        var format: String?
        var pixels: [Pixel]
        /// Frame number → FNV-1a 64 of the Y', Cb, Cr samples, in hex.
        var hashes: [String: String]
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    @Test func casesAreThere() { #expect(Self.names.count >= 14) }

    @Test(arguments: names) func frames(_ name: String) throws {
        let place = Self.folder.appendingPathComponent(name)
        let text = try Data(contentsOf: place.appendingPathComponent("composition.json"))
        let project = try Project(parsing: text)
        let assets = try probeAllAssets(of: project)
        try refuseInvalid(project, assets: assets)
        let grabber = try FrameGrabber(project: project, assets: assets, isOnGrid: true)
        let expectedFile = place.appendingPathComponent("expected.json")
        var expected = try JSONDecoder().decode(Expected.self, from: try Data(contentsOf: expectedFile))
        #expect(!expected.pixels.isEmpty)
        let numbers = Set(expected.pixels.map(\.frame)).sorted()
        let frames: [Int: GoldenFrame]
        if let format = expected.format {
            frames = try GoldenFrame.rendered(project, format: format, numbers)
        } else {
            frames = try Dictionary(
                uniqueKeysWithValues: numbers.map { ($0, GoldenFrame(try grabber.frame(at: Rational($0, 25)))) })
        }
        for pixel in expected.pixels {
            let code = try #require(frames[pixel.frame]).sample(pixel.plane ?? 0, pixel.x, pixel.y)
            #expect(
                abs(code - pixel.luma) <= pixel.tolerance,
                "\(name) frame \(pixel.frame) at (\(pixel.x), \(pixel.y)): \(code), not \(pixel.luma): \(pixel.why)")
        }
        let hashes = Dictionary(uniqueKeysWithValues: frames.map { ("\($0)", $1.hash) })
        let middle = numbers[numbers.count / 2]
        let picture = place.appendingPathComponent("expected.png").path
        if Self.isUpdating {
            expected.hashes = hashes
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(expected).write(to: expectedFile)
            try? FileManager.default.removeItem(atPath: picture)
            _ = try grabber.write(at: Rational(middle, 25), to: picture, fitting: nil)
        }
        #expect(hashes == expected.hashes)
        try Self.checkPicture(picture, of: middle, grabber, expected)
    }

    /// The recorded picture is what is written now, pixel by pixel as ffmpeg reads both; its luma by BT.709's weights
    /// is that of the values worked out by hand.
    private static func checkPicture(
        _ recorded: String, of number: Int, _ grabber: FrameGrabber, _ expected: Expected
    ) throws {
        let witness = Witness(in: try TestFolder("golden"))
        let written = witness.folder.file("now.png")
        _ = try grabber.write(at: Rational(number, 25), to: written, fitting: nil)
        func pixels(_ file: String) throws -> [UInt8] {
            [UInt8](try witness.ffmpeg(["-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]).standardOutput)
        }
        let (old, new) = (try pixels(recorded), try pixels(written))
        let width = try #require(try witness.streams(recorded).first?["width"] as? Int)
        #expect(old == new, "\(recorded) differs from what is made now; UPDATE_GOLDEN=1 records it anew")
        // Of deeper formats the codes are others, and colours are half-covered in other cells.
        guard expected.format == nil, new.count == old.count else { return }
        for pixel in expected.pixels where pixel.frame == number && pixel.plane ?? 0 == 0 {
            let at = (pixel.y * width + pixel.x) * 3
            let weights = [0.2126, 0.7152, 0.0722]
            let light = zip(weights, new[at..<(at + 3)]).reduce(0) { $0 + $1.0 * Double($1.1) }
            // Each of R'G'B' was rounded and clipped at 0 and 255.
            #expect(
                abs(16 + light * 219 / 255 - Double(pixel.luma)) <= Double(pixel.tolerance) + 1,
                "(\(pixel.x), \(pixel.y)) of the picture: \(pixel.why)")
        }
    }
}
