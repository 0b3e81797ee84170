import Compositing
import Foundation
import Pictures
import TestTools
import Testing

/// PSNR and SSIM against ffmpeg's filters of that name.
@Suite struct PictureDifferenceTests {
    /// A picture's planes as they lie in a raw file.
    private struct Raw {
        let width, height, depth, shiftX, shiftY: Int
        var bytes: [UInt8]

        init(_ width: Int, _ height: Int, depth: Int, shiftX: Int, shiftY: Int, _ code: (Int, Int, Int) -> Int) {
            (self.width, self.height, self.depth) = (width, height, depth)
            (self.shiftX, self.shiftY) = (shiftX, shiftY)
            bytes = []
            for plane in 0..<3 {
                let (w, h) = Self.size(of: plane, width, height, shiftX, shiftY)
                for y in 0..<h {
                    for x in 0..<w {
                        let value = max(0, min((1 << depth) - 1, code(plane, x, y)))
                        bytes.append(UInt8(value & 0xFF))
                        if depth > 8 { bytes.append(UInt8(value >> 8)) }
                    }
                }
            }
        }

        private static func size(of plane: Int, _ width: Int, _ height: Int, _ x: Int, _ y: Int) -> (Int, Int) {
            plane == 0 ? (width, height) : ((width + (1 << x) - 1) >> x, (height + (1 << y) - 1) >> y)
        }

        func withImage<R>(_ body: (PlanarImage) -> R) -> R {
            var copy = bytes
            let step = depth > 8 ? 2 : 1
            return copy.withUnsafeMutableBytes { raw in
                var offset = 0
                let planes = (0..<3).map { index -> Plane in
                    let (w, h) = Self.size(of: index, width, height, shiftX, shiftY)
                    defer { offset += w * h * step }
                    guard let base = raw.baseAddress else { preconditionFailure("a picture has samples") }
                    return Plane(base: base + offset, stride: w * step, width: w, height: h)
                }
                let encoding = PixelEncoding(
                    bitDepth: depth, chromaShiftX: shiftX, chromaShiftY: shiftY, chromaOffsetX: 0, chromaOffsetY: 0,
                    colour: .bt709, isFullRange: false)
                return body(
                    PlanarImage(luma: planes[0], cb: planes[1], cr: planes[2], alpha: nil, encoding: encoding))
            }
        }
    }

    private func stats(
        _ filter: String, _ one: String, _ other: String, _ input: [String], _ witness: TestTools.Witness
    ) throws
        -> [String: Double]
    {
        let text = try witness.ffmpeg(
            input + ["-i", one] + input + ["-i", other, "-lavfi", "\(filter)=stats_file=-", "-f", "null", "-"]
        ).text
        var found: [String: Double] = [:]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: ":")
            if parts.count == 2, let value = Double(parts[1]) { found[String(parts[0])] = value }
        }
        return found
    }

    @Test(arguments: [
        (64, 48, 8, 1, 1, "yuv420p", 6), (70, 46, 8, 1, 1, "yuv420p", 40), (70, 46, 8, 1, 0, "yuv422p", 1),
        (66, 50, 10, 0, 0, "yuv444p10le", 60), (64, 48, 10, 1, 1, "yuv420p10le", 300),
    ])
    func valuesAreThoseOfFfmpeg(
        width: Int, height: Int, depth: Int, shiftX: Int, shiftY: Int, format: String, noise: Int
    ) throws {
        let folder = try TestFolder("difference")
        let witness = TestTools.Witness(in: folder)
        var numbers = SeededNumbers(seed: UInt64(width * 1000 + noise))
        let scale = 1 << (depth - 8)
        func pattern(_ plane: Int, _ x: Int, _ y: Int) -> Int {
            (60 + (x * (3 + plane) + y * 2) % 120 + (x / 8 + y / 8) % 2 * 30) * scale
        }
        let one = Raw(width, height, depth: depth, shiftX: shiftX, shiftY: shiftY, pattern)
        let other = Raw(width, height, depth: depth, shiftX: shiftX, shiftY: shiftY) {
            pattern($0, $1, $2) + numbers.next(in: -noise..<(noise + 1))
        }
        try Data(one.bytes).write(to: URL(fileURLWithPath: folder.file("one.yuv")))
        try Data(other.bytes).write(to: URL(fileURLWithPath: folder.file("other.yuv")))
        let input = ["-f", "rawvideo", "-s", "\(width)x\(height)", "-pix_fmt", format]
        let found = one.withImage { first in other.withImage { PictureDifference(first, $0) } }
        let psnr = try stats("psnr", folder.file("one.yuv"), folder.file("other.yuv"), input, witness)
        #expect(abs(try #require(found.signalToNoise) - (try #require(psnr["psnr_avg"]))) < 0.006)
        #expect(abs(try #require(found.signalToNoiseOfLuma) - (try #require(psnr["psnr_y"]))) < 0.006)
        for (plane, key) in ["mse_y", "mse_u", "mse_v"].enumerated() {
            #expect(abs(found.meanSquares[plane] - (try #require(psnr[key]))) < 0.006)
        }
        let ssim = try stats("ssim", folder.file("one.yuv"), folder.file("other.yuv"), input, witness)
        #expect(abs(found.similarity - (try #require(ssim["All"]))) < 2e-5)
        for (plane, key) in ["Y", "U", "V"].enumerated() {
            #expect(abs(found.similarities[plane] - (try #require(ssim[key]))) < 2e-5)
        }
        let same = one.withImage { first in one.withImage { PictureDifference(first, $0) } }
        #expect(same.signalToNoise == nil && same.similarity == 1)
    }
}
