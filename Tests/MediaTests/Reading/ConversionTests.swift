import Compositing
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Outputs
import Pictures
import Testing

/// Samples of a plane as numbers, row by row.
func samples(_ plane: Plane, depth: Int) -> [Int] {
    (0..<plane.height).flatMap { y in
        (0..<plane.width).map { x in
            let row = plane.base + y * plane.stride
            return depth > 8
                ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                : Int(row.load(fromByteOffset: x, as: UInt8.self))
        }
    }
}

@Suite(.serialized) struct ConversionTests {
    private func temporary(_ ending: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("conversion-\(UUID().uuidString).\(ending)").path
    }

    /// A file of one 32×16 picture with those raw bytes.
    private func make(_ bytes: [UInt8], _ format: String, _ ending: String, _ codec: String) throws -> String {
        let (raw, path) = (temporary("raw"), temporary(ending))
        defer { try? FileManager.default.removeItem(atPath: raw) }
        try Data(bytes).write(to: URL(fileURLWithPath: raw))
        let made = output(
            of: "ffmpeg",
            [
                "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", format, "-s", "32x16", "-i", raw, "-frames:v", "1",
                "-c:v",
                codec, path,
            ])
        try #require(made != nil, "ffmpeg makes the file")
        return path
    }

    private func planes(_ path: String, _ matrix: ColourMatrix = .bt709) throws -> (
        planes: [[Int]], encoding: PixelEncoding
    ) {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let got = try VideoReader(path: path, track: 1).withFrame(at: .zero, matrixForRGB: matrix) { frame, _ in
            frame.withImage { image in
                ([image.luma, image.cb, image.cr] + (image.alpha.map { [$0] } ?? [])).map {
                    samples($0, depth: image.encoding.bitDepth)
                } + [[image.encoding.bitDepth]]
            }
        }
        let encoding = try VideoReader(path: path, track: 1).withFrame(at: .zero, matrixForRGB: matrix) { frame, _ in
            frame.withImage { $0.encoding }
        }
        return (Array(try #require(got).dropLast()), try #require(encoding))
    }

    /// The standards' own arithmetic, limited range, in units of `depth` bits.
    private func expected(_ r: Double, _ g: Double, _ b: Double, _ matrix: ColourMatrix, _ depth: Int) -> [Double] {
        let (kr, kb) = matrix.weights
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let scale = Double(1 << (depth - 8))
        return [
            (16 + 219 * y) * scale, (128 + 224 * (b - y) / (2 * (1 - kb))) * scale,
            (128 + 224 * (r - y) / (2 * (1 - kr))) * scale,
        ]
    }

    @Test(arguments: [ColourMatrix.bt709, .bt601, .bt2020]) func rgbTakesTheMatrixThatIsAskedFor(_ matrix: ColourMatrix)
        throws
    {
        let pixels: [[UInt8]] = (0..<512).map { (place: Int) -> [UInt8] in
            [place * 7, place * 13, place * 29, place / 2].map { UInt8(truncatingIfNeeded: $0) }
        }
        let got = try planes(try make(pixels.flatMap { $0 }, "rgba", "png", "png"), matrix)
        #expect(got.encoding.matrix == matrix && !got.encoding.isFullRange && got.encoding.chromaShiftX == 0)
        // The matrix is the film's; the picture has BT.709's primaries all the same.
        #expect(got.encoding.colour.primaries == .bt709)
        try #require(got.planes.count == 4)
        for (place, pixel) in pixels.enumerated() {
            let wanted = expected(Double(pixel[0]) / 255, Double(pixel[1]) / 255, Double(pixel[2]) / 255, matrix, 8)
            for plane in 0..<3 { #expect(abs(Double(got.planes[plane][place]) - wanted[plane]) <= 0.5001) }
            #expect(got.planes[3][place] == Int(pixel[3]))
        }
    }

    /// White is the nominal peak at every depth, without colour.
    @Test(arguments: ["bgr24", "rgb565le", "gbrp", "gbrp10le", "bgra", "rgb48le"])
    func whiteIsThePeak(_ format: String) throws {
        let sizes = ["bgr24": 3, "rgb565le": 2, "gbrp": 3, "gbrp10le": 6, "bgra": 4, "rgb48le": 6]
        var bytes = [UInt8](repeating: 255, count: 512 * (sizes[format] ?? 0))
        if format == "gbrp10le" { for place in stride(from: 1, to: bytes.count, by: 2) { bytes[place] = 3 } }
        let got = try planes(try make(bytes, format, "nut", "rawvideo"))
        let scale = 1 << (got.encoding.bitDepth - 8)
        #expect(got.planes[0].allSatisfy { $0 == 235 * scale })
        #expect((got.planes[1] + got.planes[2]).allSatisfy { $0 == 128 * scale })
    }

    @Test func deepRGBKeepsItsDepthAndAlpha() throws {
        let values: [[Int]] = (0..<512).map { (place: Int) -> [Int] in
            [place * 127 % 65536, place * 8191 % 65536, 65535 - place * 100, place * 128]
        }
        let bytes = values.flatMap { $0.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
        let got = try planes(try make(bytes, "rgba64be", "png", "png"))
        #expect(got.encoding.bitDepth == 16)
        try #require(got.planes.count == 4)
        for (place, pixel) in values.enumerated() {
            let wanted = expected(
                Double(pixel[0]) / 65535, Double(pixel[1]) / 65535, Double(pixel[2]) / 65535, .bt709, 16)
            for plane in 0..<3 { #expect(abs(Double(got.planes[plane][place]) - wanted[plane]) <= 0.5001) }
            #expect(got.planes[3][place] == pixel[3])
        }
    }

    /// Layouts that hold the same samples in another order lose nothing.
    @Test func relaidLayoutsKeepEverySample() throws {
        let luma = (0..<512).map { UInt8(16 + $0 * 3 % 220) }
        let cb = (0..<128).map { UInt8(20 + $0) }
        let cr = (0..<128).map { UInt8(200 - $0) }
        let woven: [UInt8] = zip(cb, cr).flatMap { [$0, $1] }
        let nv12 = try planes(try make(luma + woven, "nv12", "nut", "rawvideo"))
        #expect(nv12.planes == [luma.map(Int.init), cb.map(Int.init), cr.map(Int.init)])
        #expect(nv12.encoding.chromaShiftX == 1 && nv12.encoding.chromaShiftY == 1 && nv12.encoding.matrix == .bt601)
        let wideCb: [UInt8] = (0..<256).map { UInt8(40 + $0 % 99) }
        let wideCr: [UInt8] = (0..<256).map { UInt8(50 + $0 % 77) }
        let pairs: [UInt8] = (0..<256).flatMap { (pair: Int) -> [UInt8] in
            [luma[2 * pair], wideCb[pair], luma[2 * pair + 1], wideCr[pair]]
        }
        let packed = try planes(try make(pairs, "yuyv422", "nut", "rawvideo"))
        #expect(packed.planes == [luma.map(Int.init), wideCb.map(Int.init), wideCr.map(Int.init)])
        let gray = try planes(try make(luma, "gray", "png", "png"))
        #expect(gray.planes[0] == luma.map(Int.init))
        #expect(gray.encoding.isFullRange && gray.planes[1].allSatisfy { $0 == 128 })
    }

    @Test func deepLayoutsKeepEverySample() throws {
        func words(_ values: [Int], big: Bool) -> [UInt8] {
            values.flatMap { (value: Int) -> [UInt8] in
                let (high, low) = (UInt8(value >> 8 & 255), UInt8(value & 255))
                return big ? [high, low] : [low, high]
            }
        }
        let luma = (0..<512).map { 64 + $0 * 5 % 870 }
        let (cb, cr) = ((0..<128).map { 70 + $0 * 3 }, (0..<128).map { 900 - $0 * 5 })
        let swapped = try planes(try make(words(luma + cb + cr, big: true), "yuv420p10be", "nut", "rawvideo"))
        #expect(swapped.planes == [luma, cb, cr] && swapped.encoding.bitDepth == 10)
        let deep = (0..<512).map { $0 * 127 }
        let gray = try planes(try make(words(deep, big: true), "gray16be", "png", "png"))
        #expect(gray.planes[0] == deep && gray.encoding.bitDepth == 16)
        let alpha = (0..<512).map { 65535 - $0 * 11 }
        let both = zip(deep, alpha).flatMap { [$0, $1] }
        let grayAlpha = try planes(try make(words(both, big: true), "ya16be", "png", "png"))
        #expect(grayAlpha.planes[0] == deep && grayAlpha.planes[3] == alpha)
    }

    /// Grey is full range unless somebody says otherwise.
    @Test func greyIsAsItIsSaid() throws {
        let luma = (0..<512).map { UInt8($0 / 2) }
        for (isFull, expected) in [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)] {
            let path = try make(luma, "gray", "mkv", "ffv1")
            defer { try? FileManager.default.removeItem(atPath: path) }
            let reader = try VideoReader(path: path, track: 1, overrides: ColourOverrides(isFullRange: isFull))
            let got = try reader.withFrame(at: .zero) { frame, _ in
                frame.withImage { ($0.encoding.isFullRange, samples($0.luma, depth: 8)) }
            }
            #expect(got?.0 == expected && got?.1 == luma.map(Int.init), "\(isFull as Any)")
        }
    }

    /// The same picture stored four ways; the AVIF's alpha is an item of its own.
    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: ["webp", "avif"])
    func alphaOfPicturesIsKept(_ ending: String) throws {
        let root = try #require(Corpus.root)
        let wanted = try #require(try alpha(root + "/image/tc_rgba.png"))
        let path = root + "/image/tc_rgba." + ending
        let facts = try probe(path: path)
        #expect(facts.kind == .image)
        #expect(facts.tracks.first?.video?.hasAlpha == true)
        let got = try #require(try alpha(path))
        #expect(got.count == wanted.count)
        let difference = zip(got, wanted).reduce(0) { $0 + abs($1.0 - $1.1) }
        #expect(Set(wanted).count > 2)
        #expect(Double(difference) / Double(wanted.count) < 1, "mean difference in steps of 255")
    }

    private func alpha(_ path: String) throws -> [Int]? {
        try VideoReader(path: path, track: 1).withFrame(at: Rational(5)) { frame, _ in
            frame.withImage { image in image.alpha.map { samples($0, depth: image.encoding.bitDepth) } }
        } ?? nil
    }

    @Test func pooledFramesAreAlignedAndComeBack() throws {
        let pool = try FramePool(format: .yuv420p10, size: PixelSize(width: 321, height: 241), colour: .bt709)
        var first: Int?
        do {
            let frame = try pool.take()
            first = frame.withImage { Int(bitPattern: $0.luma.base) }
            frame.withImage { image in
                #expect(image.luma.stride % 64 == 0 && image.cb.stride % 64 == 0)
                #expect(Int(bitPattern: image.luma.base) % 64 == 0 && Int(bitPattern: image.cr.base) % 64 == 0)
                #expect(image.cb.width == 161 && image.cb.height == 121)
                #expect(image.encoding.bitDepth == 10 && image.encoding.matrix == .bt709)
                #expect(image.encoding.chromaOffsetX == 0 && image.encoding.chromaOffsetY == 0.5)
            }
            var isShared = frame.isReferencedElsewhere
            #expect(!isShared)
            let other = try frame.reference()
            isShared = frame.isReferencedElsewhere && other.isReferencedElsewhere
            #expect(isShared)
            try other.makeWritable()
            isShared = frame.isReferencedElsewhere
            #expect(!isShared)
        }
        let again = try pool.take()
        #expect(again.withImage { Int(bitPattern: $0.luma.base) } == first)
    }
}
