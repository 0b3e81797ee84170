package import Planning

/// A part of a plan that one worker makes at a time.
package enum RenderTask: Hashable, Sendable {
    case chunk(Int)
    case audio
    /// The first pass of a chunk of a film of two: measured, and nothing of the film.
    case analysis(Int)
    /// A chunk's second pass, which is to take its share of the film's bits.
    case allotted(Int, RateSearch)

    /// Of a film of two passes. The sound has none.
    var hasTwoPasses: Bool {
        switch self {
        case .chunk, .audio: false
        case .analysis, .allotted: true
        }
    }
}
