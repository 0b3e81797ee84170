import Foundation

/// A composition of sound alone that a seed decides, and what of the format it uses.
package struct RandomMix {
    package let seed: Int
    package let text: String
    package let features: Set<String>
    package let sampleRate: Int
    package let channels: Int
    /// Start and duration of what is rendered; nil: all of it.
    package let range: (start: String, duration: String)?

    /// How far from the reference its samples may be, in decibels of full scale: what a resampler made too.
    package static let bound = -90.0

    package init(seed: Int, _ sources: MixSources) throws {
        self.seed = seed
        var maker = MixMaker(seed: seed, sources)
        let mix = maker.mix()
        (features, sampleRate, channels, range) = (maker.features, maker.rate, maker.channels, maker.range)
        let data = try JSONSerialization.data(withJSONObject: mix, options: [.sortedKeys, .withoutEscapingSlashes])
        text = String(decoding: data, as: UTF8.self)
    }

    /// The features that 40 mixes must have, each at least five times.
    package static let wanted = [
        "mono", "stereo", "5.1", "44100 Hz", "several tracks", "gap", "cut that changes nothing", "segment volume",
        "preferred volume", "volume keys", "easing", "overshoot", "jump", "pan", "balance", "mute", "solo", "declick",
        "equal power", "linear fade", "tone", "sweep", "noise", "silence", "noise of 1", "noise of 2", "noise of 6",
        "nested", "reverse",
        "keyed speed", "varispeed", "another speed from a cut on", "other rate", "clipping", "range", "beyond the end",
        "disabled track",
    ]
}
