package import MediaTime
package import SplitreelProject

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
    package var generated: GeneratedSound?
    package var pitch = PitchAlgorithm.varispeed
    /// Played from its end to its start.
    package var isReversed = false
    /// Speeds that change; nil for one, the durations' ratio.
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

/// What a generator gives, from where its segment begins.
package struct GeneratedSound: Sendable, Hashable {
    package enum Course: Sendable, Hashable {
        /// A sine that begins with 0, going up.
        case tone(frequency: Double)
        /// A sine whose frequency, in Hz, grows or falls by the same factor in equal times, over so many seconds.
        case sweep(from: Double, to: Double, seconds: Double)
        /// White noise, another one in each channel.
        case noise(seed: Int)
    }

    /// In Hz; what a file may say.
    package static let frequencies = 0.001...384_000.0

    package var course: Course
    /// Linear amplitude.
    package var volume: Double

    package init(_ course: Course, volume: Double) { (self.course, self.volume) = (course, volume) }

    /// nil of assets of other kinds. `length`: of the segment, in seconds.
    init?(_ asset: Asset, length: Rational) {
        func hertz(_ frequency: Double?, _ fallback: Double) -> Double {
            let value = frequency ?? fallback
            return value.isFinite ? min(max(value, Self.frequencies.lowerBound), Self.frequencies.upperBound) : fallback
        }
        switch asset.kind {
        case .tone: course = .tone(frequency: hertz(asset.frequency, 1000))
        case .sweep:
            course = .sweep(
                from: hertz(asset.frequency, 20), to: hertz(asset.endFrequency, 20_000), seconds: length.double)
        case .noise: course = .noise(seed: asset.seed ?? 0)
        default: return nil
        }
        volume = asset.volume ?? 0.1
    }
}
