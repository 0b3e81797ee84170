import Foundation

/// Texts in the language of groff, which is that of manual pages: its own signs are written so that they are shown.
enum ManualText {
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { made, character in
            switch character {
            case "\\": made += "\\e"
            case "-": made += "\\-"
            case "~": made += "\\(ti"
            case "^": made += "\\(ha"
            case "`": made += "\\(ga"
            default: made.append(character)
            }
        }
    }

    static func bold(_ text: String) -> String { "\\fB" + escaped(text) + "\\fR" }
    static func italic(_ text: String) -> String { "\\fI" + escaped(text) + "\\fR" }

    /// A line of running text: what stands between backticks is bold, and so are options.
    static func prose(_ text: String) -> String {
        let parts = text.replacingOccurrences(of: "\n", with: " ").components(separatedBy: "`")
        // A backtick without its fellow is shown as it is.
        guard !parts.count.isMultiple(of: 2) else { return line(boldOptions(parts.joined(separator: "`"))) }
        let marked = parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? boldOptions(part) : bold(part)
        }
        return line(marked.joined())
    }

    /// Paragraphs, and examples, whose lines begin with two spaces; a line without words is between them.
    static func paragraphs(_ text: String) -> String {
        text.components(separatedBy: "\n\n").map { block -> String in
            let lines = block.components(separatedBy: "\n")
            guard lines.allSatisfy({ $0.hasPrefix("  ") }) else { return ".PP\n" + prose(block) + "\n" }
            let shown = lines.map { example($0.dropFirst(2)) + "\n" }
            return ".PP\n.RS 4\n.nf\n" + shown.joined() + ".fi\n.RE\n"
        }.joined()
    }

    private static func example(_ words: Substring) -> String {
        line(escaped(String(words)).replacingOccurrences(of: "'", with: "\\(aq"))
    }

    private static func boldOptions(_ text: String) -> String {
        var made = ""
        var rest = text[...]
        while let option = rest.firstMatch(of: /--[a-z][a-z-]*/) {
            made += escaped(String(rest[..<option.range.lowerBound])) + bold(String(option.output))
            rest = rest[option.range.upperBound...]
        }
        return made + escaped(String(rest))
    }

    /// A line that is no request: those begin with a dot or an apostrophe.
    private static func line(_ text: String) -> String {
        text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
