package import Drawings
import Foundation
package import MediaFacts
import SplitreelProject

extension TimedText {
    /// The texts that decide the fonts which a script needs, one for each font with the characters that differ; empty
    /// for other files.
    ///
    /// - Parameters:
    ///   - suppliers: files whose fonts are taken before the machine's.
    package func fontTexts(suppliers: [String]) -> [FontText] {
        guard let header else { return [] }
        let styles = ScriptStyles(header)
        var scalars: [ScriptFont: Set<Unicode.Scalar>] = [:]
        for cue in cues {
            guard let fields = cue.script?.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false),
                fields.count == 9
            else { continue }
            for run in ScriptMarkup(fields[8], start: cue.start).runs where !run.text.isEmpty {
                let font = styles.font(of: run, in: String(fields[2]))
                let shown = run.text.unicodeScalars.filter { $0.value > 32 && !$0.properties.isWhitespace }
                scalars[font, default: []].formUnion(shown)
            }
        }
        return scalars.sorted { $0.key < $1.key }.map { font, scalars in
            var string = String.UnicodeScalarView()
            string.append(contentsOf: scalars.sorted { $0.value < $1.value })
            var text = TextDrawing(string: String(string), width: 1, height: 1)
            text.font.names = [.named(font.name)]
            (text.font.weight, text.font.isItalic) = (font.isBold ? 700 : nil, font.isItalic)
            var result = FontText(text)
            result.suppliers = suppliers.isEmpty ? nil : suppliers
            return result
        }
    }
}

extension [String: AssetFacts] {
    /// The paths of files whose fonts a script has before the machine's: its own, and those of the project.
    package func fontSuppliers(of script: AssetFacts, _ text: TimedText) -> [String] {
        (text.hasFonts == true ? [script.path] : []) + values.filter(\.isFont).map(\.path).sorted()
    }
}

private struct ScriptFont: Hashable, Comparable {
    var name: String
    var isBold: Bool
    var isItalic: Bool

    static func < (left: ScriptFont, right: ScriptFont) -> Bool {
        (left.name, left.isBold ? 1 : 0, left.isItalic ? 1 : 0) < (
            right.name, right.isBold ? 1 : 0, right.isItalic ? 1 : 0
        )
    }
}

/// The fonts of a script's styles.
private struct ScriptStyles {
    private var styles: [String: ScriptFont] = [:]

    init(_ header: String) {
        var fields: [String] = []
        for line in header.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let (key, body) = (line[..<colon].lowercased(), line[line.index(after: colon)...])
            let values = body.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if key == "format" { fields = values.map { $0.lowercased() } }
            guard key == "style" else { continue }
            let named = Dictionary(zip(fields, values)) { first, _ in first }
            guard let name = named["name"] else { continue }
            styles[Self.plain(name)] = ScriptFont(
                name: Self.plain(named["fontname"] ?? "Arial"), isBold: Int(named["bold"] ?? "0") ?? 0 != 0,
                isItalic: Int(named["italic"] ?? "0") ?? 0 != 0)
        }
    }

    func font(of run: ScriptMarkup.Run, in style: String) -> ScriptFont {
        let standard = ScriptFont(name: "Arial", isBold: false, isItalic: false)
        var font = styles[Self.plain(run.style ?? style)] ?? styles["Default"] ?? standard
        if let name = run.font { font.name = Self.plain(name) }
        font.isBold = run.isBold ?? font.isBold
        font.isItalic = run.isItalic ?? font.isItalic
        return font
    }

    /// The name without the stars that mark old styles and the `@` that marks vertical writing.
    private static func plain(_ name: String) -> String { String(name.drop { $0 == "*" || $0 == "@" }) }
}
