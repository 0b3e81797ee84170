import Foundation

/// Swift source with comments and the text of strings blanked out, line for line; code within interpolations stays.
struct StrippedCode {
    private enum Context {
        /// Code, within so many open parentheses; an interpolation ends with the one that began it.
        case code(depth: Int)
        case string(hashes: Int, multiline: Bool)
    }

    private let source: [UInt8]
    private var output: [UInt8] = []
    private var position = 0
    private var contexts: [Context] = [.code(depth: 0)]

    static func lines(of source: String) -> [String] {
        var stripped = StrippedCode(source: Array(source.utf8))
        stripped.run()
        return String(bytes: stripped.output, encoding: .utf8)?.components(separatedBy: "\n") ?? []
    }

    private init(source: [UInt8]) { self.source = source }

    private mutating func run() {
        while position < source.count {
            switch contexts.last {
            case .string(let hashes, let multiline): readString(hashes: hashes, multiline: multiline)
            default: readCode()
            }
        }
    }

    private func starts(with text: String) -> Bool {
        source[position...].starts(with: text.utf8)
    }

    private mutating func keep(_ count: Int = 1) {
        output += source[position..<min(position + count, source.count)]
        position += count
    }

    private mutating func blank(_ count: Int = 1) {
        for byte in source[position..<min(position + count, source.count)] {
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        position += count
    }

    private mutating func readCode() {
        if starts(with: "//") {
            while position < source.count, source[position] != UInt8(ascii: "\n") { blank() }
        } else if starts(with: "/*") {
            skipBlockComment()
        } else if let (hashes, multiline) = openingQuote() {
            contexts.append(.string(hashes: hashes, multiline: multiline))
            blank(hashes + (multiline ? 3 : 1))
        } else {
            trackParentheses()
            keep()
        }
    }

    private mutating func trackParentheses() {
        guard case .code(let depth) = contexts.last else { return }
        if source[position] == UInt8(ascii: "(") {
            contexts[contexts.count - 1] = .code(depth: depth + 1)
        } else if source[position] == UInt8(ascii: ")") {
            contexts[contexts.count - 1] = .code(depth: depth - 1)
            if depth == 1, contexts.count > 1 { contexts.removeLast() }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < source.count
    }

    private func openingQuote() -> (hashes: Int, multiline: Bool)? {
        let hashes = source[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let rest = source[(position + hashes)...]
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        return (hashes, rest.starts(with: "\"\"\"".utf8))
    }

    private mutating func readString(hashes: Int, multiline: Bool) {
        let quote = String(repeating: "\"", count: multiline ? 3 : 1) + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        if starts(with: escape + "(") {
            blank(escape.utf8.count)
            keep()
            contexts.append(.code(depth: 1))
        } else if starts(with: escape) {
            blank(escape.utf8.count + 1)
        } else if starts(with: quote) {
            blank(quote.utf8.count)
            contexts.removeLast()
        } else if !multiline, source[position] == UInt8(ascii: "\n") {
            contexts.removeLast()
        } else {
            blank()
        }
    }
}
