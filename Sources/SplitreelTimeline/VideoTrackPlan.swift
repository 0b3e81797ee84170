package import MediaFacts
package import MediaTime
package import Pictures
import SplitreelProject

/// A video track's segments in exact time.
package struct VideoTrackPlan: Sendable {
    package struct Segment: Sendable {
        package var targetStart: Rational
        package var targetEnd: Rational
        /// The time at which the source stands at its `sourceStart`; with a handle before it this is later than
        /// `targetStart`.
        let origin: Rational
        /// The pictures that are played; nil for an empty segment.
        package let media: Media?

        init(targetStart: Rational, targetEnd: Rational, media: Media?) {
            self.targetStart = targetStart
            self.targetEnd = targetEnd
            origin = targetStart
            self.media = media
        }
    }

    /// The transition by which a segment comes in.
    struct Join: Sendable {
        let effect: EffectPlan
        /// The picture that leaves, as a track of its own with the handle that the transition needs; nil for nothing.
        let from: VideoTrackPlan?
        /// The picture that comes, as a track of its own with its handle.
        let to: VideoTrackPlan
        /// The other track that has what leaves: it is drawn in the transition's place and not in its own. nil for
        /// none.
        let otherTrack: Int?

        var start: Rational { effect.range.start }
        var end: Rational { effect.range.end }
    }

    package struct Media: Sendable {
        package let asset: String
        package let assetTrack: Int
        /// Whether it is a still or a generator: one picture for all times.
        let isStill: Bool
        let sourceStart: Rational
        let speed: SpeedMap
        /// The way back of a source that is played backwards; nil forwards.
        var reversal: Reversal?
        /// The rule by which frames are blended; nil where each stands until the next one.
        var blending: FrameBlending?
        /// The asset time at which the file's track starts.
        let trackStart: Rational
        /// The last instant inside the file's track, in asset time.
        let trackLast: Rational
        /// Whether times before `trackStart` show the first frame.
        let holdsFirst: Bool
        package let preferredTransform: Affine
        /// The size in display pixels before it is turned; 0×0 where the file does not say.
        package let displaySize: DisplaySize
        /// The picture of one colour that a generator shows; nil for files.
        var fill: ColourFill?
        /// The picture that another generator shows at an asset time; nil for all else.
        var pattern: (@Sendable (Rational) -> PatternPicture)?
        /// The loop of an animated image that plays by itself; nil for all else.
        var loop: Loop?
        /// The composition that is shown; nil for files.
        var nested: Boxed<Timeline>?
        /// The times at which that composition's frames begin; nil where they are even.
        var nestedTimes: FrameTimes?
        /// Whether its file says that it lets through what lies beneath it.
        var hasAlpha = false
        /// A generator's alpha, by which its layer's opacity is multiplied; 1 for files.
        package var alpha = 1.0

        /// The asset time so many seconds after the segment began.
        func sourceTime(after elapsed: Rational) -> Rational {
            let way = speed.offset(after: elapsed)
            guard let reversal else { return sourceStart + way }
            return reversal.end - way - reversal.instant
        }

        /// The picture at `time`, an asset time, for the composition track of that id.
        func picture(track: Int, at time: Rational) -> PictureNode {
            if let fill { return .fill(fill) }
            if let pattern { return .pattern(pattern(time)) }
            if let nested { return nested.value.picture(heldAt: time, nestedTimes, for: track) }
            return .source(
                SourceFrame(track: track, asset: asset, assetTrack: assetTrack, time: time, blending: blending))
        }
    }

    /// A source that is played from its end: each of its frames from its own end to its start, so that a frame that
    /// begins at a time is not shown at that time, but the one before it.
    struct Reversal: Sendable {
        /// The end of the source range.
        let end: Rational
        /// The seconds before a time at which the frame that counts is held: longer than clocks of files round by.
        let instant: Rational

        /// The reversal whose instant is at most half a frame.
        init(end: Rational, frame: Rational?) {
            self.end = end
            instant = Self.instant(frame: frame)
        }

        /// Longer than clocks of files round by, and at most half a frame, in seconds.
        static func instant(frame: Rational?) -> Rational {
            min(Rational(1, 1000), (frame ?? Rational(1, 100)) / Rational(2))
        }
    }

    /// The way in which an animated image goes on after its end.
    struct Loop: Sendable {
        /// The shortest play, in seconds: an image that lasts less stands still.
        static let shortest = Rational(1, 100_000)

        /// The seconds of one play.
        let period: Rational
        /// The number of plays; 0 for ever.
        let plays: Int

        /// The asset time that is shown so many seconds after the segment's start; after the last play the last frame
        /// stands.
        func time(after elapsed: Rational) -> Rational {
            // Before its first play the first frame stands; an image that plays for ever has played before.
            if plays > 0, elapsed < .zero { return .zero }
            let play = (elapsed / period).floor()
            return plays > 0 && play >= plays ? period : elapsed - Rational(play) * period
        }
    }

    package let id: Int
    /// The segments in order, from 0, without gaps.
    package let segments: [Segment]
    /// The transitions in order, apart from each other.
    var joins: [Join] = []

    package func segmentIndex(at time: Rational) -> Int? {
        guard let index = segments.lastIndexStarting(atOrBefore: time, { $0.targetStart }),
            time < segments[index].targetEnd
        else { return nil }
        return index
    }

    /// The transition that is under way at a time; nil for none.
    func join(at time: Rational) -> Join? {
        guard let index = joins.lastIndexStarting(atOrBefore: time, { $0.start }), time < joins[index].end else {
            return nil
        }
        return joins[index]
    }

    /// The picture that is wanted and its asset time; nil where the track shows nothing.
    func source(at time: Rational) -> (media: Media, sourceTime: Rational)? {
        guard let index = segmentIndex(at: time), let media = segments[index].media else { return nil }
        if media.isStill { return (media, media.trackStart) }
        let elapsed = time - segments[index].origin
        let wanted = media.loop?.time(after: elapsed) ?? media.sourceTime(after: elapsed)
        if wanted < media.trackStart { return media.holdsFirst ? (media, media.trackStart) : nil }
        return (media, min(wanted, media.trackLast))
    }
}

extension VideoTrackPlan.Media {
    /// The longest gap in seconds at a track's start in which the track's first frame is shown: no black flash.
    static let longestHeldGap = Rational(1, 10)

    /// The pictures of a file that a segment plays; nil where the file has no such track, or the segment no source.
    static func file(
        _ segment: TrackSegment, name: String, facts: AssetFacts, track: Track, target: (start: Rational, end: Rational)
    ) -> VideoTrackPlan.Media? {
        let period = facts.duration.exact ?? .zero
        let whole = facts.kind != .media ? (start: Rational.zero, end: target.end - target.start) : nil
        guard let fileTrack = facts.track(segment.track ?? facts.firstTrack(of: .video)?.id ?? 0),
            let source = segment.source?.exact ?? whole
        else { return nil }
        let loops = segment.source == nil && period >= VideoTrackPlan.Loop.shortest
        let isBlended = segment.frameBlending == true && segment.source != nil
        let start = fileTrack.start.exact ?? .zero
        let end = start + (fileTrack.duration.exact ?? .zero)
        return VideoTrackPlan.Media(
            asset: name, assetTrack: fileTrack.id, isStill: false, sourceStart: source.start,
            speed: SpeedMap(
                segment.source == nil ? nil : segment.speed, source: source.end - source.start,
                target: target.end - target.start),
            reversal: segment.reverse == true && segment.source != nil
                ? VideoTrackPlan.Reversal(end: source.end, frame: fileTrack.nominalFrame) : nil,
            blending: isBlended
                ? FrameBlending(
                    start: source.start, end: source.end, isReversed: segment.reverse == true, trackEnd: end,
                    instant: VideoTrackPlan.Reversal.instant(frame: fileTrack.nominalFrame)) : nil,
            trackStart: start,
            trackLast: max(start, end - Rational(1, 1_000_000_000)),
            holdsFirst: start <= longestHeldGap,
            preferredTransform: track.preferredTransform ?? fileTrack.video?.preferredTransform ?? .identity,
            displaySize: fileTrack.video?.displaySize ?? (0, 0),
            loop: loops ? VideoTrackPlan.Loop(period: period, plays: facts.plays ?? 1) : nil,
            hasAlpha: fileTrack.video?.hasAlpha ?? false)
    }

    static func still(
        name: String, facts: AssetFacts?, track: Track, segment: TrackSegment
    ) -> VideoTrackPlan.Media {
        let fileTrack = facts?.videoTrack(of: segment)
        // A film shows its first frame.
        let start = facts?.kind == .image ? .zero : fileTrack?.start.exact ?? .zero
        return VideoTrackPlan.Media(
            asset: name, assetTrack: fileTrack?.id ?? 0, isStill: true, sourceStart: .zero,
            speed: .constant(Rational(1)),
            trackStart: start, trackLast: start, holdsFirst: true,
            preferredTransform: track.preferredTransform ?? fileTrack?.video?.preferredTransform ?? .identity,
            displaySize: fileTrack?.video?.displaySize ?? (0, 0),
            hasAlpha: fileTrack?.video?.hasAlpha ?? false)
    }

    static func generator(name: String, _ colour: Colour, size: PixelSize, track: Track) -> VideoTrackPlan.Media {
        var opaque = colour
        opaque.alpha = 1
        return VideoTrackPlan.Media(
            asset: name, assetTrack: 0, isStill: true, sourceStart: .zero, speed: .constant(Rational(1)),
            trackStart: .zero,
            trackLast: .zero, holdsFirst: true, preferredTransform: track.preferredTransform ?? .identity,
            displaySize: (Double(size.width), Double(size.height)),
            fill: ColourFill(colour: opaque, size: size), alpha: colour.alpha)
    }

    /// The pictures of a generator; nil where it has no pattern. Noise of a rate has as many pictures a second, all
    /// else one. `end` is the segment's length in seconds.
    static func pattern(name: String, _ content: AssetContent, canvas: PixelSize, track: Track, end: Rational)
        -> VideoTrackPlan.Media?
    {
        guard let still = content.pattern() else { return nil }
        let size = content.pictureSize ?? canvas
        var rate: Rational?
        if case .noise(let noise, _) = content { rate = noise.rate }
        return VideoTrackPlan.Media(
            asset: name, assetTrack: 0, isStill: rate == nil, sourceStart: .zero, speed: .constant(Rational(1)),
            trackStart: .zero,
            trackLast: end, holdsFirst: true, preferredTransform: track.preferredTransform ?? .identity,
            displaySize: (Double(size.width), Double(size.height)),
            pattern: { [rate] time in
                let moving = rate.flatMap { content.pattern(frame: (time * $0).floor()) }
                return PatternPicture(pattern: moving ?? still, size: size)
            })
    }
}
