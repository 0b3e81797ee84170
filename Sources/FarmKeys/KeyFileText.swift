import Diagnostics

/// A small text file of a farm's keys: `KIND 1`, then a line for each thing, words with spaces between. Empty lines and
/// lines that begin with `#` mean nothing, but not before the first line. A file of keys never quotes a line in an
/// error: the line may hold a secret.
struct KeyFileText {
    struct Line {
        /// The number in the file, from 1.
        let number: Int
        let words: [String]
    }

    static let version = "1"
    let lines: [Line]
    let subject: String

    /// Reads a text; `subject` is the file's name in errors. Throws `.keyFileUnusable` where it is of another kind or
    /// version.
    init(_ text: String, kind: String, subject: String) throws {
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let head = all.first.map(Self.words) ?? []
        self.subject = subject
        guard head.first == kind else {
            throw Self.fault(subject, "its first line is not `\(kind) \(Self.version)`")
        }
        guard head.count == 2, head[1] == Self.version else {
            throw SplitreelError(
                .keyFileUnusable, operation: "reading keys", subject: subject,
                reason: "its form is of another version than \(Self.version)",
                hint: "install the release of splitreel that wrote it")
        }
        var lines: [Line] = []
        for (index, line) in all.enumerated().dropFirst() {
            let words = Self.words(line)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            lines.append(Line(number: index + 1, words: words))
        }
        self.lines = lines
    }

    /// The values of lines `WORD VALUE`, each of these words once. Throws `.keyFileUnusable` for a line of another
    /// form, a word twice, and a word that is missing.
    func values(_ expected: [String]) throws -> [String: String] {
        var values: [String: String] = [:]
        for line in lines {
            guard line.words.count == 2, expected.contains(line.words[0]) else {
                throw fault(line, "it is not a word and its value; the words are \(expected.joined(separator: ", "))")
            }
            guard values.updateValue(line.words[1], forKey: line.words[0]) == nil else {
                throw fault(line, "\(line.words[0]) stands there twice")
            }
        }
        if let missing = expected.first(where: { values[$0] == nil }) {
            throw Self.fault(subject, "it has no line for \(missing)")
        }
        return values
    }

    func fault(_ line: Line, _ reason: String) -> SplitreelError { Self.fault("\(subject):\(line.number)", reason) }

    static func fault(_ subject: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .keyFileUnusable, operation: "reading keys", subject: subject, reason: reason,
            hint: "`splitreel keys` writes these files")
    }

    private static func words(_ line: Substring) -> [String] {
        line.split { $0 == " " || $0 == "\t" }.map(String.init)
    }
}
