import MediaTime
import Pictures

/// The picture of a project that says nothing of its picture: cut at every video segment edge, all tracks that show
/// something there, the first of the file top-most, each upright, unscaled, at the top left.
///
/// An instruction is made when it is asked for: thousands of tracks with thousands of edges are millions of layers.
struct AutomaticPicture: Sendable {
    /// Of the instructions, one more than there are of these; empty where there is no picture.
    let edges: [Rational]
    private let tracks: [VideoTrackPlan]
    private let placement: CanvasPlacement

    init(tracks: [VideoTrackPlan], duration: Rational, placement: CanvasPlacement) {
        (self.tracks, self.placement) = (tracks, placement)
        edges = pictureEdges(of: tracks, duration: duration)
    }

    func plan(_ index: Int) -> InstructionPlan {
        InstructionPlan(
            start: edges[index], end: edges[index + 1], background: .black,
            layers: tracks.reversed().compactMap { track in
                guard let media = track.segmentIndex(at: edges[index]).flatMap({ track.segments[$0].media }) else {
                    return nil
                }
                let upright = media.preferredTransform
                return InstructionPlan.LayerPlan(
                    track: track,
                    transform: KeyTrack(upright == .identity ? nil : [Key(at: .zero, value: .matrix(upright))]),
                    opacity: KeyTrack(nil), crop: KeyTrack(nil), placement: placement)
            })
    }
}
