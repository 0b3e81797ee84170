import Diagnostics
import JSONText
import MediaTime
import SplitreelProject

extension ValidationTests {
    private static func fade(_ duration: String) -> FadeSettings {
        var fade = FadeSettings()
        fade.duration = time(duration)
        return fade
    }

    private static func tap(_ id: String, _ params: [String: JSONValue] = [:]) -> AudioTap {
        var tap = AudioTap()
        (tap.id, tap.params) = (id, .object(params))
        return tap
    }

    /// The faults that taps may not have, each with the error that it gives.
    static let tapRules: [Rule] = [
        Rule(name: "unknown tap", code: .effectUnknown, path: "audio.inputs[0].tap.id") {
            $0.audio?.inputs?[0].tap = tap("lowpas")
        },
        Rule(name: "picture effect as tap", code: .effectUnknown, path: "audio.taps[0].id") {
            $0.audio?.taps = [tap("blur")]
        },
        Rule(name: "tap of another version", code: .effectUnknown, path: "audio.inputs[0].taps[1].version") {
            $0.audio?.inputs?[0].taps = [tap("gain"), tap("gain")]
            $0.audio?.inputs?[0].taps?[1].version = 9
        },
        Rule(name: "tap without sound below 10 Hz", code: .parameterWrong, path: "audio.inputs[0].tap.params.hz") {
            $0.audio?.inputs?[0].tap = tap("highpass", ["hz": .integer(1)])
        },
        Rule(name: "unknown parameter", code: .parameterWrong, path: "audio.inputs[0].tap.params.herz") {
            $0.audio?.inputs?[0].tap = tap("highpass", ["herz": .integer(100)])
        },
        Rule(name: "time that moves", code: .parameterWrong, path: "audio.inputs[0].tap.params.time") {
            $0.audio?.inputs?[0].tap = tap(
                "delay", ["time": .array([.object(["at": .string("0s"), "value": .integer(1)])])])
        },
        Rule(name: "channel 0", code: .valueNotAllowed, path: "audio.inputs[0].tap.params.matrix[1]") {
            $0.audio?.inputs?[0].tap = tap(
                "route",
                ["matrix": .array([[1, 1, 1], [0, 1, 1]].map { .array($0.map { .integer($0) }) })])
        },
        Rule(name: "channel 17", code: .parameterWrong, path: "audio.inputs[0].tap.params.matrix") {
            $0.audio?.inputs?[0].tap = tap(
                "route",
                ["matrix": .array([[16, 16, 1], [1, 17, 1]].map { .array($0.map { .integer($0) }) })])
        },
        Rule(name: "both keys", code: .valueNotAllowed, path: "audio.inputs[0].tap") {
            $0.audio?.inputs?[0].tap = tap("gain")
            $0.audio?.inputs?[0].taps = [tap("gain")]
        },
        Rule(name: "led by itself", code: .valueNotAllowed, path: "audio.inputs[0].tap.params") {
            let own = Int64($0.audio?.inputs?[0].track ?? 0)
            $0.audio?.inputs?[0].tap = tap("duck", ["track": .integer(own)])
        },
        Rule(name: "led by a picture", code: .audioTrackNotAudio, path: "audio.inputs[0].tap.params.track") {
            $0.audio?.inputs?[0].tap = tap("duck", ["track": .integer(Int64($0.composition.tracks[0].id))])
        },
        Rule(name: "led by nobody", code: .audioTrackUnknown, path: "audio.inputs[0].tap.params.track") {
            $0.audio?.inputs?[0].tap = tap("duck", ["track": .integer(99)])
        },
        Rule(name: "room that is not there", code: .assetUnknown, path: "audio.taps[0].params.impulse") {
            $0.audio?.taps = [tap("reverb", ["impulse": .string("hall")])]
        },
        Rule(name: "reverb without a room", code: .parameterWrong, path: "audio.taps[0].params.impulse") {
            $0.audio?.taps = [tap("reverb")]
        },
        Rule(name: "mix after its volume", code: .valueNotAllowed, path: "audio.taps[0].stage") {
            $0.audio?.taps = [tap("gain")]
            $0.audio?.taps?[0].stage = .post
        },
    ]

    /// The faults that sound may not have, made in a track of 9 s of music in the minimal example.
    static let soundRules: [Rule] = [
        Rule(name: "pan beyond the left", code: .valueNotAllowed, path: "audio.inputs[0].pan[0].value") {
            $0.audio?.inputs?[0].pan = [Key(at: .zero, value: -1.5)]
        },
        Rule(name: "balance beyond the right", code: .valueNotAllowed, path: "audio.inputs[0].balance[0].to") {
            $0.audio?.inputs?[0].balance = [
                Key(range: TimeRange(start: .zero, duration: time("1s")), from: 0, to: 1.01)
            ]
        },
        Rule(name: "loudness of a jet", code: .valueNotAllowed, path: "audio.loudness.target") {
            $0.audio?.loudness = LoudnessSettings()
        },
        Rule(name: "ceiling above full scale", code: .valueNotAllowed, path: "audio.inputs[0].loudness.truePeak") {
            var loudness = LoudnessSettings()
            (loudness.target, loudness.truePeak) = (-23, 0.5)
            $0.audio?.inputs?[0].loudness = loudness
        },
        Rule(name: "pan's keys overlap", code: .keysOverlap, path: "audio.inputs[0].pan[1].at") {
            $0.audio?.inputs?[0].pan = [Key(at: time("2s"), value: 0), Key(at: time("1s"), value: 0)]
        },
        Rule(
            name: "fades longer than the segment", code: .valueNotAllowed,
            path: "composition.tracks[2].segments[0].fadeIn"
        ) {
            $0.composition.tracks[2].segments[0].fadeIn = fade("5s")
            $0.composition.tracks[2].segments[0].fadeOut = fade("4.5s")
        },
        Rule(
            name: "fade of no length", code: .valueNotAllowed,
            path: "composition.tracks[2].segments[0].fadeOut.duration"
        ) {
            $0.composition.tracks[2].segments[0].fadeOut = fade("-1s")
        },
        Rule(
            name: "fade of a picture", code: .valueNotAllowed, path: "composition.tracks[0].segments[0].fadeIn"
        ) {
            $0.composition.tracks[0].segments[0].fadeIn = fade("1s")
        },
    ]
}

extension ValidationTests {
    private static func ramp(_ from: Double, _ to: Double) -> [Key<Double>] {
        [Key(range: TimeRange(start: .zero, duration: time("4s")), from: from, to: to)]
    }

    /// Backwards and at speeds that change; `tracks[2]` is the music, whose source is as long as its target.
    static let speedRules: [Rule] = [
        Rule(
            name: "sound that stands still", code: .rateOutOfRange,
            path: "composition.tracks[2].segments[0].speed[0].from"
        ) {
            $0.composition.tracks[2].segments[0].speed = ramp(0, 1)
        },
        Rule(
            name: "picture too fast", code: .rateOutOfRange, path: "composition.tracks[0].segments[0].speed[1].value"
        ) {
            $0.composition.tracks[0].segments[0].speed = [Key(at: .zero, value: 0.5), Key(at: time("5s"), value: 33)]
        },
        Rule(
            name: "speed after the end", code: .keysOutsideInstruction,
            path: "composition.tracks[0].segments[0].speed[1]", isWarning: true
        ) {
            $0.composition.tracks[0].segments[0].speed = [Key(at: .zero, value: 0.5), Key(at: time("100s"), value: 2)]
        },
        Rule(name: "speed without a source", code: .valueNotAllowed, path: "composition.tracks[0].segments[0].reverse")
        {
            $0.assets["a"]?.keys.kind = .image
            $0.composition.tracks[0].segments[0].source = nil
            $0.composition.tracks[0].segments[0].reverse = true
        },
        Rule(
            name: "blended sound", code: .valueNotAllowed, path: "composition.tracks[2].segments[0].frameBlending"
        ) {
            $0.composition.tracks[2].segments[0].frameBlending = true
        },
        Rule(
            name: "blended still", code: .valueNotAllowed, path: "composition.tracks[0].segments[0].frameBlending"
        ) {
            $0.assets["a"]?.keys.kind = .image
            $0.composition.tracks[0].segments[0].source = nil
            $0.composition.tracks[0].segments[0].frameBlending = true
        },
        Rule(
            name: "speeds that need more", code: .sourceOutsideAsset,
            path: "composition.tracks[2].segments[0].source"
        ) {
            $0.composition.tracks[2].segments[0].speed = ramp(1, 1.5)
        },
        Rule(name: "eased speed", code: .keyInvalid, path: "composition.tracks[2].segments[0].speed[0].easing") {
            $0.composition.tracks[2].segments[0].speed = ramp(0.5, 1)
            $0.composition.tracks[2].segments[0].speed?[0].easing = .easeIn
        },
        Rule(
            name: "speed years away", code: .valueNotAllowed, path: "composition.tracks[2].segments[0].speed[1]"
        ) {
            $0.composition.tracks[2].segments[0].speed = [
                Key(at: .zero, value: 0.5), Key(at: time("1000001s"), value: 1),
            ]
        },
    ]
}
