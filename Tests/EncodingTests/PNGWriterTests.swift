import Diagnostics
import Foundation
import MediaWriting
import Outputs
import Pictures
import Testing

@Suite struct PNGWriterTests {
    /// ffmpeg's reading of the file: R, G, B for every pixel, row by row.
    private func pixels(_ path: String, format: String = "rgb24") throws -> [UInt8] {
        [UInt8](try run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"]))
    }

    private func size(_ path: String) throws -> [Int] {
        // Width and height are the first two words of the first chunk, after the signature and the chunk's header.
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return [16, 20].map { at in bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    }

    /// R'G'B' by the matrix's own equations.
    @Test(arguments: [ColourMatrix.bt709, .bt601, .bt2020])
    func colourFollowsTheFramesMatrix(matrix: ColourMatrix) throws {
        let folder = try TemporaryFolder()
        let colour = ColourTriple(primaries: .bt709, transfer: .bt709, matrix: matrix)
        let settings = VideoSettings.sized(.ffv1, 32, 16, colour: colour)
        let (y, cb, cr) = (120, 90, 170)
        try writePNG(try flatFrame(settings, luma: { _, _ in y }, cb: cb, cr: cr), to: folder.file("a.png"))
        let (kr, kb) = matrix.weights
        let luma = Double(y - 16) / 219
        let (blue, red) = (Double(cb - 128) / 224, Double(cr - 128) / 224)
        let r = luma + 2 * (1 - kr) * red
        let b = luma + 2 * (1 - kb) * blue
        let g = (luma - kr * r - kb * b) / (1 - kr - kb)
        let found = try pixels(folder.file("a.png"))
        #expect(found.count == 32 * 16 * 3)
        for (index, wanted) in [r, g, b].enumerated() {
            #expect(abs(Double(found[3 * 200 + index]) - max(0, min(1, wanted)) * 255) <= 1.5, "channel \(index)")
        }
    }

    @Test(arguments: [0, 90, 180, 270])
    func picturesAreTurnedClockwise(rotation: Int) throws {
        let folder = try TemporaryFolder()
        let settings = VideoSettings.sized(.ffv1, 32, 16)
        // The top left corner is bright.
        let frame = try flatFrame(settings, luma: { x, y in x < 16 && y < 8 ? 235 : 16 })
        let path = folder.file("a.png")
        try writePNG(frame, to: path, rotation: rotation)
        let (width, height) = rotation % 180 == 0 ? (32, 16) : (16, 32)
        #expect(try size(path) == [width, height])
        let found = try pixels(path)
        let corners = [(2, 2), (width - 3, 2), (width - 3, height - 3), (2, height - 3)]
        for (index, corner) in corners.enumerated() {
            let value = found[3 * (corner.1 * width + corner.0)]
            #expect(value == (index == rotation / 90 ? 255 : 0))
        }
    }

    @Test func deepPicturesKeepTheirDepthAndSizesAreFollowed() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.png")
        let settings = VideoSettings.sized(.ffv1, 64, 32, format: .yuv422p10)
        try writePNG(
            try flatFrame(settings, luma: { _, _ in 126 }), to: path, size: PixelSize(width: 32, height: 16))
        #expect(try size(path) == [32, 16])
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))[24] == 16, "bits a channel")
        let found = try pixels(path, format: "rgb48be")
        let wanted = Double(126 - 16) / 219 * 65535
        #expect(abs(Double(Int(found[0]) << 8 | Int(found[1])) - wanted) < 200)
    }

    @Test func placesThatCannotBeWrittenAreTold() throws {
        let folder = try TemporaryFolder()
        let frame = try flatFrame(.sized(.ffv1, 16, 16), luma: { _, _ in 100 })
        func code(_ path: String) -> ErrorCode? {
            do {
                try writePNG(frame, to: path)
                return nil
            } catch { return (error as? SplitreelError)?.code }
        }
        #expect(code(folder.file("missing/a.png")) == .outputNotWritable)
        let full = folder.file("full.png")
        try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
        #expect(code(full) == .diskFull)
        #expect(!FileManager.default.fileExists(atPath: full))
    }
}
