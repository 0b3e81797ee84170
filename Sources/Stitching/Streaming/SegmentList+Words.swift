import Foundation
internal import Outputs
import Pictures

extension SegmentList {
    /// The language of the sound: an RFC 5646 tag, whose shortest form is the right one; nil for none.
    var language: String? {
        guard let code = settings.tags?.audio?.language else { return nil }
        return Locale.LanguageCode(code).identifier(.alpha2) ?? code
    }
}

extension ColourTransfer {
    /// The word of HLS for the transfer function.
    var videoRange: String {
        switch self {
        case .pq: "PQ"
        case .hlg: "HLG"
        default: "SDR"
        }
    }
}
