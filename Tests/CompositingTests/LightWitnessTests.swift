import Compositing
import Foundation
import Pictures
import Testing

/// zscale does the same between SDR and HDR with `npl=203`, and between primaries; it has no tone mapping.
@Suite("Colours against zscale", .enabled(if: Witness.path != nil, "ffmpeg with zscale is not installed"))
struct LightWitnessTests {
    @Test(arguments: [
        (LightTests.sdr, LightTests.pq), (LightTests.sdr, LightTests.hlg), (LightTests.hlg, LightTests.pq),
        (LightTests.ntsc, LightTests.sdr), (LightTests.wide, LightTests.hlg), (LightTests.p3, LightTests.wide),
    ])
    func agrees(from: LightTests.Kind, to: LightTests.Kind) throws {
        let program = try #require(Witness.path)
        let (input, output) = (from.encoding(bits: 10), to.encoding(bits: 10))
        let source = Picture(64, 48, input)
        var random = Random(seed: 31)
        var colours: [[Int]] = []
        for _ in 0..<(64 * 48) {
            let grey = random.double(in: 0.1...0.7)
            let rgb = (0..<3).map { _ in min(max(grey + random.double(in: -0.15...0.15), 0.02), 0.75) }
            colours.append(LightReference.codes(rgb, input).map { Int($0.rounded()) })
        }
        for plane in 0..<3 { source.paint(plane) { x, y in colours[y * 64 + x][plane] } }
        let expected = try converted(source, to: output, program: program)
        try #require(expected.count == 3)
        let out = Picture(64, 48, output).compose([source.layer()])
        for plane in 0..<3 { #expect(psnr(out.samples[plane], expected[plane], bits: 10) >= 40, "plane \(plane)") }
    }

    private func converted(_ source: Picture, to output: PixelEncoding, program: String) throws -> [[Int]] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yuv")
        defer { try? FileManager.default.removeItem(at: file) }
        let words = source.samples.joined().flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        try Data(words).write(to: file)
        let (i, o) = (source.encoding, output)
        // Of sRGB the light is sRGB's; its codes are the film's.
        let screen = i.colour.transfer == .srgb ? "iec61966-2-1" : nil
        let options = [
            "pin=\(name(i.colour.primaries))", "tin=\(screen ?? name(i.colour.transfer))",
            "min=\(name(i.colour.matrix))",
            "rin=\(i.isFullRange ? "full" : "limited")", "p=\(name(o.colour.primaries))",
            "t=\(screen ?? name(o.colour.transfer))", "m=\(name(o.colour.matrix))",
            "r=\(o.isFullRange ? "full" : "limited")",
            "npl=203",
        ]
        let bytes = try Witness.run(
            program,
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "\(source.width)x\(source.height)",
                "-i", file.path, "-vf", "zscale=" + options.joined(separator: ":"), "-frames:v", "1", "-f",
                "rawvideo", "-pix_fmt", "yuv444p10le", "pipe:1",
            ])
        let count = source.width * source.height
        guard bytes.count == count * 6 else { return [] }
        let all = [UInt8](bytes)
        return (0..<3).map { plane in
            (0..<count).map { Int(all[2 * (plane * count + $0)]) | Int(all[2 * (plane * count + $0) + 1]) << 8 }
        }
    }

    private func name(_ primaries: ColourPrimaries) -> String {
        switch primaries {
        case .bt709: "709"
        case .ebu3213: "bt470bg"
        case .smpteC: "170m"
        case .p3D65: "smpte432"
        case .bt2020: "2020"
        }
    }

    private func name(_ transfer: ColourTransfer) -> String {
        switch transfer {
        case .bt709, .srgb, .smpte240M: "709"
        case .linear: "linear"
        case .pq: "smpte2084"
        case .hlg: "arib-std-b67"
        }
    }

    private func name(_ matrix: ColourMatrix) -> String {
        switch matrix {
        case .bt709: "709"
        case .bt601: "170m"
        case .smpte240M: "smpte240m"
        case .bt2020: "2020_ncl"
        }
    }
}
