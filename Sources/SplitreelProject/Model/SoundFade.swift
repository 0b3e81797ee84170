public import JSONText
public import MediaTime

/// The fade by which a segment's sound comes in or goes out.
public struct FadeSettings: ProjectObject {
    /// The curve of a fade.
    public enum Curve: String, Codable, ProjectWord {
        /// An even slope; a quarter of a sine, so that two that cross keep their power.
        case linear, equalPower
    }

    /// The length from the segment's edge.
    public var duration = MediaTime.invalid
    /// The curve of the amplitude; nil for `equalPower`.
    public var curve: Curve?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Fade"
    package static let summary = "How a segment's sound comes in, or goes out."
    package static let fields: [Field<FadeSettings>] = [
        Field("duration", required: \.duration, "How long it takes, from the segment's edge."),
        Field(
            "curve", \.curve, default: .string("equalPower"),
            "`equalPower` (a quarter of a sine: two that cross keep their power) or `linear`."),
    ]
}

/// A fade at a segment's edge, in exact time.
package struct SoundFade: Sendable, Hashable {
    package var duration: Rational
    package var curve: FadeSettings.Curve

    package init(duration: Rational, curve: FadeSettings.Curve) { (self.duration, self.curve) = (duration, curve) }

    /// Makes a fade of settings; nil where they have no length above 0.
    package init?(_ settings: FadeSettings?) {
        guard let settings, let duration = settings.duration.exact, duration > .zero else { return nil }
        self.init(duration: duration, curve: settings.curve ?? .equalPower)
    }

    /// The fade of 5 ms that keeps a cut from clicking.
    package static let declick = SoundFade(duration: Rational(1, 200), curve: .linear)
}
