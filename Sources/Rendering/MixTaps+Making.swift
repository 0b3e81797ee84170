import AudioMixing
import Composition
import Diagnostics
import Media
import MediaTime
import Planning

extension MixTaps {
    /// Those of a composition, anew: they remember.
    init(of timeline: Timeline, _ context: TapContext, session: RenderSession) throws {
        let positions = Dictionary(
            timeline.audio.enumerated().map { ($1.track, $0) }, uniquingKeysWith: { first, _ in first })
        func make(_ recipe: TapRecipe) throws -> any SoundTap {
            // A track that is not there is silent: whoever is led by it hears nothing.
            let leader = recipe.audioTrack.flatMap { positions[$0] }
            guard let tap = makeTap(recipe, context, leader: leader) else {
                throw SplitreelError(
                    .internalFault, operation: "mixing", subject: "\(recipe.id) \(recipe.version)",
                    reason: "this program cannot make the tap")
            }
            return tap
        }
        var tracks: [Int: OfTrack] = [:]
        for (position, track) in timeline.audio.enumerated() where !track.taps.isEmpty {
            tracks[position] = OfTrack(
                before: try track.taps.filter { !$0.isAfterVolume }.map(make),
                after: try track.taps.filter(\.isAfterVolume).map(make))
        }
        self.init(tracks: tracks, whole: try timeline.taps.map(make))
    }
}
