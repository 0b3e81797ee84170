import Foundation
import Testing

/// One Swift file of the project, as text and as code without comments and strings.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// Relative to the project, such as `Sources/Libav/Frame.swift`.
    let path: String
    let text: [String]
    let code: [String]

    init(path: String, source: String) {
        self.path = path
        var lines = source.components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        text = lines
        code = StrippedCode.lines(of: source)
    }

    var testDescription: String { path }
    var name: String { String(path.split(separator: "/").last ?? "") }
    /// The target that it belongs to: the folder below Sources, Tests or Tests/Support.
    var target: String {
        let folders = path.split(separator: "/").dropFirst()
        return (folders.first == "Support" ? folders.dropFirst() : folders).first.map(String.init) ?? ""
    }

    /// `path:line: text` of every line of code that the pattern matches.
    func places(of pattern: Regex<Substring>) -> [String] {
        zip(code, text).enumerated().compactMap { index, line in
            line.0.contains(pattern) ? place(index, line.1.trimmingCharacters(in: .whitespaces)) : nil
        }
    }

    func place(_ index: Int, _ what: String) -> String { "\(path):\(index + 1): \(what)" }

    /// The modules that it imports, with their lines.
    var imports: [(index: Int, module: String)] {
        code.enumerated().compactMap { index, line in
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
                words[..<keyword].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains(String($0)) })
            else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "typealias", "let", "var"]
            let name = words[(keyword + 1)...].first { !kinds.contains($0) }
            return name.map { (index, String($0.split(separator: ".")[0])) }
        }
    }

    private var accessLevels: Set<String> { ["public", "package", "internal", "private", "fileprivate"] }
}
