import Compositing
import Media
import Pictures
import Planning

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
        let canvas = try Frame.make(format: target.format, size: size, colour: target.colour)
        var compositor = Compositor(size: size, encoding: target.canvasEncoding, hasAlpha: false)
        let scale = Affine.scale(
            Double(size.width) / Double(self.size.width), Double(size.height) / Double(self.size.height))
        composed.withImage { image in
            canvas.withImage { target in
                let layer = LayerImage(image: image, pixelAspect: 1, transform: scale, crop: nil, opacity: 1)
                compositor.compose(background: .black, layers: [layer], into: target)
            }
        }
        return canvas
    }
}
