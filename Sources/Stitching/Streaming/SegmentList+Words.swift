import Foundation
internal import Outputs
import Pictures

extension SegmentList {
    /// Of the sound: an RFC 5646 tag, whose shortest form is the right one.
    var language: String? {
        guard let code = settings.tags?.audio?.language else { return nil }
        return Locale.LanguageCode(code).identifier(.alpha2) ?? code
    }
}

extension ColourTransfer {
    /// HLS's word.
    var videoRange: String {
        switch self {
        case .pq: "PQ"
        case .hlg: "HLG"
        default: "SDR"
        }
    }
}
