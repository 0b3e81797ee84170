/// The key `audio`.
package struct AudioMix: ProjectObject {
    package var inputs: [AudioInput]?
    package var loudness: LoudnessSettings?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Audio"
    package static let summary = "How audio tracks are mixed; a track without an input is heard at volume 1."
    package static let fields: [Field<AudioMix>] = [
        Field("inputs", \.inputs, "At most one for each audio track."),
        Field("loudness", \.loudness, "What the whole mix is brought to; absent: it stays as it is."),
    ]
}

/// How the speed of sound is changed; raw values are the file's.
package enum PitchAlgorithm: String, ProjectWord { case spectral, timeDomain, varispeed }

package struct AudioInput: ProjectObject {
    package var track = 0
    package var pitch: PitchAlgorithm?
    package var volume: [Key<Double>]?
    package var pan: [Key<Double>]?
    package var balance: [Key<Double>]?
    package var mute: Bool?
    package var solo: Bool?
    package var declick: Bool?
    package var loudness: LoudnessSettings?
    package var tap: AudioTap?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "AudioInput"
    package static let summary = "The parameters of one audio track."
    package static let fields: [Field<AudioInput>] = [
        Field("track", required: \.track, "The id of an audio track of the composition."),
        Field(
            "pitch", \.pitch, default: .string("spectral"),
            "At rates other than 1 only `varispeed` (pitch follows speed) is rendered yet."),
        Field("volume", \.volume, "Linear amplitude; before the first key: 1; above 1 is allowed."),
        Field("pan", \.pan, "From -1 (left) to 1 (right), of equal power; before the first key: 0."),
        Field("balance", \.balance, "From -1 (left alone) to 1 (right alone), linear; before the first key: 0."),
        Field("mute", \.mute, default: .bool(false), "true: the track is not heard."),
        Field("solo", \.solo, default: .bool(false), "true on any input: tracks without it are not heard."),
        Field(
            "declick", \.declick, default: .bool(false),
            "true: 5 ms of fade at each edge of a segment where its source does not go on."),
        Field("loudness", \.loudness, "What the whole track is brought to before it is added to the others."),
        Field("tap", \.tap, "A registered sound filter. Not rendered yet."),
    ]
}

package struct AudioTap: ProjectObject {
    package enum Stage: String, ProjectWord { case pre, post }

    package var id = ""
    package var stage: Stage?
    package var params: JSONValue?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "AudioTap"
    package static let summary = "A sound filter found by its registered id."
    package static let fields: [Field<AudioTap>] = [
        Field("id", required: \.id, "The registered id."),
        Field("stage", \.stage, default: .string("pre"), "Before or after the volume."),
        Field("params", \.params, "Whatever the filter understands."),
    ]
}
