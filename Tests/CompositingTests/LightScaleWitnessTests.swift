import Compositing
import Foundation
import Pictures
import Testing

/// zscale there, scaled between two conversions, and back: `linear` is BT.1886's light, as here.
@Suite(
    "Scales in linear light against zscale", .enabled(if: Witness.path != nil, "ffmpeg with zscale is not installed"))
struct LightScaleWitnessTests {
    @Test(arguments: [(240, 180), (96, 72), (64, 48), (154, 88)])
    func agrees(width: Int, height: Int) throws {
        let program = try #require(Witness.path)
        let e = encoding(.i444)
        let source = Picture(192, 144, e).paintScene(seed: 12)
        // Colours that R'G'B' can be.
        for plane in 1...2 { source.paint(plane) { x, y in 128 + (source[plane, x, y] - 128) / 4 } }
        source.paint(0) { x, y in min(max(source[0, x, y], 50), 200) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yuv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(source.samples.joined().map { UInt8($0) }).write(to: file)
        let there = "zscale=tin=709:pin=709:min=709:rin=limited:t=linear:p=709,format=gbrpf32le"
        let scale = "zscale=w=\(width):h=\(height):filter=bilinear"
        let back = "zscale=t=709:p=709:m=709:r=limited,format=yuv444p"
        let bytes = try Witness.run(
            program,
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "192x144", "-i", file.path, "-vf",
                "\(there),\(scale),\(back)", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv444p", "pipe:1",
            ])
        let count = width * height
        try #require(bytes.count == 3 * count)
        let expected = (0..<3).map { bytes[($0 * count)..<(($0 + 1) * count)].map { Int($0) } }
        let layer = source.layer(.scale(Double(width) / 192, Double(height) / 144))
        var compositor = Compositor(size: PixelSize(width: width, height: height), encoding: e, hasAlpha: false)
        let out = Picture(width, height, e)
        compositor.compose(background: .black, layers: [layer], into: out.image, light: LightUse(scales: true))
        for plane in 0..<3 { #expect(psnr(out.samples[plane], expected[plane], bits: 8) >= 48, "plane \(plane)") }
        // In codes it is another picture.
        let encoded = Picture(width, height, e).compose([layer])
        #expect(psnr(encoded.samples[0], expected[0], bits: 8) < psnr(out.samples[0], expected[0], bits: 8) - 3)
    }
}
