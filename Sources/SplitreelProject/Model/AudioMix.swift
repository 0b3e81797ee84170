public import JSONText

/// The key `audio`: the mix of the audio tracks.
public struct AudioMix: ProjectObject {
    public var inputs: [AudioInput]?
    public var taps: [AudioTap]?
    public var loudness: LoudnessSettings?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Audio"
    package static let summary = "How audio tracks are mixed; a track without an input is heard at volume 1."
    package static let fields: [Field<AudioMix>] = [
        Field("inputs", \.inputs, "At most one for each audio track."),
        Field("taps", \.taps, "What is done to the whole mix, in order, before its loudness."),
        Field("loudness", \.loudness, "What the whole mix is brought to; absent: it stays as it is."),
    ]
}

/// The algorithm by which the speed of sound is changed; raw values are the file's.
public enum PitchAlgorithm: String, Codable, ProjectWord { case spectral, timeDomain, varispeed }

public struct AudioInput: ProjectObject {
    public var track = 0
    public var pitch: PitchAlgorithm?
    public var volume: [Key<Double>]?
    public var pan: [Key<Double>]?
    public var balance: [Key<Double>]?
    public var mute: Bool?
    public var solo: Bool?
    public var declick: Bool?
    public var output: SoundRoutes?
    public var loudness: LoudnessSettings?
    public var tap: AudioTap?
    public var taps: [AudioTap]?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
    public enum Stage: String, ProjectWord { case pre, post }

    public var id = ""
    public var version: Int?
    public var stage: Stage?
    public var params: JSONValue?
    public var enabled: Bool?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
    public var allTaps: [(place: String, tap: AudioTap)] {
        (tap.map { [(".tap", $0)] } ?? []) + (taps ?? []).enumerated().map { (".taps[\($0)]", $1) }
    }
}

extension AudioTap {
    /// The tap as the registry finds it.
    public var choice: RegisteredChoice {
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
