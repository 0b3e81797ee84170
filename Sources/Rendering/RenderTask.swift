package import Planning

/// A part of a plan that one worker makes at a time.
package enum RenderTask: Hashable, Codable, Sendable {
    case chunk(Int)
    /// The whole sound: mixed here, or made of the files of its parts beside the segment, in order.
    case audio(parts: [String])
    /// A part of a long sound: mixed and not encoded.
    case soundPart(Int)
    /// The first pass of a chunk of a film of two passes: a measurement that makes nothing of the film.
    case analysis(Int)
    /// A chunk's second pass, which is to take its share of the film's bits.
    case allotted(Int, RateSearch)

    /// Whether the task is one of a film of two passes; sound has no passes.
    var hasTwoPasses: Bool {
        switch self {
        case .chunk, .audio, .soundPart: false
        case .analysis, .allotted: true
        }
    }
}
