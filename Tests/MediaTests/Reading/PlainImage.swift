import Compositing
import Libav
import MediaReading
import MediaTime
import Pictures
import Testing

/// The samples of a picture as numbers.
struct PlainImage {
    let planes: [[Int]]
    let size: PixelSize
    let encoding: PixelEncoding

    /// The picture that a reader shows at a time; nil where that is nothing.
    init?(_ reader: VideoReader, at time: Rational, _ matrix: ColourMatrix = .bt709) throws {
        let found = try reader.withFrame(at: time, matrixForRGB: matrix) { frame, _ in
            frame.withImage { image in
                let planes = [image.luma, image.cb, image.cr] + (image.alpha.map { [$0] } ?? [])
                return (
                    planes.map { samples($0, depth: image.encoding.bitDepth) },
                    PixelSize(width: image.luma.width, height: image.luma.height), image.encoding
                )
            }
        }
        guard let found else { return nil }
        (planes, size, encoding) = found
    }
}
