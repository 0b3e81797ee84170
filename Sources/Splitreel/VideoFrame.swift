import Effects
import Pictures

/// The layout of a frame's samples in memory.
public enum PixelFormat: Sendable, Hashable {
    /// Interleaved red, green, blue and straight alpha of 8 bits, full range, in the film's encoded space.
    case rgba8
    /// The same as `rgba8` in the order blue, green, red, alpha.
    case bgra8
    /// The same as `rgba8` in the order alpha, red, green, blue.
    case argb8
    /// Two planes of 8 bits and limited range, 4:2:0: Y', and Cb and Cr by turns. Of a film of that layout the samples
    /// are its own; of another one a colour sample is the mean of its pixels'. Without alpha.
    case nv12
    /// Interleaved 32-bit floats, black being 0, white and opaque 1; colours beyond the film's are outside of that.
    case rgbaFloat
    /// The film's own layout, without a conversion: planes of Y', Cb, Cr and, where the frame has alpha, alpha; limited
    /// range, alpha of full range. 8 bits are bytes, 10 bits words; see `RenderContext` for depth and subsampling.
    case film
}

extension PixelFormat {
    /// The places of red, green, blue and alpha among a pixel's four bytes; nil for other formats.
    var byteOrder: (red: Int, green: Int, blue: Int, alpha: Int)? {
        switch self {
        case .rgba8: (0, 1, 2, 3)
        case .bgra8: (2, 1, 0, 3)
        case .argb8: (1, 2, 3, 0)
        case .nv12, .rgbaFloat, .film: nil
        }
    }
}

/// One plane of a frame's samples.
public struct FramePlane {
    /// The address of the first row; good within the closure that hands the plane out.
    public let base: UnsafeMutableRawPointer
    /// The bytes from one row to the next.
    public let bytesPerRow: Int
    /// The width in samples, or in pixels where these are interleaved.
    public let width: Int
    /// The height in rows.
    public let height: Int
}

/// A picture that a compositor or an effect reads or makes.
///
/// Source frames are read only. A frame that was made with `makeFrame` is written by whoever made it, until it is
/// handed back as an answer.
// @unchecked: one owner at a time writes, before others see it; who reads does not write.
public final class VideoFrame: @unchecked Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The layout of the samples.
    public let format: PixelFormat

    /// The bits of each sample: 8 or 10 of integers, 32 of floats.
    public var bitDepth: Int { image?.encoding.bitDepth ?? (format == .rgbaFloat ? 32 : 8) }

    private let planes: [FramePlane]
    /// The owner of the planes' memory; nil where it is somebody else's for as long as the frame is used.
    private let owner: AnyObject?
    /// The picture of a frame in the film's own format; nil in other formats.
    let image: PlanarImage?
    /// The matrix of Y'CbCr, for frames of that.
    let matrix: ColourMatrix

    init(
        width: Int, height: Int, format: PixelFormat, planes: [FramePlane], owner: AnyObject?, image: PlanarImage?,
        matrix: ColourMatrix = .bt709
    ) {
        self.width = width
        self.height = height
        self.format = format
        self.planes = planes
        self.owner = owner
        self.image = image
        self.matrix = matrix
    }

    /// Hands `body` the planes, whose pointers are good within the closure.
    public func withPlanes<Result>(_ body: ([FramePlane]) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(planes) }
    }

    /// Hands `body` each row of a frame of `rgba8`, `bgra8` or `argb8`, four bytes a pixel.
    public func withRows8(_ body: (_ y: Int, _ row: UnsafeMutableBufferPointer<UInt8>) throws -> Void) rethrows {
        precondition(format.byteOrder != nil, "the frame has no pixels of four bytes")
        try withRows(of: UInt8.self, body)
    }

    /// Hands `body` one row of a frame of `rgba8`, `bgra8` or `argb8`, four bytes a pixel; `y` is 0 at the top.
    public func withRow8<Result>(
        _ y: Int, _ body: (_ row: UnsafeMutableBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        precondition(format.byteOrder != nil, "the frame has no pixels of four bytes")
        return try withRow(y, of: UInt8.self, body)
    }

    /// Hands `body` one row of a frame of `rgbaFloat`, four numbers a pixel; `y` is 0 at the top.
    public func withRowFloat<Result>(
        _ y: Int, _ body: (_ row: UnsafeMutableBufferPointer<Float>) throws -> Result
    ) rethrows -> Result {
        precondition(format == .rgbaFloat, "the frame has no pixels of four floats")
        return try withRow(y, of: Float.self, body)
    }

    private func withRow<Sample, Result>(
        _ y: Int, of type: Sample.Type, _ body: (UnsafeMutableBufferPointer<Sample>) throws -> Result
    ) rethrows -> Result {
        precondition((0..<height).contains(y), "the frame has \(height) rows")
        return try withPlanes { planes in
            let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: type)
            return try body(UnsafeMutableBufferPointer(start: row, count: 4 * width))
        }
    }

    /// Hands `body` each row of a frame of `rgbaFloat`, four numbers a pixel.
    public func withRowsFloat(_ body: (_ y: Int, _ row: UnsafeMutableBufferPointer<Float>) throws -> Void) rethrows {
        precondition(format == .rgbaFloat, "the frame has no pixels of four floats")
        try withRows(of: Float.self, body)
    }

    private func withRows<Sample>(
        of type: Sample.Type, _ body: (Int, UnsafeMutableBufferPointer<Sample>) throws -> Void
    ) rethrows {
        try withPlanes { planes in
            for y in 0..<height {
                let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: type)
                try body(y, UnsafeMutableBufferPointer(start: row, count: 4 * width))
            }
        }
    }
}

/// The memory of a frame that was made; it is used again for later ones.
final class FrameMemory {
    let base: UnsafeMutableRawPointer
    private let byteCount: Int
    private let pool: FrameMemoryPool

    init(_ byteCount: Int, from pool: FrameMemoryPool) {
        (self.byteCount, self.pool) = (byteCount, pool)
        base = pool.take(byteCount)
    }

    deinit { pool.giveBack(base, byteCount) }
}
