import ExactMath
package import JSONText

/// The key `loudness` of the mix and of audio inputs.
package struct LoudnessSettings: ProjectObject {
    package var target = 0.0
    package var truePeak: Double?
    package var limit: Bool?
    package var unknown: [String: JSONValue] = [:]

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

/// What the loudness of sound is to be.
package struct SoundLoudness: Sendable, Hashable {
    /// In LUFS.
    package var target: Double
    /// In dBTP.
    package var ceiling: Double
    /// What would pass the ceiling is limited; else the sound stays as quiet as it must.
    package let limits: Bool

    package init?(_ settings: LoudnessSettings?) {
        guard let settings else { return nil }
        target = settings.target.held(in: LoudnessSettings.targets)
        ceiling = (settings.truePeak ?? LoudnessSettings.usualPeak).held(in: LoudnessSettings.peaks)
        limits = settings.limit ?? true
    }
}
