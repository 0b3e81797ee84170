import JSONText
package import SplitreelProject

/// A tap as it is rendered: with everything that decides its sound.
package struct TapRecipe: Sendable, Hashable {
    package let id: String
    /// The tap's version; 0 where the newest is meant and none is known.
    package let version: Int
    /// Whether the registry has the tap. An unknown tap has no parameters here, and cannot be made.
    package let isKnown: Bool
    /// Whether a track's tap comes after the volume, the pan and the balance.
    package let isAfterVolume: Bool
    /// The value of every parameter where nothing moves it, and before its first key.
    package let fixed: [String: EffectValue]
    /// The keys of the parameters that keys move, in composition time.
    package let keyed: [String: KeyTrack<Double>]
    package let ranges: [String: ClosedRange<Double>]
    /// The name of the asset whose sound it looks at, as recipes have it; nil for none.
    package let sound: String?
    /// The ids of the audio tracks whose sum it looks at, least first: sums of floats depend on their order.
    package let audioTracks: [Int]

    /// The recipe of a tap; nil where it is switched off. `prefix` stands before the names of assets in recipes.
    init?(_ tap: AudioTap, prefix: String) {
        let choice = tap.choice
        guard choice.enabled != false else { return nil }
        isAfterVolume = tap.stage == .post
        guard let description = choice.acting, description.kind == .tap else {
            id = choice.id
            version = choice.version ?? 0
            isKnown = false
            fixed = [:]
            keyed = [:]
            ranges = [:]
            sound = nil
            audioTracks = []
            return
        }
        var problems: [Problem] = []
        let parameters = EffectParameters(choice.params, of: description, "", problems: &problems)
        id = description.id
        version = description.version
        isKnown = true
        fixed = parameters.fixed
        keyed = parameters.keyed.mapValues { $0.component(0) }
        ranges = parameters.ranges
        sound = parameters.sounds.values.first.map { prefix + $0 }
        audioTracks = parameters.audioTracks.values.first?.sorted() ?? []
    }

    /// The value of a parameter of one number, where nothing moves it; 0 where it has none.
    package func number(_ name: String) -> Double { numbers(name).first ?? 0 }

    package func numbers(_ name: String) -> [Double] {
        if case .numbers(let numbers)? = fixed[name] { numbers } else { [] }
    }

    /// The keys that move a parameter; without spans where nothing moves it.
    package func keys(_ name: String) -> KeyTrack<Double> { keyed[name] ?? KeyTrack(spans: []) }

    package func word(_ name: String) -> String { if case .word(let word)? = fixed[name] { word } else { "" } }
}

extension KeyTrack<NumberList> {
    /// The keys of one of the numbers that the keys move.
    func component(_ index: Int) -> KeyTrack<Double> {
        KeyTrack<Double>(
            spans: spans.map {
                KeyTrack<Double>.Span(
                    start: $0.start, end: $0.end, from: $0.from.values[index], to: $0.to.values[index],
                    easing: $0.easing)
            })
    }
}
