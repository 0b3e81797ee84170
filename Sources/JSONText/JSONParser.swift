/// The reason why a text is not JSON, and the place of the fault.
package struct JSONParsingError: Error {
    package let place: TextPlace
    package let reason: String
    /// The words for what to do about it; may be empty.
    package var hint = ""
}

/// A strict JSON reader for hostile input: time and memory are linear in its length, the depth is bounded.
package struct JSONParser {
    /// The most levels of nesting that are accepted: far above any composition, far below the stack's end.
    static let deepest = 200

    /// The paths of keys that stand twice in an object, with the byte offset of the later one; the first value wins. At
    /// most 100 are kept.
    package private(set) var duplicates: [(path: String, offset: Int)] = []

    package let bytes: [UInt8]
    var position = 0
    private var path = JSONPath()

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func parseDocument() throws(JSONParsingError) -> JSONValue {
        if let wide = WideText(of: bytes) { throw fault(wide.reason, hint: wide.hint) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        if position == bytes.count { throw fault("the text is empty") }
        let value = try parseValue(depth: 0)
        skipSpace()
        if position < bytes.count { throw fault("text after the end of the document") }
        return value
    }

    func fault(_ reason: String, hint: String = "") -> JSONParsingError {
        JSONParsingError(place: TextLines(bytes).place(of: position), reason: reason, hint: hint)
    }

    /// A hint about what people write who know JavaScript or YAML; `otherwise` where they would not write this.
    private func foreignHint(_ otherwise: String = "") -> String {
        switch next {
        case UInt8(ascii: "'"): "JSON takes double quotes: \"…\""
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments; keys that begin with `x-` are free for notes"
        default: otherwise
        }
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    mutating func take(_ byte: Character) -> Bool {
        guard let ascii = byte.asciiValue, next == ascii else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(JSONParsingError) -> JSONValue {
        if depth > Self.deepest { throw fault("nested deeper than \(Self.deepest) levels") }
        skipSpace()
        guard let byte = next else { throw fault("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try parseObject(depth: depth)
        case UInt8(ascii: "["): return try parseArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: return try parseWord()
        }
    }

    private mutating func parseWord() throws(JSONParsingError) -> JSONValue {
        for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return value
        }
        throw fault("not a JSON value", hint: foreignHint("texts stand in double quotes: \"…\""))
    }

    private mutating func parseArray(depth: Int) throws(JSONParsingError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take("]") { return .array([]) }
        while true {
            path.push(.index(elements.count))
            elements.append(try parseValue(depth: depth + 1))
            path.pop()
            skipSpace()
            if take("]") { return .array(elements) }
            if !take(",") { throw fault("expected , or ] in a list", hint: foreignHint("a comma may be missing")) }
            try refuseLastComma(before: "]")
        }
    }

    /// Throws where the comma just read is the last thing before `end`.
    private mutating func refuseLastComma(before end: Character) throws(JSONParsingError) {
        let comma = position - 1
        skipSpace()
        guard next == end.asciiValue else { return }
        position = comma
        throw fault("a comma with nothing between it and \(end)", hint: "take the comma away")
    }

    private mutating func parseObject(depth: Int) throws(JSONParsingError) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return .object([:]) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else {
                throw fault("expected a key in quotes", hint: foreignHint("keys stand in double quotes: \"…\""))
            }
            let offset = position
            let key = try parseString()
            skipSpace()
            if !take(":") { throw fault("expected : after a key") }
            path.push(.key(key))
            let value = try parseValue(depth: depth + 1)
            if members[key] == nil {
                members[key] = value
            } else if duplicates.count < 100 {
                duplicates.append((path.description, offset))
            }
            path.pop()
            skipSpace()
            if take("}") { return .object(members) }
            if !take(",") { throw fault("expected , or } in an object", hint: foreignHint("a comma may be missing")) }
            try refuseLastComma(before: "}")
        }
    }
}

extension JSONParser {
    private mutating func digits() -> Int {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func parseNumber() throws(JSONParsingError) -> JSONValue {
        let start = position
        var isWhole = true
        _ = take("-")
        let leadingZero = next == UInt8(ascii: "0")
        let count = digits()
        if count == 0 || (leadingZero && count > 1) { throw fault("not a JSON number") }
        if take(".") {
            isWhole = false
            if digits() == 0 { throw fault("a digit is missing after the point") }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            if digits() == 0 { throw fault("a digit is missing in the exponent") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw fault("the number is too large") }
        return JSONValue(value)
    }

    mutating func parseString() throws(JSONParsingError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw fault("not UTF-8", hint: "save the file as UTF-8; it is perhaps in Latin-1 (Windows-1252)")
                }
                return string
            case UInt8(ascii: "\\"):
                text.append(contentsOf: String(try parseEscape()).utf8)
            case 0..<0x20:
                throw fault("a control character in a string")
            default:
                text.append(byte)
            }
        }
        throw fault("the string does not end")
    }

    private mutating func parseEscape() throws(JSONParsingError) -> Unicode.Scalar {
        guard let byte = next else { throw fault("the string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try parseUnicodeEscape()
        default: throw fault("unknown escape in a string")
        }
    }

    private mutating func parseUnicodeEscape() throws(JSONParsingError) -> Unicode.Scalar {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\"), take("u") else { throw fault("half of a surrogate pair") }
        let second = try hexUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexUnit() throws(JSONParsingError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("four hexadecimal digits are expected after \\u")
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}
