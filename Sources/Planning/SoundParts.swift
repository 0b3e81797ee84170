import Diagnostics
import MediaFacts
import MediaTime
package import Outputs
import SplitreelProject
import SplitreelTimeline

/// A mix that is made once for all sound streams of all outputs that have one rate, one channel layout and the same
/// tracks.
package struct SoundMix: Sendable {
    /// The settings of the first of the streams: rate and layout are those of all.
    package let settings: AudioSettings
    /// The tracks of the composition that are heard, as in `SoundProgram.tracks`.
    package let tracks: [Int]?
    /// The number of the mix's samples at its own rate.
    package let sampleCount: Int
    /// The mix's streams: their places among the files that the sound's task makes, and their settings.
    package internal(set) var streams: [(place: Int, settings: AudioSettings)]
}

extension RenderPlan {
    /// The parts in which a sound is mixed at most.
    package static let mostSoundParts = 256

    /// The mixes in the order in which they are made; none where there is no sound.
    package var soundMixes: [SoundMix] {
        var mixes: [SoundMix] = []
        for (place, part) in segmentParts(ofTask: chunks.count).enumerated() {
            let view = view(ofOutput: part.output)
            guard view.output.sounds.indices.contains(part.sound) else { continue }
            let (settings, tracks) = (view.output.sounds[part.sound].settings, view.output.sounds[part.sound].tracks)
            let same = mixes.firstIndex {
                $0.settings.sampleRate == settings.sampleRate && $0.settings.channelLayout == settings.channelLayout
                    && $0.tracks == tracks
            }
            if let same {
                mixes[same].streams.append((place, settings))
            } else {
                mixes.append(
                    SoundMix(
                        settings: settings, tracks: tracks, sampleCount: view.sampleCount,
                        streams: [(place, settings)]))
            }
        }
        return mixes
    }

    /// The number of parts in which the sound is mixed before it is encoded; 0 where one task does both.
    package var soundPartCount: Int { soundCuts.map { $0.count + 1 } ?? 0 }

    /// The samples of a part in a mix of that rate in Hz and of that length in samples.
    package func samples(ofSoundPart index: Int, sampleRate: Int, sampleCount: Int) -> Range<Int> {
        let cuts = soundCuts ?? []
        let start = index > 0 ? cuts[index - 1] * sampleRate : 0
        return start..<(index < cuts.count ? cuts[index] * sampleRate : sampleCount)
    }

    /// The name of the file of a part of the sound, of one attempt at it: raw 32-bit floats, channel by channel for
    /// each sample.
    package static func soundPartName(_ index: Int, epoch: Int) -> String {
        let digits = String(index)
        return "mix-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "-\(epoch).f32"
    }
}

extension RenderPlan {
    /// Decides in which parts the sound is mixed; to be called when its samples and all chunks stand.
    mutating func cutSound(
        _ timeline: Timeline, _ assets: [String: AssetFacts], _ range: OutputRange, _ request: OutputRequest
    ) throws {
        guard sampleCount > 0 else { return }
        let cutter = SoundCutter(
            timeline: timeline, assets: assets, start: range.start - leadDuration, duration: filmDuration,
            pictureCost: chunks.reduce(0) { $0 + $1.cost })
        soundCuts = try cutter.cuts(SoundPartLength(text: request.rendering.soundPartSeconds))
    }
}

/// The lengths of the parts that a long sound is mixed in.
enum SoundPartLength: Hashable {
    /// Lengths that follow from the sound's cost.
    case automatic
    /// One part, which the task mixes that encodes it.
    case none
    case seconds(Int)

    /// - Parameter text: whole seconds, `none`, or nil for what the cost asks for. Throws `.usage` for others.
    init(text: String?) throws {
        guard let text else {
            self = .automatic
            return
        }
        if text == "none" {
            self = .none
            return
        }
        let digits = text.hasSuffix("s") ? String(text.dropLast()) : text
        guard let seconds = Int(digits), (1...86_400).contains(seconds) else {
            throw SplitreelError(
                .usage, operation: "reading the length of the sound's parts", subject: "\(.soundPartSeconds)",
                reason: "‘\(text)’ is no whole number of seconds from 1 to 86400",
                hint: "say a number such as 60, or `none`")
        }
        self = .seconds(seconds)
    }
}

/// Decides where a long sound is cut into parts that are mixed side by side.
///
/// A cut lies on a whole second of the film: every rate has a sample there. None lies where something is heard whose
/// samples follow from all that came before, since its part would have to begin with that: sound at another speed or
/// backwards, codecs that are decoded from their start, and nested compositions of such or of a loudness, which would
/// be measured anew; taps with a memory without end keep the whole in one piece.
struct SoundCutter {
    let timeline: Timeline
    /// The files' facts by the names that recipes have.
    let assets: [String: AssetFacts]
    /// The composition time of the film's start.
    let start: Rational
    let duration: Rational
    /// The cost of all chunks together; see `Chunk.cost`.
    let pictureCost: Double

    /// The cost of a second of one source, decoded and mixed, in the unit of `Chunk.cost`.
    private static let costOfSecond = 1.0 / 34
    /// The cost below which the sound is mixed in one piece: that takes less than a minute.
    private static let leastCost = 1000.0
    /// The slots that are reckoned with: the sound is cut where the picture takes no longer than it on so many.
    private static let usualSlots = 48.0
    private static let costOfPart = 350.0
    private static let shortest = 30
    /// The length of the last part at least, in seconds: a part has samples at any rate.
    private static let leastPart = Rational(1, 10)

    /// The cuts in whole seconds from the film's start, rising; nil where the sound is mixed in one piece. Throws where
    /// they are too many.
    func cuts(_ length: SoundPartLength) throws -> [Int]? {
        guard length != .none, timeline.isCuttable else { return nil }
        let seconds = duration.floor()
        let step: Int
        switch length {
        case .none: return nil
        case .seconds(let asked): step = asked
        case .automatic:
            let cost = Double(heardSeconds) * Self.costOfSecond
            guard cost >= Self.leastCost, cost * Self.usualSlots >= pictureCost else { return nil }
            let parts = min(RenderPlan.mostSoundParts / 4, max(2, Int(cost / Self.costOfPart)))
            step = max(Self.shortest, (seconds + parts - 1) / parts)
        }
        guard seconds / step < RenderPlan.mostSoundParts else {
            throw SplitreelError(
                .settingsImpossible, operation: "planning", subject: "\(.soundPartSeconds, step)",
                reason: "the sound would be mixed in more than \(RenderPlan.mostSoundParts) parts",
                hint: "let them be longer")
        }
        let closed = timeline.closedSpans(assets).map { (start: $0.lowerBound - start, end: $0.upperBound - start) }
        var cuts: [Int] = []
        let last = duration - Self.leastPart
        for nominal in stride(from: step, to: seconds + 1, by: step) where Rational(nominal) <= last {
            // The nearest second that is free.
            let ways = (0...step / 4).lazy.flatMap { [nominal - $0, nominal + $0] }
            let place = ways.first { second in
                let time = Rational(second)
                return second > cuts.last ?? 0 && time <= last
                    && !closed.contains { $0.start < time && time < $0.end }
            }
            if let place { cuts.append(place) }
        }
        return cuts.isEmpty ? nil : cuts
    }

    /// The whole seconds that all sources together are heard in the film.
    private var heardSeconds: Int {
        var sum = Rational.zero
        for segment in timeline.audio.flatMap(\.segments) {
            let from = max(segment.targetStart, start)
            let to = min(segment.targetStart + segment.targetDuration, start + duration)
            let sources = timeline.nested[segment.asset].map { max(1, $0.audio.count) } ?? 1
            if to > from { sum = sum + (to - from) * Rational(sources) }
        }
        return sum.floor()
    }
}

extension Timeline {
    /// Whether the mix can be begun anywhere: nothing in it remembers without end, and no track waits for its own
    /// loudness.
    fileprivate var isCuttable: Bool {
        audio.allSatisfy { $0.loudness == nil && $0.taps.allSatisfy(\.forgets) } && taps.allSatisfy(\.forgets)
    }

    /// The spans of composition time that are not to be cut in.
    fileprivate func closedSpans(_ assets: [String: AssetFacts]) -> [Range<Rational>] {
        audio.flatMap(\.segments).filter { isClosed($0, assets) }.map { segment in
            // A sound that leaves may go on for a little.
            segment.targetStart..<segment.targetStart + segment.targetDuration + SoundFade.declick.duration
        }
    }

    private func isClosed(_ segment: AudioSegmentRecipe, _ assets: [String: AssetFacts]) -> Bool {
        guard segment.rate == Rational(1), segment.speed == nil, !segment.isReversed else { return true }
        if let nested = nested[segment.asset] {
            return !nested.isCuttable || nested.loudness != nil || !nested.closedSpans(assets).isEmpty
        }
        guard segment.generated == nil else { return false }
        let codec = assets[segment.asset]?.tracks.first { $0.id == segment.assetTrack }?.codec ?? ""
        // Other codecs need all that came before: see `SoundEntry`.
        return !["aac", "mp3", "vorbis", "flac", "alac"].contains(codec) && !codec.hasPrefix("pcm_")
    }
}

extension TapRecipe {
    /// Whether the tap's sound follows from a bounded time before.
    fileprivate var forgets: Bool {
        switch id {
        case "gain", "route", "reverb": true
        case "delay": number("feedback") == 0 && keyed["feedback"] == nil
        default: false
        }
    }
}
