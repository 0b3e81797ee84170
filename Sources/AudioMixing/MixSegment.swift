package import MediaTime
package import SplitreelProject
package import SplitreelTimeline

/// One source that goes on without a break over one or more segments of a track: it is read by one reader, so that a
/// cut which changes nothing is not heard, whatever the rates.
package struct MixRun: Hashable, Sendable {
    /// The position of the run's track in the mix, from 0, and of its first segment in the track.
    package let track: Int
    package let index: Int
    package let asset: String
    package let assetTrack: Int
    /// The start and the duration of the whole run in seconds of the asset, wherever the mix begins and ends.
    package let sourceStart: Rational
    package let sourceDuration: Rational
    /// The source seconds for each output second.
    package let rate: Rational
    /// The run's first output sample, from the range's start: below 0 where the range starts inside the run.
    package let start: Int
    /// The end of the run's output samples, counted as `start` is, but never after the mix's end.
    package let end: Int
    /// The generator whose sound it is; nil for an asset's sound.
    package let generated: GeneratedSound?
    package let pitch: PitchAlgorithm
    package let isReversed: Bool
    /// The speeds of a run whose speed changes, in place of `rate`; nil for one speed.
    package let speed: KeyedSpeed?

    /// Whether neither its speed is changed nor its direction.
    package var isNatural: Bool { rate == Rational(1) && speed == nil && !isReversed }
}

/// A run of output samples that one source segment fills.
package struct MixSegment: Hashable, Sendable {
    package let run: MixRun
    /// The position of the segment in its track.
    package let index: Int
    /// The segment's output samples, from the range's start.
    package let samples: Range<Int>
    /// The volume as a linear amplitude.
    let volume: Double
    /// The fades at the segment's edges.
    let fades: [EdgeFade]

    /// The samples of the run before the segment's first one.
    package var skipped: Int { samples.lowerBound - run.start }
}

/// The segments of a track that are heard in the output samples [first, sampleCount).
///
/// A segment's first sample is round((target start − range start) × sample rate) and its length the difference of the
/// rounded ends. Segments that begin where the one before ends, in the source as in the film, at the same rate, are one
/// run: only the run's start is rounded to the source's samples.
///
/// Where a source goes on from one run to another of which one keeps its pitch at another speed, the waves of both do
/// not meet: the one that leaves goes on for up to 5 ms, and they cross.
func mixSegments(
    of recipe: AudioTrackRecipe, track: Int, rangeStart: Rational, first firstSample: Int = 0, sampleCount: Int,
    sampleRate: Int
) -> [MixSegment] {
    func position(_ time: Rational) -> Int { sampleIndex(of: time - rangeStart, rate: sampleRate) }
    func exact(_ time: Rational) -> Rational { (time - rangeStart) * Rational(sampleRate) }
    let list = recipe.segments
    var segments: [MixSegment] = []
    for run in runs(of: list) {
        guard let first = run.first.map({ list[$0] }), let last = run.last.map({ list[$0] }) else { continue }
        let before = run.lowerBound > 0 ? list[run.lowerBound - 1].crossing(into: first) : nil
        let after = run.upperBound < list.count ? last.crossing(into: list[run.upperBound]) : nil
        let tail = after ?? .zero
        let (comes, leaves) = (
            run.lowerBound > 0 && list[run.lowerBound - 1].leads(to: first),
            run.upperBound < list.count && last.leads(to: list[run.upperBound])
        )
        let whole = MixRun(
            track: track, index: run.lowerBound, asset: first.asset, assetTrack: first.assetTrack,
            sourceStart: min(first.sourceStart, last.sourceStart),
            sourceDuration: max(first.sourceEnd, last.sourceEnd) - min(first.sourceStart, last.sourceStart),
            rate: first.rate, start: position(first.targetStart),
            end: min(sampleCount, position(last.targetEnd + tail)),
            generated: first.generated, pitch: first.pitch, isReversed: first.isReversed, speed: first.speed)
        for index in run {
            let segment = list[index]
            let (begins, ends) = (index == run.lowerBound, index == run.upperBound - 1)
            let end = ends ? segment.targetEnd + tail : segment.targetEnd
            let from = max(firstSample, position(segment.targetStart))
            let to = min(sampleCount, position(end))
            guard to > from else { continue }
            var edges = segment.edgeFades(
                isDeclicked: recipe.isDeclicked, begins: begins && !comes, ends: ends && !leaves)
            if begins, let before { edges.start = SoundFade(duration: before, curve: .linear) }
            if ends, let after { edges.end = SoundFade(duration: after, curve: .linear) }
            let fades = [
                edges.start.map {
                    EdgeFade($0, edge: exact(segment.targetStart), isIn: true, sampleRate: sampleRate)
                },
                edges.end.map { EdgeFade($0, edge: exact(end), isIn: false, sampleRate: sampleRate) },
            ]
            segments.append(
                MixSegment(
                    run: whole, index: index, samples: from..<to, volume: segment.volume,
                    fades: fades.compactMap(\.self)))
        }
    }
    return segments.sorted { $0.samples.lowerBound < $1.samples.lowerBound }
}

private func runs(of segments: [AudioSegmentRecipe]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (index, segment) in segments.enumerated() where segment.targetDuration > .zero {
        if let last = runs.last, last.upperBound == index, segments[index - 1].goesOn(in: segment) {
            runs[runs.count - 1] = last.lowerBound..<index + 1
        } else {
            runs.append(index..<index + 1)
        }
    }
    return runs
}

extension AudioSegmentRecipe {
    fileprivate var sourceEnd: Rational { sourceStart + sourceDuration }
    fileprivate var targetEnd: Rational { targetStart + targetDuration }

    /// Its own fades, and where it has none and its source does not go on, one that keeps the cut from clicking.
    fileprivate func edgeFades(isDeclicked: Bool, begins: Bool, ends: Bool) -> (start: SoundFade?, end: SoundFade?) {
        var declick = SoundFade.declick
        declick.duration = min(declick.duration, targetDuration / Rational(2))
        return (
            fadeIn ?? (isDeclicked && begins ? declick : nil), fadeOut ?? (isDeclicked && ends ? declick : nil)
        )
    }

    /// Whether its source goes on in the next segment, at whatever speed.
    fileprivate func leads(to next: AudioSegmentRecipe) -> Bool {
        let isNext = isReversed ? sourceStart == next.sourceEnd : sourceEnd == next.sourceStart
        return generated == nil && asset == next.asset && assetTrack == next.assetTrack && isNext
            && targetEnd == next.targetStart && isReversed == next.isReversed
    }

    private var isStretched: Bool { pitch != .varispeed && (rate != Rational(1) || speed != nil) }

    /// The seconds for which it and the next one cross; nil where they meet by themselves or have fades of their own.
    fileprivate func crossing(into next: AudioSegmentRecipe) -> Rational? {
        guard leads(to: next), !goesOn(in: next), isStretched || next.isStretched, fadeOut == nil, next.fadeIn == nil
        else { return nil }
        return min(SoundFade.declick.duration, next.targetDuration / Rational(2))
    }

    fileprivate func goesOn(in next: AudioSegmentRecipe) -> Bool {
        leads(to: next) && rate == next.rate
            && speed == nil && next.speed == nil && (pitch == next.pitch || rate == Rational(1))
    }
}
