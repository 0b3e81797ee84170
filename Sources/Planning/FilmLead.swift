import Diagnostics
import MediaFacts
package import MediaTime
import Outputs
import SplitreelProject
import SplitreelTimeline

/// A frame of the film that stands in front of it, without sound: what is seen before anything plays.
package struct FilmLead: Hashable, Codable, Sendable {
    /// The composition time of the frame.
    package var time: MediaTime
    /// The number of frames for which the lead stands; they are the plan's first chunk.
    package var frameCount: Int

    /// The longest time that a lead may stand, in seconds.
    static let longest = Rational(60)

    package init(time: MediaTime, frameCount: Int) { (self.time, self.frameCount) = (time, frameCount) }
}

extension RenderPlan {
    /// The time that the lead lasts, in seconds; 0 without a lead.
    package var leadDuration: Rational { Rational(lead?.frameCount ?? 0) * Rational(frameDuration) }

    /// The length of the whole film with its lead, in seconds; stills count as if they were one film.
    package var filmDuration: Rational {
        if let stills { return Rational(stills.count) * Rational(frameDuration) }
        return leadDuration + Rational(range.duration)
    }

    /// The samples before the first one of the mix, at that rate in Hz.
    package func leadSamples(rate: Int) -> Int { sampleIndex(of: leadDuration, rate: rate) }

    /// Puts the lead's chunk in front of those of the range.
    mutating func addLead(_ timeline: Timeline, _ assets: [String: AssetFacts]) {
        guard let lead else { return }
        let profiler = ChunkProfiler(
            timeline: timeline, assets: assets, time: { _ in Rational(lead.time) }, boundaries: [])
        let profile = profiler.profile(0..<lead.frameCount)
        let cover = Chunk(
            index: 0, kind: profile.kind, firstFrame: 0, frameCount: lead.frameCount, cost: profile.cost,
            why: "cover frames")
        chunks =
            [cover]
            + chunks.map { chunk in
                var chunk = chunk
                chunk.index += 1
                chunk.firstFrame += lead.frameCount
                return chunk
            }
    }
}

extension RenderPlan {
    /// Whether the plan is of a film: stills and waveforms are none, since nobody expects words, chapters or sound of
    /// them.
    package var isOfFilm: Bool { stills == nil && output.container.kind != .waveform }
}

extension OutputRequest {
    /// The lead of a film whose frames begin at `start`; nil where none is asked for. Throws `.settingsImpossible`
    /// where there cannot be one.
    func lead(
        from start: Rational, _ timing: FrameTiming, frameCount: Int
    ) throws -> FilmLead? {
        guard let count = self.timing.coverFrames else { return nil }
        let option: Phrase = "\(.coverFrames, count)"
        guard OutputEntry.coverFrames.contains(count) else {
            throw impossible(
                option,
                """
                a film begins with \(OutputEntry.coverFrames.lowerBound) to \(OutputEntry.coverFrames.upperBound) of \
                them
                """,
                hint: "say how many frames long the cover stands; a longer one is a segment of the composition")
        }
        guard streamPath == nil else {
            throw impossible(option, "the films of a stream begin with their range", hint: "leave it out")
        }
        guard frameCount > 0 else {
            throw impossible(option, "the output has no picture", hint: "leave it out")
        }
        guard Rational(count) * Rational(timing.pace) <= FilmLead.longest else {
            throw impossible(
                option, "it would stand for more than a minute", hint: "say fewer, or a higher \(.frameRate)")
        }
        guard case .even = timing else {
            throw impossible(
                option, "the composition has a `frameTimingTrack`: its frames are not even",
                hint: "say \(.frameRate, value: .rates(["30"])) for even frames, or \(.leaveOut)")
        }
        guard let text = self.timing.posterTime else {
            throw impossible(
                option, "it is not said which frame",
                hint: "say \(.posterTime, "2.5s") for the composition's frame there")
        }
        let frame = try framePlace(
            text, option: "\(.posterTime, shown(text))", from: start, timing, frameCount: frameCount)
        return FilmLead(time: (start + timing.time(ofFrame: frame)).mediaTime, frameCount: count)
    }
}

extension OutputSettings {
    /// Moves texts and chapters by the lead's seconds; a chapter that begins with the film begins with its lead.
    mutating func moveWords(by lead: Rational) {
        guard lead > .zero else { return }
        func moved(_ time: MediaTime) -> MediaTime { (Rational(time) + lead).mediaTime }
        for text in (texts ?? []).indices {
            for cue in (texts?[text].cues ?? []).indices {
                guard let old = texts?[text].cues[cue] else { continue }
                texts?[text].cues[cue] = FilmText.Cue(start: moved(old.start), end: moved(old.end), text: old.text)
            }
        }
        chapters = chapters?.map { chapter in
            let start = Rational(chapter.start) > .zero ? moved(chapter.start) : chapter.start
            return FilmChapter(start: start, end: moved(chapter.end), title: chapter.title)
        }
    }
}
