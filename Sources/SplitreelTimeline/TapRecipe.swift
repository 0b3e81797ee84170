import JSONText
package import SplitreelProject

/// A tap as it is rendered: with everything that decides its sound.
package struct TapRecipe: Sendable, Hashable {
    package let id: String
    /// 0 where the newest is meant and none is known.
    package let version: Int
    /// The registry has it. What is not known has no parameters here, and cannot be made.
    package let isKnown: Bool
    /// Of a track: it comes after the volume, the pan and the balance.
    package let isAfterVolume: Bool
    /// Every parameter's value where nothing moves it, and before its first key.
    package let fixed: [String: EffectValue]
    /// Those that keys move, in composition time.
    package let keyed: [String: KeyTrack<Double>]
    package let ranges: [String: ClosedRange<Double>]
    /// The asset whose sound it looks at, as recipes have it.
    package let sound: String?
    /// The id of the audio track whose sound it looks at.
    package let audioTrack: Int?

    /// nil where it is switched off. `prefix` stands before the names of assets in recipes.
    init?(_ tap: AudioTap, prefix: String) {
        let choice = tap.choice
        guard choice.enabled != false else { return nil }
        isAfterVolume = tap.stage == .post
        guard let description = choice.acting, description.kind == .tap else {
            (id, version, isKnown) = (choice.id, choice.version ?? 0, false)
            (fixed, keyed, ranges, sound, audioTrack) = ([:], [:], [:], nil, nil)
            return
        }
        var problems: [Problem] = []
        let parameters = EffectParameters(choice.params, of: description, "", problems: &problems)
        (id, version, isKnown) = (description.id, description.version, true)
        fixed = parameters.fixed
        keyed = parameters.keyed.mapValues { $0.component(0) }
        ranges = parameters.ranges
        sound = parameters.sounds.values.first.map { prefix + $0 }
        audioTrack = parameters.audioTracks.values.first
    }

    /// Of a parameter of one number, where nothing moves it.
    package func number(_ name: String) -> Double { numbers(name).first ?? 0 }

    package func numbers(_ name: String) -> [Double] {
        if case .numbers(let numbers)? = fixed[name] { numbers } else { [] }
    }

    /// Without spans where nothing moves it.
    package func keys(_ name: String) -> KeyTrack<Double> { keyed[name] ?? KeyTrack(spans: []) }

    package func word(_ name: String) -> String { if case .word(let word)? = fixed[name] { word } else { "" } }
}

extension KeyTrack<NumberList> {
    /// One of the numbers that the keys move.
    func component(_ index: Int) -> KeyTrack<Double> {
        KeyTrack<Double>(
            spans: spans.map {
                KeyTrack<Double>.Span(
                    start: $0.start, end: $0.end, from: $0.from.values[index], to: $0.to.values[index],
                    easing: $0.easing)
            })
    }
}
