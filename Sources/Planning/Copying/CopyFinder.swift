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
        shown(frame).flatMap { $0.change == nil ? $0.source : nil }
    }

    /// The one source frame that a frame of the film shows, and what is done to it, as a clause about its asset; nil
    /// where it shows anything else.
    private func shown(_ frame: Int) -> (source: SourceFrame, change: String?)? {
        let group = timeline.recipe(at: time(frame)).flattened
        guard group.layers.count == 1, let layer = group.layers.first, case .source(let source) = layer.picture else {
            return nil
        }
        let changes = [
            // A frame of another size than the film's is shown in a part of it.
            ("it is scaled, moved or turned", group.size != terms.video.size || layer.transform != .identity),
            ("a part of it is cut off", layer.crop != nil || group.clip != nil || layer.outline != nil),
            ("it is not opaque", layer.opacity != 1 || layer.pictureAlpha != 1),
            ("its frames are blended", source.blending != nil),
            // Where the film has alpha, what a source lets through is the matte's.
            ("its alpha lies over a background", terms.video.format.hasAlpha && group.matte.alpha != 0),
        ]
        return (source, changes.first(where: \.1)?.0)
    }

    /// The reason why frames of the film that show one source are not copied, as a clause; nil for other frames.
    /// `refusals` are those of sources that could be, and `refusal` is what was asked for and forbids it.
    func reason(in frames: Range<Int>, _ refusals: [CodedTracks.Place: String], refusal: String? = nil) -> String? {
        // A chunk may begin where nothing is shown yet.
        let tries = [frames.lowerBound, (frames.lowerBound + frames.upperBound) / 2, frames.upperBound - 1]
        guard let (frame, (source, change)) = tries.lazy.compactMap({ at in shown(at).map { (at, $0) } }).first else {
            return nil
        }
        let place = CodedTracks.Place(asset: source.asset, track: source.assetTrack)
        let reason =
            terms.sourceFault(place) ?? change ?? refusal ?? terms.fault(of: place) ?? refusals[place]
            ?? partReason(place, frame, source, in: frames)
        return "\(place.asset): \(reason)"
    }

    /// The reason why a part of a source that could be copied is not.
    private func partReason(
        _ place: CodedTracks.Place, _ frame: Int, _ source: SourceFrame, in frames: Range<Int>
    ) -> String {
        guard let track = terms.tracks.byPlace[place] else { return "nothing is known of its packets" }
        let shown = track.times.frame(at: source.time)
        let steps = [frame - 1, frame + 1].compactMap { other -> Int? in
            guard frames.contains(other), let next = untouched(other), next.asset == source.asset else { return nil }
            return (track.times.frame(at: next.time) - shown) * (other - frame)
        }
        if steps.contains(where: { $0 != 1 }) { return "its frames are not shown one by one, each once" }
        if let unfit = track.unfitGroup(in: 0..<track.times.count, sharing: shown..<shown + 1) { return unfit.reason }
        guard let group = track.groups.last(where: { $0.firstFrame <= shown }), shown < group.firstFrame + group.count
        else { return "its group of pictures there does not stand alone" }
        return "its group of pictures there has \(group.count) frames, and not all of them are shown"
    }
}
