package import Diagnostics

/// The findings of a check of a finished film.
package struct VerifyReport: Hashable, Codable, Sendable {
    package struct Check: Hashable, Codable, Sendable {
        package var name: String
        package var ok: Bool
        /// The finding, and the expectation where that differs.
        package var detail: String

        package init(name: String, ok: Bool, detail: String) { (self.name, self.ok, self.detail) = (name, ok, detail) }
    }

    /// Whether every check passed.
    package var ok: Bool
    package var frames: Int
    package var checks: [Check]
    /// The damage with its times, bounded.
    package var warnings: [Notice]
}

/// Gathers the results of checks.
struct ReportBuilder {
    private var checks: [VerifyReport.Check] = []

    mutating func add(_ name: String, _ ok: Bool, _ detail: String) {
        checks.append(VerifyReport.Check(name: name, ok: ok, detail: detail))
    }

    /// Adds a check of two facts in words, which are equal where all is well.
    mutating func expect(_ name: String, _ found: String, _ wanted: String) {
        add(name, found == wanted, found == wanted ? found : "\(found), expected \(wanted)")
    }

    func report(frames: Int, warnings: [Notice]) -> VerifyReport {
        VerifyReport(ok: checks.allSatisfy(\.ok), frames: frames, checks: checks, warnings: warnings)
    }
}
