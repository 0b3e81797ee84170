import Compositing
import Libav
import Outputs
import Pictures

extension ColourTriple {
    /// Whether a picture file shows these colours: viewers take its samples for SDR with BT.709's primaries.
    var isOfPictureFiles: Bool { !transfer.isHDR && primaries.isOrdinary }
}

extension VideoSettings {
    /// A composed frame in another size, and in BT.709 where picture files cannot show its colours: HDR is tone mapped.
    func viewable(_ composed: borrowing Frame, size: PixelSize) throws -> Frame {
        var target = self
        target.size = size
        if !colour.isOfPictureFiles { (target.colour, target.format) = (.bt709, .yuv444p) }
        var conversion = CanvasConversion(from: self.size, to: target)
        return try conversion.convert(composed)
    }
}

/// Converts composed frames to other settings: another size, other colours, another format. Keeps its tables from frame
/// to frame; confined to one thread at a time.
struct CanvasConversion {
    private let target: VideoSettings
    private let scale: Affine
    private var compositor: Compositor

    init(from size: PixelSize, to target: VideoSettings) {
        self.target = target
        scale = Affine.scale(
            Double(target.size.width) / Double(size.width), Double(target.size.height) / Double(size.height))
        compositor = Compositor(size: target.size, encoding: target.canvasEncoding, hasAlpha: false)
    }

    mutating func picture(of composed: Picture) throws -> Picture { Picture(try convert(composed.frame)) }

    mutating func convert(_ composed: borrowing Frame) throws -> Frame {
        let canvas = try Frame.make(format: target.format, size: target.size, colour: target.colour)
        composed.withImage { image in
            canvas.withImage { target in
                let layer = LayerImage(image: image, pixelAspect: 1, transform: scale, crop: nil, opacity: 1)
                compositor.compose(background: .black, layers: [layer], into: target)
            }
        }
        return canvas
    }
}
