public import JSONText
import MediaFacts

extension AudioMix {
    /// Makes a mix; what is nil is absent from the file.
    public init(inputs: [AudioInput]? = nil, taps: [AudioTap]? = nil, loudness: LoudnessSettings? = nil) {
        self.init()
        self.inputs = inputs
        self.taps = taps
        self.loudness = loudness
    }
}

extension AudioInput {
    /// Makes the parameters of an audio track; what is nil is absent from the file.
    public init(
        track: Int, volume: [Key<Double>]? = nil, pitch: PitchAlgorithm? = nil, pan: [Key<Double>]? = nil,
        balance: [Key<Double>]? = nil, mute: Bool? = nil, solo: Bool? = nil, declick: Bool? = nil,
        output: SoundRoutes? = nil, loudness: LoudnessSettings? = nil, tap: AudioTap? = nil, taps: [AudioTap]? = nil
    ) {
        self.init()
        self.track = track
        self.volume = volume
        self.pitch = pitch
        self.pan = pan
        self.balance = balance
        self.mute = mute
        self.solo = solo
        self.declick = declick
        self.output = output
        self.loudness = loudness
        self.tap = tap
        self.taps = taps
    }
}

extension AudioTap {
    /// Makes a tap of a registered id, such as `lowpass`.
    public init(id: String, version: Int? = nil, stage: Stage? = nil, params: JSONValue? = nil, enabled: Bool? = nil) {
        self.init()
        self.id = id
        self.version = version
        self.stage = stage
        self.params = params
        self.enabled = enabled
    }
}

extension LoudnessSettings {
    /// Makes a loudness in LUFS, such as -23.
    public init(target: Double, truePeak: Double? = nil, limit: Bool? = nil) {
        self.init()
        self.target = target
        self.truePeak = truePeak
        self.limit = limit
    }
}
