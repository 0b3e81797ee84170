/// The text of a file of AWS: sections in brackets, each with lines `key = value`.
struct ProfileFile {
    /// The values of each section by their keys in lower-case letters. A section that stands there twice is one.
    let profiles: [String: [String: String]]

    init(_ text: String) {
        var profiles: [String: [String: String]] = [:]
        var section: String?
        for line in text.split(whereSeparator: \.isNewline) {
            // Lines that begin with a space belong to the value above them, which is none of ours.
            guard let first = line.first, first != "#", first != ";", !first.isWhitespace else { continue }
            if first == "[" {
                section = line.firstIndex(of: "]").map { Self.name(line[line.index(after: line.startIndex)..<$0]) }
                if let section, profiles[section] == nil { profiles[section] = [:] }
            } else if let section, let equals = line.firstIndex(of: "=") {
                let key = Self.trimmed(line[..<equals]).lowercased()
                let value = Self.trimmed(line[line.index(after: equals)...])
                if !value.isEmpty { profiles[section]?[key] = value }
            }
        }
        self.profiles = profiles
    }

    /// The words of a section's name with one space between them, and without quotation marks.
    private static func name(_ text: Substring) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ").filter { $0 != "\"" && $0 != "'" }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
