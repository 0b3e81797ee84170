import Composition
import Diagnostics
import MediaTime

extension ValidationTests {
    private static func fade(_ duration: String) -> FadeSettings {
        var fade = FadeSettings()
        fade.duration = time(duration)
        return fade
    }

    /// Of a track of 9 s of music in the minimal example.
    static let soundRules: [Rule] = [
        Rule(name: "pan beyond the left", code: .valueNotAllowed, path: "audio.inputs[0].pan[0].value") {
            $0.audio?.inputs?[0].pan = [Key(at: .zero, value: -1.5)]
        },
        Rule(name: "balance beyond the right", code: .valueNotAllowed, path: "audio.inputs[0].balance[0].to") {
            $0.audio?.inputs?[0].balance = [
                Key(range: TimeRange(start: .zero, duration: time("1s")), from: 0, to: 1.01)
            ]
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
