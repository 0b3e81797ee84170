public import MediaFacts
import MediaTime
import Pictures
public import SplitreelProject
import SplitreelTimeline

/// Makes instructions of the segments that a project's tracks play: each source alone as it is, and where one clip of a
/// pair of tracks ends while another one has begun, a transition from the one to the other. An edge of a third track
/// within an overlap leaves no transition: there is more than one span then, and none of them is the whole overlap.
///
/// `film(for:facts:)` makes instructions of segments' own transitions too; `instructions(for:facts:)` does not look at
/// them.
///
/// Tracks that are not enabled, and those without pictures, have no part in it. Pure; the project is not changed.
public struct InstructionBuilder: Sendable {
    /// The way in which sources of another shape than the canvas stand in it, turned ones and those with alpha too; nil
    /// where they stand as the film without instructions has them.
    public var fit: Layer.Fit?
    /// Whether, of two tracks that overlap, one ending and one beginning, the one that ends fades out above the other.
    /// Otherwise all tracks lie over each other, the first of the file top-most.
    public var dissolvesOverlaps = true
    /// The transition of such a pair in place of a dissolve, over the whole of the overlap; nil for a dissolve.
    public var transition: RegisteredChoice?
    /// The instruction with all that each one has beside its range and its layers, such as a background.
    public var prototype = Instruction()

    public init(fit: Layer.Fit? = nil, dissolvesOverlaps: Bool = true, prototype: Instruction? = nil) {
        self.fit = fit
        self.dissolvesOverlaps = dissolvesOverlaps
        if let prototype { self.prototype = prototype }
    }

    /// Instructions that tile the composition from 0 to its end, with a boundary at every edge of a segment; none where
    /// nothing is shown. `facts` are by the assets' names; what they lack is left out.
    /// O(edges · tracks · log segments).
    public func instructions(for project: Project, facts: [String: AssetFacts]) -> [Instruction] {
        var sources = SourceLookup(project: project, facts: facts)
        try? sources.addNested()
        let canvas = sources.canvasSize
        let tracks = sources.videoTracks(canvas: canvas)
        let edges = pictureEdges(of: tracks, duration: project.exactDuration)
        return zip(edges, edges.dropFirst()).map { start, end in
            var instruction = prototype
            instruction.range = TimeRange(start: start.plainTime, duration: (end - start).plainTime)
            let shown = tracks.compactMap { Shown($0, from: start) }
            let film = Film(standing: LayerStanding(filmFit: project.video?.fit), facts: facts, canvas: canvas)
            guard dissolvesOverlaps, let pair = Pair(shown, from: start, to: end) else {
                instruction.layers = shown.map { layer($0, in: film) }
                return instruction
            }
            var outgoing = layer(pair.outgoing, in: film)
            if let transition {
                instruction.effect = transition
            } else {
                outgoing.opacity = [Key(range: instruction.range, from: 1, to: 0)]
            }
            instruction.layers = [outgoing, layer(pair.incoming, in: film)]
            return instruction
        }
    }

    /// The things of a film that decide how its layers stand.
    private struct Film {
        let standing: LayerStanding
        let facts: [String: AssetFacts]
        let canvas: PixelSize
    }

    private func layer(_ shown: Shown, in film: Film) -> Layer {
        var layer = Layer()
        layer.track = shown.track
        let media = shown.media
        let upright = media.preferredTransform
        let standing = self.fit.map { LayerStanding(fit: $0) } ?? film.standing
        guard let fit = standing.fit else {
            // A source that does not stand upright by itself is turned by its transform, as without instructions.
            if upright != .identity, !standing.placesUpright(media) {
                layer.transform = [Key(at: .zero, value: .matrix(upright))]
            } else {
                layer.fit = self.fit
            }
            return layer
        }
        if self.fit == nil { return layer }
        let video = film.facts[media.asset]?.track(media.assetTrack)?.video
        let isWhole = media.displaySize == (Double(film.canvas.width), Double(film.canvas.height))
        let isClear = video?.hasAlpha == true || media.alpha < 1
        if upright != .identity || isClear || !isWhole { layer.fit = fit }
        return layer
    }

    /// The picture that a track plays from a time on.
    private struct Shown {
        let track: Int
        let media: VideoTrackPlan.Media
        let start, end: Rational

        init?(_ track: VideoTrackPlan, from time: Rational) {
            guard let index = track.segmentIndex(at: time), let media = track.segments[index].media else { return nil }
            (self.track, self.media) = (track.id, media)
            (start, end) = (track.segments[index].targetStart, track.segments[index].targetEnd)
        }
    }

    /// Two clips of which the one begins where the span does and the other one ends with it.
    private struct Pair {
        let outgoing, incoming: Shown

        init?(_ shown: [Shown], from start: Rational, to end: Rational) {
            guard shown.count == 2 else { return nil }
            let leaves = shown.map { $0.start <= start && $0.end == end }
            let comes = shown.map { $0.start == start && $0.end >= end }
            // If two begin and end together, neither leaves.
            guard let first = [0, 1].first(where: { leaves[$0] && comes[1 - $0] }), !(leaves[1 - first] && comes[first])
            else { return nil }
            (outgoing, incoming) = (shown[first], shown[1 - first])
        }
    }
}
