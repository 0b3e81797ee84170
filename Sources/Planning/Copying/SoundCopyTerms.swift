package import MediaFacts
import MediaTime
import Outputs
import SplitreelProject
package import SplitreelTimeline

/// The answer to the question what a film's sound may be a copy of.
package enum SoundCopy: Hashable, Sendable {
    /// The one run of an asset that the whole sound is.
    case run(SoundRun, asset: String)
    /// The reason why the sound is mixed, as a clause.
    case mixed(String)
}

extension RenderPlan {
    /// Looks whether the film's whole sound is one run of one track, as it is, that the film can hold. Nothing of the
    /// source's packets is known here. `isAlone` is false for an output that is made together with others.
    package func soundCopy(
        of timeline: Timeline, _ assets: [String: AssetFacts], _ request: OutputRequest, isAlone: Bool
    ) throws -> SoundCopy {
        guard let audio = output.audio, sampleCount > 0 else { return .mixed("the film has no sound") }
        if let refusal = try soundRefusal(audio, request, isAlone: isAlone) { return .mixed(refusal) }
        return SoundRunFinder(
            timeline: timeline.hearing(output.audioTracks), assets: assets, audio: audio, start: Rational(range.start),
            sampleCount: sampleCount
        ).run
    }

    /// The reason in what was asked for why the sound is mixed, as a clause; nil for none.
    private func soundRefusal(_ audio: AudioSettings, _ request: OutputRequest, isAlone: Bool) throws -> String? {
        if request.rendering.passthrough == .never { return "nothing is to be copied" }
        if request.rendering.chunkSeconds == "none" { return "the film is to be one chunk" }
        if audio.codec.isLossless { return "\(audio.codec.displayName) loses nothing by it" }
        if audio.codec.copyContainers.isEmpty { return "packets of \(audio.codec.displayName) are not copied" }
        guard audio.codec.copyContainers.contains(output.container) else {
            return "\(output.container.rawValue) does not tell where copied \(audio.codec.displayName) begins"
        }
        if !isAlone || further != nil { return "the film is made together with others" }
        if output.sounds.count > 1 { return "the film has several sound tracks" }
        let sound = try request.withPreset().sound
        if sound.bitRate != nil || request.soundTracks?.contains(where: { $0.bitRate != nil }) == true {
            return "a bit rate was asked for"
        }
        if request.delivery.fileLengthLimit != nil { return "a length of the file was asked for" }
        if request.streamPath != nil || request.isPassedOn || output.isFragmented == true || output.stream != nil {
            return "a film of this form holds no copies"
        }
        return lead == nil ? nil : "the film has a cover in front"
    }
}

/// Finds the one run of a source that a film's whole sound is.
private struct SoundRunFinder {
    let timeline: Timeline
    let assets: [String: AssetFacts]
    let audio: AudioSettings
    /// The composition time of the film's first sample.
    let start: Rational
    let sampleCount: Int

    /// The fewest samples that are copied. ffmpeg hears nothing of a film of some ten samples behind two packets that
    /// it is to pass over.
    private static let fewest = 1024

    /// The film's sample at a composition time.
    private func place(_ time: Rational) -> Int { sampleIndex(of: time - start, rate: audio.sampleRate) }

    private func isHeard(_ segment: AudioSegmentRecipe) -> Bool {
        place(segment.targetStart) < sampleCount && place(segment.targetEnd) > 0
            && place(segment.targetStart) < place(segment.targetEnd)
    }

    var run: SoundCopy {
        guard timeline.taps.isEmpty, timeline.loudness == nil else { return .mixed("the sum has effects") }
        let heard = timeline.audio.filter { $0.segments.contains(where: isHeard) }
        guard let track = heard.first else { return .mixed("nothing is heard") }
        guard heard.count == 1 else { return .mixed("\(heard.count) tracks are heard") }
        guard track.isAsItIs else { return .mixed("track \(track.track) is changed") }
        let own = track.segments.indices.filter { isHeard(track.segments[$0]) }
        guard let first = own.first, let last = own.last else { return .mixed("nothing is heard") }
        // The mix reads a source's samples from the start of its run on, wherever the film begins.
        var begin = first
        while begin > 0, track.segments[begin - 1].goesOn(in: track.segments[begin]) { begin -= 1 }
        let segments = track.segments[begin...last]
        guard zip(segments, segments.dropFirst()).allSatisfy({ $0.goesOn(in: $1) }) else {
            return .mixed("it is not one unbroken run")
        }
        let (head, tail) = (segments[begin], segments[last])
        guard segments.allSatisfy(\.isAsItIs) else {
            return .mixed("its speed, its direction or its volume is changed, or it fades")
        }
        if let reason = fault(of: head) { return .mixed(reason) }
        guard place(head.targetStart) <= 0 else { return .mixed("it begins later than the film") }
        let count = min(sampleCount, place(tail.targetEnd))
        guard count >= Self.fewest else { return .mixed("it has less than \(Self.fewest) samples") }
        return .run(
            SoundRun(
                codec: audio.codec.rawValue, track: head.assetTrack, sampleRate: audio.sampleRate,
                channels: audio.channels,
                first: sampleIndex(of: head.sourceStart, rate: audio.sampleRate) - place(head.targetStart),
                count: count, rest: sampleCount - count), asset: head.asset)
    }

    /// The reason why a segment's source cannot be the film's sound, as a clause; nil for none.
    private func fault(of segment: AudioSegmentRecipe) -> String? {
        guard timeline.nested[segment.asset] == nil else { return "\(segment.asset) is a composition" }
        guard let facts = assets[segment.asset], facts.kind == .media, facts.parts == nil,
            let track = facts.track(segment.assetTrack), track.fault == nil, let source = track.audio
        else { return "\(segment.asset) is no film" }
        guard track.codec == audio.codec.libavName else {
            return "\(segment.asset) is \(track.codec), the film \(audio.codec.rawValue)"
        }
        guard source.sampleRate == audio.sampleRate else {
            return "\(segment.asset) has \(source.sampleRate) Hz, the film \(audio.sampleRate) Hz"
        }
        guard source.channels == audio.channels, source.layout == audio.channelLayout.rawValue else {
            return "\(segment.asset) is \(source.layout), the film \(audio.channelLayout.rawValue)"
        }
        return nil
    }
}

extension AudioTrackRecipe {
    /// Whether its segments are heard as they are.
    fileprivate var isAsItIs: Bool {
        func isAll(_ keys: KeyTrack<Double>, _ value: Double) -> Bool {
            keys.spans.allSatisfy { $0.from == value && $0.to == value }
        }
        return isAll(gains, 1) && isAll(pans, 0) && isAll(balances, 0) && !isDeclicked && taps.isEmpty
            && loudness == nil
    }
}

extension AudioSegmentRecipe {
    fileprivate var targetEnd: Rational { targetStart + targetDuration }

    fileprivate var isAsItIs: Bool {
        targetDuration > .zero && sourceDuration == targetDuration && speed == nil && !isReversed && volume == 1
            && generated == nil && fadeIn == nil && fadeOut == nil
    }

    /// Whether its source goes on in the next segment, without a break.
    fileprivate func goesOn(in next: AudioSegmentRecipe) -> Bool {
        isNatural && next.isNatural && asset == next.asset && assetTrack == next.assetTrack
            && sourceStart + sourceDuration == next.sourceStart && targetEnd == next.targetStart
    }

    private var isNatural: Bool {
        targetDuration > .zero && sourceDuration == targetDuration && speed == nil && !isReversed && generated == nil
    }
}
