public import JSONText

/// The key `audio`: the mix of the audio tracks.
public struct AudioMix: ProjectObject {
    /// The parameters of the audio tracks, at most one for each; a track without one is heard at volume 1.
    public var inputs: [AudioInput]?
    /// The taps on the whole mix, in order, before its loudness; nil for none.
    public var taps: [AudioTap]?
    /// The loudness that the whole mix is brought to; nil where it stays as it is.
    public var loudness: LoudnessSettings?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Audio"
    package static let summary = "How audio tracks are mixed; a track without an input is heard at volume 1."
    package static let fields: [Field<AudioMix>] = [
        Field("inputs", \.inputs, "At most one for each audio track."),
        Field("taps", \.taps, "What is done to the whole mix, in order, before its loudness."),
        Field("loudness", \.loudness, "What the whole mix is brought to; absent: it stays as it is."),
    ]
}

/// The algorithm by which the speed of sound is changed; raw values are the file's.
public enum PitchAlgorithm: String, Codable, ProjectWord {
    /// The pitch stays, with the least that is heard of the change.
    case spectral
    /// The pitch stays, by pieces that overlap: for voices.
    case timeDomain
    /// The pitch follows the speed, as of a tape.
    case varispeed
}

/// The parameters of one audio track.
public struct AudioInput: ProjectObject {
    /// The id of an audio track of the composition.
    public var track = 0
    /// The algorithm at rates other than 1; nil for `spectral`.
    public var pitch: PitchAlgorithm?
    /// The linear amplitudes, above 1 too; 1 before the first key.
    public var volume: [Key<Double>]?
    /// The places from -1 (left) to 1 (right), of equal power; 0 before the first key.
    public var pan: [Key<Double>]?
    /// The balances from -1 (left alone) to 1 (right alone), linear; 0 before the first key.
    public var balance: [Key<Double>]?
    /// Whether the track is not heard; nil counts as false.
    public var mute: Bool?
    /// Whether tracks without it are not heard; nil counts as false.
    public var solo: Bool?
    /// Whether 5 ms fade at each edge of a segment where its source does not go on; nil counts as false.
    public var declick: Bool?
    /// The sound tracks of the output that it goes into; nil for the first.
    public var output: SoundRoutes?
    /// The loudness that the whole track is brought to before it is added to the others; nil where it stays.
    public var loudness: LoudnessSettings?
    /// The one tap on the track's sound, the same as `taps` of one; nil for none.
    public var tap: AudioTap?
    /// The taps on the track's sound, in order; nil for none.
    public var taps: [AudioTap]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "AudioInput"
    package static let summary = "The parameters of one audio track."
    package static let fields: [Field<AudioInput>] = [
        Field("track", required: \.track, "The id of an audio track of the composition."),
        Field(
            "pitch", \.pitch, default: .string("spectral"),
            "What sound does at rates other than 1: with `varispeed` the pitch follows the speed."),
        Field("volume", \.volume, "Linear amplitude; before the first key: 1; above 1 is allowed."),
        Field("pan", \.pan, "From -1 (left) to 1 (right), of equal power; before the first key: 0."),
        Field("balance", \.balance, "From -1 (left alone) to 1 (right alone), linear; before the first key: 0."),
        Field("mute", \.mute, default: .bool(false), "true: the track is not heard."),
        Field("solo", \.solo, default: .bool(false), "true on any input: tracks without it are not heard."),
        Field(
            "declick", \.declick, default: .bool(false),
            "true: 5 ms of fade at each edge of a segment where its source does not go on."),
        Field(
            "output", \.output, default: .integer(1),
            "The sound track of the output that it goes into, by place or name of its `audioTracks`; or a list of them."
        ),
        Field("loudness", \.loudness, "What the whole track is brought to before it is added to the others."),
        Field("tap", \.tap, "The same as `taps` of one."),
        Field("taps", \.taps, "What is done to the track's sound, in order."),
    ]
}

/// A change of sound, found by its registered id.
public struct AudioTap: ProjectObject {
    /// The place of a track's tap.
    public enum Stage: String, Codable, ProjectWord {
        /// Before or after volume, pan and balance.
        case pre, post
    }

    /// The registered id, such as `lowpass`.
    public var id = ""
    /// The version that is needed; nil for the newest.
    public var version: Int?
    /// The place of a track's tap, before or after its volume, pan and balance; nil for `pre`.
    public var stage: Stage?
    /// The parameters by their names; a number may be a list of keys. nil for the defaults.
    public var params: JSONValue?
    /// Whether it counts; false is as if it did not stand there, nil counts as true.
    public var enabled: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "AudioTap"
    package static let summary = "A sound filter found by its registered id; the file never carries code."
    package static let fields: [Field<AudioTap>] = [
        Field("id", required: \.id, "The registered id, such as `lowpass`."),
        Field("version", \.version, "The version that is needed; absent: the newest."),
        Field(
            "stage", \.stage, default: .string("pre"), "Of a track: before or after its volume, pan and balance."),
        Field(
            "params", \.params,
            "What it understands: `splitreel effects ID` lists it. A number may be a list of keys."),
        Field("enabled", \.enabled, default: .bool(true), "false: as if it did not stand there."),
    ]
}

extension AudioInput {
    /// The input's taps in order, of whichever key, with what follows the input's own place in the file.
    package var allTaps: [(place: String, tap: AudioTap)] {
        (tap.map { [(".tap", $0)] } ?? []) + (taps ?? []).enumerated().map { (".taps[\($0)]", $1) }
    }
}

extension AudioTap {
    /// The tap as the registry finds it.
    package var choice: RegisteredChoice {
        get {
            var choice = RegisteredChoice()
            choice.id = id
            choice.version = version
            choice.params = params
            choice.enabled = enabled
            return choice
        }
        set {
            id = newValue.id
            version = newValue.version
            params = newValue.params
            enabled = newValue.enabled
        }
    }
}
