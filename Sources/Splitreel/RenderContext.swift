import Effects
import Pictures

/// The properties that are the same for all frames of a film; they never change, a change brings a new context.
public struct RenderContext: Sendable {
    private let inner: CompositorContext
    private let format: PixelFormat
    private let pool: FrameMemoryPool

    init(_ inner: CompositorContext, _ format: PixelFormat, _ pool: FrameMemoryPool) {
        self.inner = inner
        self.format = format
        self.pool = pool
    }

    /// The width of the picture that is made, in pixels.
    public var width: Int { inner.size.width }
    /// The height of the picture that is made, in pixels.
    public var height: Int { inner.size.height }
    /// The picture's pixels for each pixel of the composition's canvas, across: a length in canvas pixels is to be
    /// multiplied by this.
    public var scaleX: Double { inner.scaleX }
    /// The picture's pixels for each pixel of the composition's canvas, downwards.
    public var scaleY: Double { inner.scaleY }
    /// The width of one of the film's pixels over its height.
    public var pixelAspect: Double { inner.pixelAspect }

    /// The primaries of the film, by AVFoundation's name.
    public var primaries: String { inner.encoding.colour.primaries.rawValue }
    /// The transfer function of the film, by AVFoundation's name.
    public var transfer: String { inner.encoding.colour.transfer.rawValue }
    /// The matrix of the film, by AVFoundation's name.
    public var matrix: String { inner.encoding.colour.matrix.rawValue }

    /// The bits of each sample of frames in the format `film`: 8 or 10.
    public var bitDepth: Int { inner.encoding.bitDepth }
    /// The pixels across and down that share a colour sample: 1 or 2 of each.
    public var chromaSubsampling: (x: Int, y: Int) {
        (1 << inner.encoding.chromaShiftX, 1 << inner.encoding.chromaShiftY)
    }
    /// Whether the picture may let through what lies beneath it; where it may not, alpha is left out.
    public var hasAlpha: Bool { inner.hasAlpha }

    /// Makes a frame of the context's size in the compositor's `renderPixelFormat`, all of whose bytes are 0.
    public func makeFrame() -> VideoFrame {
        let frame = VideoFrame.make(
            width: width, height: height, format, like: inner.encoding, hasAlpha: inner.hasAlpha, pool)
        frame.withPlanes { planes in
            for plane in planes {
                plane.base.initializeMemory(as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.height)
            }
        }
        return frame
    }
}
