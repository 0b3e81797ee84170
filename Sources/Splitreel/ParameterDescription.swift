import SplitreelProject

/// A parameter that a composition may set under `params`: the values that it may have, and the one without any.
public struct ParameterDescription: Sendable {
    /// The unit of a number; `pixels` are those of the picture that an effect is on, before the output's scale.
    public enum Unit: Sendable {
        case none, pixels, degrees, seconds, stops, kelvin, decibels, hertz
    }

    let inner: EffectParameter

    /// A number that keys may move.
    public static func number(
        _ name: String, _ range: ClosedRange<Double>, default fallback: Double, unit: Unit = .none, _ meaning: String
    ) -> ParameterDescription {
        ParameterDescription(inner: .number(name, range, default: fallback, unit: unit.inner, meaning))
    }

    /// A number that no keys move, such as one that decides how much memory is taken.
    public static func constant(
        _ name: String, _ range: ClosedRange<Double>, default fallback: Double, unit: Unit = .none, _ meaning: String
    ) -> ParameterDescription {
        ParameterDescription(inner: .constant(name, range, default: fallback, unit: unit.inner, meaning))
    }

    /// A colour: red, green, blue and straight alpha, 0 to 1; keys may move it. Not of a tap.
    public static func color(_ name: String, default fallback: [Double], _ meaning: String) -> ParameterDescription {
        precondition(fallback.count == 4, "a colour has four numbers")
        return ParameterDescription(inner: EffectParameter(name, .colour(fallback: fallback), meaning))
    }

    /// A list of points of `width` numbers each, at least `least` of them; empty by default. They come as one list of
    /// numbers.
    public static func points(
        _ name: String, width: Int, _ range: ClosedRange<Double>, least: Int = 0, _ meaning: String
    ) -> ParameterDescription {
        precondition(width > 0 && least >= 0, "a point has a number or more")
        return ParameterDescription(
            inner: EffectParameter(name, .table(width: width, range: range, least: least), meaning))
    }

    /// One of some words; no keys move it.
    public static func word(
        _ name: String, _ words: [String], default fallback: String, _ meaning: String
    ) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .word(words, fallback: fallback), meaning))
    }

    /// A yes or no; no keys move it.
    public static func flag(_ name: String, default fallback: Bool, _ meaning: String) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .flag(fallback: fallback), meaning))
    }

    /// The name of an asset with sound, once for a tap, which must be said; see `AudioTapContext.sound`.
    ///
    /// - Parameter longest: the longest sound in seconds, 1 to 10; a longer one is refused before it is rendered.
    public static func sound(_ name: String, longest: Int, _ meaning: String) -> ParameterDescription {
        precondition((1...10).contains(longest), "a tap's sound lasts 1 to 10 s at most")
        return ParameterDescription(inner: EffectParameter(name, .sound(longest: longest), meaning))
    }

    /// The id of an audio track whose sound leads, once for a tap, which must be said; see `AudioBlock.leading`.
    public static func audioTrack(_ name: String, _ meaning: String) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .audioTrack, meaning))
    }

    /// Any value of the file: text, a number, a list, an object. No keys move it; without any it is null. See
    /// `EffectValues.decode`. Not of a tap.
    public static func value(_ name: String, _ meaning: String) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .value, meaning))
    }

    /// The list of the tracks whose frames a compositor needs, once for a compositor; without any it needs those of all
    /// layers. Other tracks are not decoded for it, and have no source frame.
    public static func requiredTracks(_ name: String, _ meaning: String) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .requiredTracks, meaning))
    }

    private var isOfSound: Bool {
        switch inner.kind {
        case .sound, .audioTrack: true
        default: false
        }
    }

    /// Whether a thing of that kind can have these parameters.
    static func suit(_ kind: EffectDescription.Kind, _ all: [ParameterDescription]) -> Bool {
        let required = all.count { $0.inner.kind == .requiredTracks }
        guard required <= (kind == .compositor ? 1 : 0) else { return false }
        guard kind == .tap else { return !all.contains(where: \.isOfSound) }
        let hasColours = all.contains {
            switch $0.inner.kind {
            case .colour, .value: true
            default: false
            }
        }
        let sounds = all.count { if case .sound = $0.inner.kind { true } else { false } }
        return !hasColours && sounds <= 1 && all.count(where: \.isOfSound) - sounds <= 1
    }
}

extension ParameterDescription.Unit {
    fileprivate var inner: EffectParameter.Unit {
        switch self {
        case .none: .none
        case .pixels: .pixels
        case .degrees: .degrees
        case .seconds: .seconds
        case .stops: .stops
        case .kelvin: .kelvin
        case .decibels: .decibels
        case .hertz: .hertz
        }
    }
}
