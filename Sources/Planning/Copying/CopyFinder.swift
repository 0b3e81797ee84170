import MediaFacts
import MediaTime
import Outputs
import Pictures
import SplitreelTimeline

/// Finds the frames of a film that are frames of one source and nothing else, and what of them can be copied.
///
/// It goes by the timeline and the sources' packets alone, so that chunks and workers change nothing of it.
struct CopyFinder {
    /// Frames of the film that are a source's frames, one by one.
    struct Run: Hashable {
        var place: CodedTracks.Place
        /// The film's first frame, and the source's that is shown there.
        var firstFrame: Int
        var firstOfSource: Int
        var count: Int

        var frames: Range<Int> { firstFrame..<(firstFrame + count) }
    }

    /// Frames of the film that are copied.
    struct Span: Hashable {
        var place: CodedTracks.Place
        var frames: Range<Int>
        var firstPacket: Int
    }

    let timeline: Timeline
    let terms: CopyTerms
    /// The composition time of a frame of the film.
    let time: (_ frame: Int) -> Rational

    /// The runs of the film's first `frameCount` frames, in order, of sources that can be copied. Cost: a recipe for
    /// each frame.
    func runs(frameCount: Int) -> [Run] {
        var faults: [CodedTracks.Place: String?] = [:]
        var runs: [Run] = []
        for frame in 0..<frameCount {
            guard let source = untouched(frame) else { continue }
            let place = CodedTracks.Place(asset: source.asset, track: source.assetTrack)
            let fault: String?
            if let known = faults[place] {
                fault = known
            } else {
                fault = terms.fault(of: place)
                faults[place] = fault
            }
            guard fault == nil, let shown = terms.tracks.byPlace[place]?.times.frame(at: source.time), shown >= 0 else {
                continue
            }
            if let last = runs.last, last.place == place, last.frames.upperBound == frame,
                last.firstOfSource + last.count == shown
            {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(place: place, firstFrame: frame, firstOfSource: shown, count: 1))
            }
        }
        return runs
    }

    /// The parts of the runs that can be copied, in the film's order. A run may end in the middle of a group.
    func spans(of runs: [Run]) -> [Span] {
        runs.flatMap { run in
            let source = run.firstOfSource..<(run.firstOfSource + run.count)
            return (terms.tracks.byPlace[run.place]?.groups(in: source) ?? []).map { group in
                let first = run.firstFrame + group.firstFrame - run.firstOfSource
                return Span(
                    place: run.place, frames: first..<(first + group.count), firstPacket: group.firstPacket)
            }
        }
    }

    /// The one source frame that a frame of the film is; nil where anything is done to it.
    private func untouched(_ frame: Int) -> SourceFrame? {
        let group = timeline.recipe(at: time(frame)).flattened
        guard group.size == terms.video.size, group.layers.count == 1, let layer = group.layers.first,
            group.clip == nil, case .source(let source) = layer.picture, source.blending == nil,
            layer.transform == .identity, layer.crop == nil, layer.opacity == 1, layer.pictureAlpha == 1,
            layer.outline == nil
        else { return nil }
        // Where the film has alpha, what a source lets through is the matte's.
        return !terms.video.format.hasAlpha || group.matte.alpha == 0 ? source : nil
    }

    /// The reason why a frame of the film that shows one source as it is is not copied, as a clause; nil for other
    /// frames. `refusals` are those of sources that could be.
    func reason(at frame: Int, _ refusals: [CodedTracks.Place: String]) -> String? {
        guard let source = untouched(frame) else { return nil }
        let place = CodedTracks.Place(asset: source.asset, track: source.assetTrack)
        if let fault = terms.fault(of: place) ?? refusals[place] { return "\(place.asset): \(fault)" }
        return "\(place.asset): no whole group of its pictures is shown frame by frame"
    }
}
