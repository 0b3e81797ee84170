public import JSONText
public import MediaTime

/// The fade by which a segment's sound comes in or goes out.
public struct FadeSettings: ProjectObject {
    public enum Curve: String, ProjectWord { case linear, equalPower }

    public var duration = MediaTime.invalid
    public var curve: Curve?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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
public struct SoundFade: Sendable, Hashable {
    public var duration: Rational
    public var curve: FadeSettings.Curve

    public init(duration: Rational, curve: FadeSettings.Curve) { (self.duration, self.curve) = (duration, curve) }

    /// Makes a fade of settings; nil where they have no length above 0.
    public init?(_ settings: FadeSettings?) {
        guard let settings, let duration = settings.duration.exact, duration > .zero else { return nil }
        self.init(duration: duration, curve: settings.curve ?? .equalPower)
    }

    /// The fade of 5 ms that keeps a cut from clicking.
    public static let declick = SoundFade(duration: Rational(1, 200), curve: .linear)
}
