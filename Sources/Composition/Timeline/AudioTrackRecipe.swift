package import MediaTime

/// One audio track of the composition, as it is mixed.
package struct AudioTrackRecipe: Sendable, Hashable {
    /// The composition track's id.
    package var track: Int
    /// In order, without the empty ones.
    package var segments: [AudioSegmentRecipe]
    /// The volume keys, sorted: between a span's start and end the gain goes from `from` to `to` by its easing.
    package var gains: KeyTrack<Double>
    /// Each from −1 to 1; 0 before the first key.
    package var pans = KeyTrack<Double>([])
    package var balances = KeyTrack<Double>([])
    /// Whether edges where the source does not go on are faded for 5 ms.
    package var isDeclicked = false
    /// What is done to it, in order.
    package var taps: [TapRecipe] = []
    /// What the whole track is brought to, after all else.
    package var loudness: SoundLoudness?

    package init(track: Int, segments: [AudioSegmentRecipe], gains: KeyTrack<Double>) {
        (self.track, self.segments, self.gains) = (track, segments, gains)
    }

    /// The linear amplitude at a composition time, without the segment's own volume; 1 before the first key.
    package func gain(at time: Rational) -> Double { max(0, gains.value(at: time) ?? 1) }

    /// Times at which the gain's course changes, sorted, each once.
    package var breakpoints: [Rational] {
        gains.spans.reduce(into: []) { times, span in
            for time in [span.start, span.end] where times.last != time { times.append(time) }
        }
    }
}

/// A stretch of sound: the source range, played over the target range.
package struct AudioSegmentRecipe: Sendable, Hashable {
    package var asset: String
    /// Position of the track in the file, from 1.
    package var assetTrack: Int
    package var sourceStart: Rational
    package var sourceDuration: Rational
    package var targetStart: Rational
    package var targetDuration: Rational
    /// The segment's volume times the track's preferred one, linear.
    package var volume: Double
    /// What a generator gives in place of a file's sound.
    package var tone: Tone?
    package var pitch = PitchAlgorithm.varispeed
    /// Played from its end to its start.
    package var isReversed = false
    /// Speeds that change; nil for one, the durations' ratio.
    package var speed: KeyedSpeed?
    package var fadeIn: SoundFade?
    package var fadeOut: SoundFade?

    package init(
        asset: String, assetTrack: Int, sourceStart: Rational, sourceDuration: Rational, targetStart: Rational,
        targetDuration: Rational, volume: Double = 1, tone: Tone? = nil
    ) {
        self.asset = asset
        self.assetTrack = assetTrack
        self.sourceStart = sourceStart
        self.sourceDuration = sourceDuration
        self.targetStart = targetStart
        self.targetDuration = targetDuration
        self.volume = volume
        self.tone = tone
    }

    package var rate: Rational { sourceDuration / targetDuration }
}

/// A sine that begins with 0, going up, where its segment begins.
package struct Tone: Sendable, Hashable {
    /// In Hz.
    package var frequency: Double
    /// Linear amplitude.
    package var volume: Double

    package init(frequency: Double, volume: Double) { (self.frequency, self.volume) = (frequency, volume) }
}
