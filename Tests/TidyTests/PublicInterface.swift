import Foundation

/// The public declarations of some Swift files, a line each: what programs outside can name.
///
/// A line has the module, the type that it is in, and the declaration up to its body or its value. It is read from the
/// text, without a compiler.
struct PublicInterface {
    /// One declaration.
    struct Declaration {
        let file: SourceFile
        /// The line at which it begins, from 0.
        let index: Int
        /// The types that it is in, outermost first, parted by full stops.
        let scope: String
        let text: String
        /// Whether a comment of documentation stands above it, or above its attributes.
        let isDocumented: Bool
        /// Whether a public protocol asks for it.
        let isRequirement: Bool

        var line: String { [file.target, scope, text].filter { !$0.isEmpty }.joined(separator: "  ") }
    }

    private struct Scope {
        var name: String
        /// Whether all that stands in it is public without saying so: a public protocol's requirements.
        var isProtocol: Bool
        /// Whether its cases are public: those of a public enum.
        var isEnum: Bool
    }

    private let file: SourceFile
    /// The scopes that are open, a name for each brace; nil for braces of other things.
    private var scopes: [Scope?] = []
    private var found: [Declaration] = []

    static func lines(of files: [SourceFile]) -> [String] { declarations(of: files).map(\.line).sorted() }

    static func declarations(of files: [SourceFile]) -> [Declaration] {
        files.flatMap { file in
            var interface = PublicInterface(file: file)
            interface.read()
            return interface.found
        }
    }

    private init(file: SourceFile) { self.file = file }

    private mutating func read() {
        var index = 0
        while index < file.code.count {
            let line = file.code[index].trimmingCharacters(in: .whitespaces)
            let words = line.split(separator: " ").map(String.init)
            guard isDeclaration(words) else {
                follow(file.code[index], opening: nil)
                index += 1
                continue
            }
            let (text, last) = declaration(from: index)
            let isShown = isPublic(words)
            if isShown { note(text, at: index) }
            let scope = Self.scope(of: text, isPublic: isShown)
            for place in index...last { follow(file.code[place], opening: place == last ? scope : nil) }
            index = last + 1
        }
    }

    private static let kinds: Set = [
        "func", "var", "let", "struct", "class", "enum", "actor", "protocol", "init", "init(", "subscript",
        "typealias", "associatedtype", "extension", "case", "indirect",
    ]

    private func isDeclaration(_ words: [String]) -> Bool {
        guard let first = words.first(where: { !$0.hasPrefix("@") }) else { return false }
        if first == "public" || first == "extension" { return true }
        guard let scope = scopes.last ?? nil else { return Self.opensType(words) }
        if scope.isEnum && (first == "case" || first == "indirect") { return true }
        return scope.isProtocol && !first.hasPrefix("}") || Self.opensType(words)
    }

    private static func opensType(_ words: [String]) -> Bool {
        words.contains { ["struct", "class", "enum", "actor", "protocol"].contains($0) } && words.last == "{"
    }

    private func isPublic(_ words: [String]) -> Bool {
        if words.first == "extension" || words.contains("import") { return false }
        if words.contains("public") { return true }
        guard let scope = scopes.last ?? nil else { return false }
        return scope.isProtocol || scope.isEnum && (words.contains("case") || words.contains("indirect"))
    }

    /// The declaration's text on one line, up to its body or its value, and its last line.
    private func declaration(from first: Int) -> (text: String, last: Int) {
        var text: [String] = []
        var depth = 0
        for index in file.code.indices[first...] {
            for character in file.code[index] {
                if "([".contains(character) { depth += 1 }
                if ")]".contains(character) { depth -= 1 }
            }
            text.append(file.text[index].trimmingCharacters(in: .whitespaces))
            let next = file.code.indices.contains(index + 1) ? file.code[index + 1] : ""
            let goesOn =
                next.trimmingCharacters(in: .whitespaces).hasPrefix("->")
                || next.contains(#/^ *(?:where|throws|async|\)) /#)
            if depth <= 0, !goesOn { return (Self.head(text.joined(separator: " ")), index) }
        }
        return (Self.head(text.joined(separator: " ")), file.code.count - 1)
    }

    /// The text without a body, a value or accessors that are not public.
    private static func head(_ text: String) -> String {
        var head = text
        if let body = head.firstRange(of: #/ \{.*$/#) { head.removeSubrange(body) }
        if let value = head.firstRange(of: #/ = .*$/#), !head.contains("func "), !head.contains("init"),
            !head.contains("typealias"), !head.contains("subscript"), !head.hasPrefix("case ") || !head.contains("(")
        {
            head.removeSubrange(value)
        }
        return head.replacing(#/ ?//.*$/#, with: "").replacing(#/ }$/#, with: "").replacing("( ", with: "(").replacing(
            " )", with: ")")
    }

    private mutating func note(_ text: String, at index: Int) {
        let lines = file.text[..<index].lazy.map { $0.trimmingCharacters(in: .whitespaces) }
        let above = lines.last { !$0.hasPrefix("@") && !$0.hasPrefix("// ") } ?? ""
        found.append(
            Declaration(
                file: file, index: index, scope: scopes.compactMap { $0?.name }.joined(separator: "."), text: text,
                isDocumented: above.hasPrefix("///"),
                isRequirement: scopes.last??.isProtocol == true))
    }

    private static func scope(of text: String, isPublic: Bool) -> Scope? {
        guard
            let found = text.firstMatch(
                of: /\b(struct|class|enum|actor|protocol|extension) ([A-Za-z0-9_.]+|\[[A-Za-z0-9_.:\ ]+\])/)
        else { return nil }
        return Scope(
            name: String(found.2), isProtocol: isPublic && found.1 == "protocol", isEnum: isPublic && found.1 == "enum")
    }

    private mutating func follow(_ code: String, opening scope: Scope?) {
        var opening = scope
        for character in code {
            if character == "{" {
                scopes.append(opening)
                opening = nil
            } else if character == "}" {
                _ = scopes.popLast()
            }
        }
    }
}
