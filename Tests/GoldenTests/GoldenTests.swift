import Compositing
import Composition
import Foundation
import Media
import MediaTime
import Preparation
import Rendering
import Testing

/// Frames of small compositions, held against recorded hashes (they guard against change) and against pixel values
/// that were worked out by hand in each case's `expected.json` (they prove).
@Suite struct GoldenTests {
    struct Expected: Codable {
        struct Pixel: Codable {
            var frame: Int
            var x: Int
            var y: Int
            var luma: Int
            var tolerance: Int
            var why: String
        }
        var pixels: [Pixel]
        /// Frame number → FNV-1a 64 of the Y', Cb, Cr samples, in hex.
        var hashes: [String: String]
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    @Test func casesAreThere() { #expect(Self.names.count >= 9) }

    @Test(arguments: names) func frames(_ name: String) throws {
        let place = Self.folder.appendingPathComponent(name)
        let project = try Project(parsing: try Data(contentsOf: place.appendingPathComponent("composition.json")))
        let assets = try probeAllAssets(of: project)
        try refuseInvalid(project, assets: assets)
        let grabber = try FrameGrabber(project: project, assets: assets, isOnGrid: true)
        let expectedFile = place.appendingPathComponent("expected.json")
        var expected = try JSONDecoder().decode(Expected.self, from: try Data(contentsOf: expectedFile))
        var hashes: [String: String] = [:]
        #expect(!expected.pixels.isEmpty)
        for number in Set(expected.pixels.map(\.frame)).sorted() {
            let frame = try grabber.frame(at: Rational(number, 25))
            hashes["\(number)"] = Self.hash(frame)
            for pixel in expected.pixels where pixel.frame == number {
                let luma = Self.luma(frame, pixel.x, pixel.y)
                #expect(
                    abs(luma - pixel.luma) <= pixel.tolerance,
                    "\(name) frame \(number) at (\(pixel.x), \(pixel.y)): \(luma), not \(pixel.luma): \(pixel.why)")
            }
        }
        if Self.isUpdating {
            expected.hashes = hashes
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(expected).write(to: expectedFile)
            try? FileManager.default.removeItem(at: place.appendingPathComponent("expected.png"))
            let middle = hashes.keys.compactMap(Int.init).sorted()[hashes.count / 2]
            _ = try grabber.write(
                at: Rational(middle, 25), to: place.appendingPathComponent("expected.png").path, fitting: nil)
        }
        #expect(hashes == expected.hashes)
    }

    private static func luma(_ frame: borrowing Frame, _ x: Int, _ y: Int) -> Int {
        frame.withImage { image in
            Int(image.luma.base.load(fromByteOffset: y * image.luma.stride + x, as: UInt8.self))
        }
    }

    private static func hash(_ frame: borrowing Frame) -> String {
        frame.withImage { image in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for plane in [image.luma, image.cb, image.cr] {
                for row in 0..<plane.height {
                    for column in 0..<plane.width {
                        let sample = plane.base.load(fromByteOffset: row * plane.stride + column, as: UInt8.self)
                        hash = (hash ^ UInt64(sample)) &* 0x100_0000_01b3
                    }
                }
            }
            return String(hash, radix: 16)
        }
    }
}
