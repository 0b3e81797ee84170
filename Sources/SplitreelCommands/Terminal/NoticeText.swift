package import Diagnostics
import Foundation
import Preparation
import Reports

extension Notice {
    /// Whether pictures or sound are not what was asked for.
    fileprivate var changesFilm: Bool {
        [.sourceDamaged, .framesSubstituted, .soundClipped, .loudnessMissed, .rateMissed].contains(code)
    }
}

extension JobReport {
    /// The most warnings at the end of a render: a handful is enough; `splitreel job` shows them all.
    private static let warningsAtEnd = 5

    /// The number of warnings as `, 2 warnings`; empty where there are none.
    package var warningCount: String {
        let warnings = warnings
        if noticesDropped > 0 { return ", more than \(counted(warnings.count, "warning"))" }
        return warnings.isEmpty ? "" : ", " + counted(warnings.count, "warning")
    }

    /// The warnings, where `isShort` the first few only with a word on the rest; changes of pictures and sound come
    /// before remarks.
    package func warnings(isShort: Bool) -> (shown: [Notice], rest: String?) {
        let all = warnings
        let warnings = all.filter(\.changesFilm) + all.filter { !$0.changesFilm }
        let shown = isShort ? warnings.prefix(Self.warningsAtEnd) : warnings[...]
        let hidden = warnings.count - shown.count
        var rest: String?
        if hidden > 0 {
            rest = "and \(counted(hidden, "other")): --json tells them all"
        } else if noticesDropped > 0 {
            rest = "and others, \(grouped(noticesDropped)) times in all"
        }
        return (Array(shown), rest)
    }

    /// - Parameter file: the composition, where it is at hand.
    func tellWarnings(isShort: Bool, of file: CompositionFile? = nil) {
        let (shown, rest) = warnings(isShort: isShort)
        for notice in shown { Console.warning(notice, in: file) }
        if let rest { Console.warning(rest) }
        for line in measurements ?? [] { Console.note("loudness of \(line)") }
    }
}
