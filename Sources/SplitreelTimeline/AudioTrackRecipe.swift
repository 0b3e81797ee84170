package import MediaTime
package import SplitreelProject

/// One audio track of the composition, as it is mixed.
package struct AudioTrackRecipe: Sendable, Hashable {
    /// The composition track's id.
    package var track: Int
    /// The track's segments in order, without the empty ones.
    package var segments: [AudioSegmentRecipe]
    /// The volume keys, sorted: between a span's start and end the gain goes from `from` to `to` by its easing.
    package var gains: KeyTrack<Double>
    /// The pan keys, each from −1 to 1; 0 before the first key.
    package var pans = KeyTrack<Double>([])
    /// The balance keys, each from −1 to 1; 0 before the first key.
    package var balances = KeyTrack<Double>([])
    /// Whether edges where the source does not go on are faded for 5 ms.
    package var isDeclicked = false
    /// The taps that the track's sound goes through, in order.
    package var taps: [TapRecipe] = []
    /// The loudness that the whole track is brought to, after all else; nil where it stays as it is.
    package var loudness: SoundLoudness?

    package init(track: Int, segments: [AudioSegmentRecipe], gains: KeyTrack<Double>) {
        self.track = track
        self.segments = segments
        self.gains = gains
    }

    /// The linear amplitude at a composition time, without the segment's own volume; 1 before the first key.
    package func gain(at time: Rational) -> Double { max(0, gains.value(at: time) ?? 1) }

    /// The composition times at which the gain's course changes, sorted, each once.
    package var breakpoints: [Rational] {
        gains.spans.reduce(into: []) { times, span in
            for time in [span.start, span.end] where times.last != time { times.append(time) }
        }
    }
}

/// A stretch of sound: the source range, played over the target range.
package struct AudioSegmentRecipe: Sendable, Hashable {
    package var asset: String
    /// The position of the track in the file, from 1.
    package var assetTrack: Int
    package var sourceStart: Rational
    package var sourceDuration: Rational
    package var targetStart: Rational
    package var targetDuration: Rational
    /// The segment's volume times the track's preferred one, linear.
    package var volume: Double
    /// The sound of a generator in place of a file's; nil for files.
    package var generated: GeneratedSound?
    /// Whether the file's track has one channel, which pan then places by itself.
    package var isMono = false
    package var pitch = PitchAlgorithm.varispeed
    /// Whether the source is played from its end to its start.
    package var isReversed = false
    /// The speeds where they change; nil for one speed, the durations' ratio.
    package var speed: KeyedSpeed?
    package var fadeIn: SoundFade?
    package var fadeOut: SoundFade?

    package init(
        asset: String, assetTrack: Int, sourceStart: Rational, sourceDuration: Rational, targetStart: Rational,
        targetDuration: Rational, volume: Double = 1,
        generated: GeneratedSound? = nil
    ) {
        self.asset = asset
        self.assetTrack = assetTrack
        self.sourceStart = sourceStart
        self.sourceDuration = sourceDuration
        self.targetStart = targetStart
        self.targetDuration = targetDuration
        self.volume = volume
        self.generated = generated
    }

    package var rate: Rational { sourceDuration / targetDuration }
}

/// The sound of a generator, from where its segment begins.
package struct GeneratedSound: Sendable, Hashable {
    package enum Course: Sendable, Hashable {
        /// A sine that begins with 0, going up.
        case tone(frequency: Double)
        /// A sine whose frequency, in Hz, grows or falls by the same factor in equal times, over so many seconds.
        case sweep(from: Double, to: Double, seconds: Double)
        /// White noise, another one in each channel.
        case noise(seed: Int)
    }

    /// The frequencies that a file may say, in Hz.
    package static let frequencies = 0.001...384_000.0

    package var course: Course
    /// The linear amplitude.
    package var volume: Double

    package init(_ course: Course, volume: Double) { (self.course, self.volume) = (course, volume) }

    /// The sound of an asset for a segment of `length` seconds; nil for assets of other kinds.
    init?(_ content: AssetContent, length: Rational) {
        func hertz(_ value: Double, _ usual: Double) -> Double {
            value.isFinite ? min(max(value, Self.frequencies.lowerBound), Self.frequencies.upperBound) : usual
        }
        switch content {
        case .tone(let tone):
            self.init(.tone(frequency: hertz(tone.frequency, ToneSettings.usualFrequency)), volume: tone.volume)
        case .sweep(let sweep):
            let course = Course.sweep(
                from: hertz(sweep.start, SweepSettings.usual.start), to: hertz(sweep.end, SweepSettings.usual.end),
                seconds: length.double)
            self.init(course, volume: sweep.volume)
        case .noise(let noise, _): self.init(.noise(seed: noise.seed), volume: noise.volume)
        default: return nil
        }
    }
}
