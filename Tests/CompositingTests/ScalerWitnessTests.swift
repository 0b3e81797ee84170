import Compositing
import Foundation
import Pictures
import Testing

/// ffmpeg, where the machine has one with zscale.
enum Witness {
    static let path: String? = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first { candidate in
        guard FileManager.default.isExecutableFile(atPath: candidate) else { return false }
        guard let text = try? run(candidate, ["-hide_banner", "-filters"]) else { return false }
        return String(decoding: text, as: UTF8.self).contains("zscale")
    }

    static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data : Data()
    }

    /// A yuv420p picture scaled by zscale's bilinear filter.
    static func scaled(_ source: Picture, to size: (Int, Int), program: String) throws -> [[Int]] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yuv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(source.samples.joined().map { UInt8($0) }).write(to: file)
        let bytes = try run(
            program,
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(source.width)x\(source.height)", "-i",
                file.path, "-vf", "zscale=w=\(size.0):h=\(size.1):filter=bilinear", "-frames:v", "1", "-f", "rawvideo",
                "-pix_fmt", "yuv420p", "pipe:1",
            ])
        let (luma, chroma) = (size.0 * size.1, size.0 * size.1 / 4)
        guard bytes.count == luma + 2 * chroma else { return [] }
        let all = bytes.map { Int($0) }
        return [
            Array(all[0..<luma]), Array(all[luma..<(luma + chroma)]), Array(all[(luma + chroma)...]),
        ]
    }
}

@Suite("Pure scales against zscale", .enabled(if: Witness.path != nil, "ffmpeg with zscale is not installed"))
struct ScalerWitnessTests {
    @Test(arguments: [(192, 144), (240, 180), (96, 72), (64, 48), (58, 44), (154, 88), (100, 200)])
    func equalsBilinear(width: Int, height: Int) throws {
        let program = try #require(Witness.path)
        let source = Picture(192, 144, encoding()).paintScene(seed: 12)
        let expected = try Witness.scaled(source, to: (width, height), program: program)
        try #require(expected.count == 3)
        let transform = Affine.scale(Double(width) / 192, Double(height) / 144)
        let out = Picture(width, height, encoding()).compose([source.layer(transform)])
        #expect(psnr(out.samples[0], expected[0], bits: 8) >= 50)
        #expect(psnr(out.samples[1], expected[1], bits: 8) >= 50)
        #expect(psnr(out.samples[2], expected[2], bits: 8) >= 50)
    }
}
