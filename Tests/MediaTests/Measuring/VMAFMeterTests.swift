import Measuring
import Pictures
import TestTools
import Testing

/// When there is a meter and when not. What it measures is held against ffmpeg's in EndToEndTests.
@Suite("VMAF") struct VMAFMeterTests {
    private let size = PixelSize(width: 96, height: 64)

    @Test func withoutTheLibraryThereIsNoMeter() throws {
        #expect(try VMAFMeter(size: size, bitDepth: 8, names: ["libvmaf-of-nobody.so.9", "libnone.so"]) == nil)
    }

    /// Another library under its name; the reason is that of the first one.
    @Test func aLibraryThatCannotBeUsedIsTold() throws {
        let fault = #expect(throws: VMAFFault.self) {
            try VMAFMeter(size: size, bitDepth: 8, names: ["libnone.so", "libm.so.6", "libc.so.6"])
        }
        #expect(fault?.reason == "libvmaf is not usable: libm.so.6 has no vmaf_version")
    }

    @Test func aFileThatIsNoLibraryIsTold() throws {
        let folder = try TestFolder("vmaf")
        let path = try folder.write("no library", to: "libvmaf.so.3")
        let fault = #expect(throws: VMAFFault.self) { try VMAFMeter(size: size, bitDepth: 8, names: [path]) }
        #expect(fault?.reason.hasPrefix("libvmaf is not usable: \(path): ") == true, "\(fault?.reason ?? "")")
    }

    @Test(.enabled(if: VMAFWitness.hasLibrary, "libvmaf is not installed: make vmaf"))
    func smallPicturesAreRefused() throws {
        for side in [16, 32, 63] {
            let small = PixelSize(width: side, height: 200)
            let fault = #expect(throws: VMAFFault.self) { try VMAFMeter(size: small, bitDepth: 8) }
            #expect(fault?.reason.contains("64×64") == true)
        }
    }

    /// Rows that lie from the bottom to the top, wider than the picture, are read as they are meant.
    @Test(.enabled(if: VMAFWitness.hasLibrary, "libvmaf is not installed: make vmaf"), arguments: [8, 10])
    func rowsLieAsTheirPlaneSays(bitDepth: Int) throws {
        let meter = try #require(try VMAFMeter(size: size, bitDepth: bitDepth))
        let code = { (x: Int, y: Int) in (16 + (x * 5 + y * 3) % 200) << (bitDepth - 8) }
        Self.withLuma(size, bitDepth, code) { upright in
            Self.withLuma(size, bitDepth, { code($0, 63 - $1) }) { reversed in
                var turned = reversed
                turned.luma.base += 63 * reversed.luma.stride
                turned.luma.stride = -reversed.luma.stride
                meter.add(upright, of: upright)
                meter.add(turned, of: upright)
                meter.add(reversed, of: upright)
            }
        }
        let scores = try meter.scores(at: [0, 1, 2])
        #expect(scores[0] > 90 && scores[1] > 90 && scores[2] < 60, "\(scores)")
    }

    /// A picture whose colours are nobody's business.
    private static func withLuma(
        _ size: PixelSize, _ bitDepth: Int, _ code: (Int, Int) -> Int, _ body: (PlanarImage) -> Void
    ) {
        let (bytes, stride) = (bitDepth > 8 ? 2 : 1, size.width * 2 + 24)
        var samples = [UInt8](repeating: 0xA5, count: stride * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let value = code(x, y)
                samples[y * stride + x * bytes] = UInt8(value & 0xFF)
                if bytes == 2 { samples[y * stride + x * 2 + 1] = UInt8(value >> 8) }
            }
        }
        samples.withUnsafeMutableBytes { raw in
            guard let base = raw.baseAddress else { return }
            let plane = Plane(base: base, stride: stride, width: size.width, height: size.height)
            let encoding = PixelEncoding(
                bitDepth: bitDepth, chromaShiftX: 0, chromaShiftY: 0, chromaOffsetX: 0, chromaOffsetY: 0,
                colour: .bt709, isFullRange: false)
            body(PlanarImage(luma: plane, cb: plane, cr: plane, alpha: nil, encoding: encoding))
        }
    }
}
