/// The functions, initialisers and subscripts of a file, with how many lines each takes from `func` to its brace.
struct FunctionFinder {
    struct Function: Equatable {
        let name: String
        let firstLine: Int
        let lineCount: Int
    }

    private struct Token {
        let text: Substring
        let line: Int
    }

    private let tokens: [Token]

    static func functions(in code: [String]) -> [Function] {
        let finder = FunctionFinder(code: code)
        return finder.tokens.indices.compactMap { finder.function(at: $0) }
    }

    private init(code: [String]) {
        var tokens: [Token] = []
        for (index, line) in code.enumerated() {
            var rest = Substring(line)
            while let first = rest.first {
                let isWord = first.isLetter || first == "_" || first == "`"
                let text =
                    isWord ? rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" } : rest.prefix(1)
                if !first.isWhitespace { tokens.append(Token(text: text, line: index)) }
                rest = rest.dropFirst(text.count)
            }
        }
        self.tokens = tokens
    }

    private func function(at start: Int) -> Function? {
        let keyword = tokens[start].text
        let previous = start > 0 ? tokens[start - 1].text : ""
        guard ["func", "init", "deinit", "subscript"].contains(keyword), previous != "." else { return nil }
        guard let open = body(after: start), let close = closing(of: open) else { return nil }
        let name = keyword == "func" && start + 1 < tokens.count ? tokens[start + 1].text : keyword
        let first = tokens[start].line
        return Function(name: String(name), firstLine: first, lineCount: tokens[close].line - first + 1)
    }

    /// The brace that opens the body; nil for a protocol's requirement, which another declaration or `}` follows.
    private func body(after start: Int) -> Int? {
        let enders: Set<Substring> = [
            "func", "init", "var", "let", "}", "struct", "enum", "class", "actor", "protocol", "extension", "subscript",
            "case", "typealias", "associatedtype", "static", "mutating", "package", "private", "public", "deinit",
        ]
        var depth = 0
        for index in tokens.indices[(start + 1)...] {
            switch tokens[index].text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case let word where depth == 0 && index > start + 1 && enders.contains(word): return nil
            default: break
            }
        }
        return nil
    }

    private func closing(of open: Int) -> Int? {
        var depth = 0
        for index in tokens.indices[open...] {
            if tokens[index].text == "{" { depth += 1 }
            if tokens[index].text == "}" {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }
}
