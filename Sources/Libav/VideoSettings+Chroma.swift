package import CFFmpeg
internal import Outputs

extension VideoSettings {
    /// The samples' chroma position: stated where chroma is subsampled.
    package var chromaLocation: AVChromaLocation {
        format.chromaShift.x == 0 ? AVCHROMA_LOC_UNSPECIFIED : AVCHROMA_LOC_LEFT
    }
}
