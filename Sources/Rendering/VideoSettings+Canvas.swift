import Compositing
import Outputs
import Pictures

extension VideoSettings {
    /// The encoding of the canvas's samples: limited range, left siting where chroma is subsampled.
    var canvasEncoding: PixelEncoding {
        let shift = format.chromaShift
        return PixelEncoding(
            bitDepth: format.bitDepth, chromaShiftX: shift.x, chromaShiftY: shift.y, chromaOffsetX: 0,
            chromaOffsetY: shift.y == 0 ? 0 : 0.5, colour: colour, isFullRange: false)
    }
}
