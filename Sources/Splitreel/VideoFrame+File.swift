import Diagnostics
import Effects
import MediaWriting
public import Outputs
import Pictures
import SplitreelFiles

extension VideoFrame {
    /// The bytes of a file of the picture. PNG, TIFF and WebP keep the samples of `rgba8`, `bgra8` and `argb8` as they
    /// are; PNG and TIFF have 16 bits a channel for `rgbaFloat` and for films of 10 bits. They tell alpha where the
    /// picture is not opaque all over. JPEG is of its best quality and tells no alpha.
    ///
    /// Samples are written as they stand: a picture of HDR is not tone mapped. Works on the calling thread, for tens of
    /// milliseconds where the picture is of 1920×1080.
    ///
    /// - Parameter type: `png`, `jpg`, `tiff` or `webp`.
    /// - Throws: `SplitreelError` with `usage` for another type, or with `encodeFailed` where the picture is too large
    ///   for it.
    public func imageData(as type: Container = .png) throws -> [UInt8] {
        guard let format = PictureFormat(type) else { throw notAPicture(type.rawValue) }
        return try pictureFile(
            size: PixelSize(width: width, height: height), hasAlpha: !isOpaque, isDeep: bitDepth > 8, as: format,
            rows: readRows)
    }

    /// Writes the picture as a file, in place of one that is there; see `imageData(as:)`. One that cannot be written
    /// whole is removed.
    ///
    /// - Parameter path: where it goes, relative to the current folder. Its ending says the type: png, jpg or jpeg, tif
    ///   or tiff, webp.
    /// - Throws: `SplitreelError` as `imageData(as:)`, or with `outputNotWritable`.
    public func write(to path: String) throws {
        guard let type = PictureFormat(path: path)?.container else { throw notAPicture(path) }
        try writeFile(
            try imageData(as: type), to: try absolutePath(path), permissions: 0o666, durably: false,
            followingLinks: true)
    }

    private func notAPicture(_ name: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "writing a picture", subject: name, reason: "single pictures are no such files",
            hint: "choose png, jpg, tiff or webp")
    }

    /// Whether every pixel is opaque; of planes whether they are without alpha.
    private var isOpaque: Bool {
        switch format {
        case .film: image?.alpha == nil
        case .nv12: true
        case .rgbaFloat:
            (0..<height).allSatisfy { y in
                withRowFloat(y) { row in stride(from: 3, to: row.count, by: 4).allSatisfy { row[$0] >= 1 } }
            }
        case .rgba8, .bgra8, .argb8:
            (0..<height).allSatisfy { y in
                let alpha = format.byteOrder?.alpha ?? 3
                return withRow8(y) { row in stride(from: alpha, to: row.count, by: 4).allSatisfy { row[$0] == 255 } }
            }
        }
    }

    /// Hands over each row as red, green, blue and alpha, 1 being white and opaque.
    private func readRows(_ set: (_ y: Int, _ pixels: UnsafePointer<Float>) -> Void) {
        if let image { return InterleavedRows(image).read(set) }
        if format == .nv12 {
            let planes = VideoFrame.film(width, height, .ofNV12(matrix), hasAlpha: false, FrameMemoryPool())
            guard let image = planes.image else { return }
            writeNV12(into: image)
            return withExtendedLifetime(planes) { InterleavedRows(image).read(set) }
        }
        guard let order = format.byteOrder else {
            for y in 0..<height { withRowFloat(y) { row in row.baseAddress.map { set(y, $0) } } }
            return
        }
        var pixels = [Float](repeating: 0, count: 4 * width)
        pixels.withUnsafeMutableBufferPointer { pixels in
            guard let values = pixels.baseAddress else { return }
            for y in 0..<height {
                withRow8(y) { row in row.baseAddress.map { expandBytes($0, values, row.count, order) } }
                set(y, values)
            }
        }
    }
}

extension PixelEncoding {
    /// The meaning of the samples of `nv12`.
    fileprivate static func ofNV12(_ matrix: ColourMatrix) -> PixelEncoding {
        var colour = ColourTriple.bt709
        colour.matrix = matrix
        return PixelEncoding(
            bitDepth: 8, chromaShiftX: 1, chromaShiftY: 1, chromaOffsetX: 0, chromaOffsetY: 0.5, colour: colour,
            isFullRange: false)
    }
}

extension PictureFormat {
    fileprivate init?(_ container: Container) {
        guard let format = Self.allCases.first(where: { $0.container == container }) else { return nil }
        self = format
    }

    fileprivate var container: Container {
        switch self {
        case .png: .png
        case .jpeg: .jpg
        case .tiff: .tiff
        case .webp: .webp
        }
    }
}
