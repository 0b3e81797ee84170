package import CFFmpeg
internal import Outputs

extension VideoSettings {
    /// The chroma samples' position; unspecified where chroma is not subsampled.
    package var chromaLocation: AVChromaLocation {
        format.chromaShift.x == 0 ? AVCHROMA_LOC_UNSPECIFIED : AVCHROMA_LOC_LEFT
    }
}
