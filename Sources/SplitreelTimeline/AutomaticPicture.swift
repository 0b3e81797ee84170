import MediaTime
import Pictures
import SplitreelProject

/// The picture of a project without instructions: cut at every video segment edge, all tracks that show something
/// there, the first of the file top-most, each as a layer without `fit` and `transform` shows it. What is not fitted
/// is upright, unscaled, at the top left. Segments that have a transition come in by it.
///
/// An instruction is made when it is asked for: thousands of tracks with thousands of edges are millions of layers.
struct AutomaticPicture: Sendable {
    /// The composition times at which instructions begin, and the last one's end; empty where there is no picture.
    let edges: [Rational]
    private let tracks: [VideoTrackPlan]
    private var placement: CanvasPlacement
    let standing: LayerStanding

    init(tracks: [VideoTrackPlan], duration: Rational, placement: CanvasPlacement, filmFit: Layer.Fit?) {
        (self.tracks, self.placement) = (tracks, placement)
        standing = LayerStanding(filmFit: filmFit)
        edges = pictureEdges(of: tracks, duration: duration)
    }

    func plan(_ index: Int) -> InstructionPlan {
        plan(from: edges[index], to: edges[index + 1])
            ?? InstructionPlan(
                start: edges[index], end: edges[index + 1], background: .black,
                layers: tracks.reversed().compactMap { layer($0, at: edges[index]) })
    }

    /// The instruction with the transitions that are under way at its start; nil where none is.
    private func plan(from start: Rational, to end: Rational) -> InstructionPlan? {
        let joins = tracks.map { $0.join(at: start) }
        guard joins.contains(where: { $0 != nil }) else { return nil }
        let stage = placement.ofStage
        var staged = self
        staged.placement = stage
        // The ids that are drawn already: a join of two tracks is drawn in the place of the higher one.
        var drawn: Set<Int> = []
        var layers: [InstructionPlan.LayerPlan] = []
        for (track, join) in zip(tracks, joins) {
            let found = join.map { (track.id, $0) } ?? joinReplacing(track.id, joins)
            guard let (id, join) = found else {
                if let plan = staged.layer(track, at: start) { layers.append(plan) }
                continue
            }
            guard drawn.insert(id).inserted else { continue }
            guard var plan = staged.layer(join.to, at: start) else { continue }
            plan.transition = join.effect
            plan.origin = join.from.flatMap { staged.layer($0, at: start) }.map { [$0] } ?? []
            layers.append(plan)
        }
        var plan = InstructionPlan(start: start, end: end, background: .black, layers: layers.reversed())
        plan.stage = stage
        return plan
    }

    private func joinReplacing(_ track: Int, _ joins: [VideoTrackPlan.Join?]) -> (Int, VideoTrackPlan.Join)? {
        for (other, join) in zip(tracks, joins) {
            if let join, join.otherTrack == track { return (other.id, join) }
        }
        return nil
    }

    private func layer(_ track: VideoTrackPlan, at time: Rational) -> InstructionPlan.LayerPlan? {
        guard let media = track.segmentIndex(at: time).flatMap({ track.segments[$0].media }) else { return nil }
        let upright = standing.placesUpright(media) ? .identity : media.preferredTransform
        return InstructionPlan.LayerPlan(
            track: track,
            transform: KeyTrack(upright == .identity ? nil : [Key(at: .zero, value: .matrix(upright))]),
            opacity: KeyTrack(nil), crop: KeyTrack(nil), standing: upright == .identity ? standing : .asIs,
            placement: placement)
    }
}
