import Foundation

/// The figures of sound that was brought to a loudness. Notices carry them as `words`, which read back to the tenth.
package struct LoudnessFigures: Hashable, Sendable, Encodable {
    /// The integrated loudness of the mix in LUFS.
    package var integrated: Double
    /// The true peak of the mix in dBTP.
    package var truePeak: Double
    /// The integrated loudness in LUFS to which it was brought.
    package var reached: Double
    /// The ceiling in dBTP to which peaks were limited; nil where none was.
    package var ceiling: Double?

    package init(integrated: Double, truePeak: Double, reached: Double, ceiling: Double? = nil) {
        self.integrated = integrated
        self.truePeak = truePeak
        self.reached = reached
        self.ceiling = ceiling
    }

    package var words: String {
        "\(Self.text(integrated)) LUFS and \(Self.text(truePeak)) dBTP as mixed; brought to \(Self.text(reached)) LUFS"
            + (ceiling.map { " with its peaks limited to \(Self.text($0)) dBTP" } ?? "")
    }

    /// Reads what `words` writes; nil for another text, and where a figure is no finite number.
    package init?(words: String) {
        let form = /(\S+) LUFS and (\S+) dBTP as mixed; brought to (\S+) LUFS(?: with its peaks limited to (\S+) dBTP)?/
        guard let match = words.wholeMatch(of: form), let integrated = Double(match.1), integrated.isFinite,
            let truePeak = Double(match.2), truePeak.isFinite, let reached = Double(match.3), reached.isFinite
        else { return nil }
        self.init(
            integrated: integrated, truePeak: truePeak, reached: reached, ceiling: match.4.flatMap { Double($0) })
    }

    private static func text(_ value: Double) -> String { String(format: "%.1f", locale: nil, value) }
}
