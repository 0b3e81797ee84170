import ExactMath
public import JSONText

/// The key `loudness` of the mix and of audio inputs.
public struct LoudnessSettings: ProjectObject {
    /// The integrated loudness in LUFS, from -70 to -5, such as -23 or -14.
    public var target = 0.0
    /// The ceiling in dBTP, from -20 to 0, which goes before the target; nil for -1.
    public var truePeak: Double?
    /// Whether a limiter takes down the peaks that keep the mix below the target; nil counts as true.
    public var limit: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let targets = -70.0 ... -5.0
    package static let peaks = -20.0...0.0
    static let usualPeak = -1.0

    package static let typeName = "Loudness"
    package static let summary = "A loudness of EBU R 128 that sound is brought to, by one factor where that can be."
    package static let fields: [Field<LoudnessSettings>] = [
        Field("target", required: \.target, "Integrated loudness in LUFS, from -70 to -5, such as -23 or -14."),
        Field(
            "truePeak", \.truePeak, default: .integer(-1),
            "The ceiling in dBTP, from -20 to 0; it goes before the target."),
        Field(
            "limit", \.limit, default: .bool(true),
            "The mix: a limiter takes down the peaks that keep it below the target; false: it stays below."),
    ]
}

/// The loudness that sound is to have.
package struct SoundLoudness: Sendable, Hashable {
    /// The loudness in LUFS.
    package var target: Double
    /// The true peak that is not passed, in dBTP.
    package var ceiling: Double
    /// Whether peaks that would pass the ceiling are limited; if not, the sound stays as quiet as it must.
    package let limits: Bool

    package init?(_ settings: LoudnessSettings?) {
        guard let settings else { return nil }
        target = settings.target.held(in: LoudnessSettings.targets)
        ceiling = (settings.truePeak ?? LoudnessSettings.usualPeak).held(in: LoudnessSettings.peaks)
        limits = settings.limit ?? true
    }
}
