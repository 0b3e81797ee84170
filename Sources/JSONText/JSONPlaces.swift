/// The places of values in a JSON text: an object's member stands where its key does, a list's element where it begins.
///
/// They are found in one pass over the text, which must be one that `JSONParser` accepts. A value that nobody asks for
/// is passed over unread.
struct JSONPlaces {
    private var offsets: [String: Int] = [:]
    private let lines: TextLines

    /// - Parameter paths: the paths of the values to find, as `JSONPath` prints them.
    init(of paths: Set<String>, in bytes: [UInt8]) {
        lines = TextLines(bytes)
        let wanted = paths.reduce(into: Set<String>()) { wanted, path in
            // A path that is wanted wants all around it: they stand in for what is missing.
            var holder: Substring? = path[...]
            while let known = holder, wanted.insert(String(known)).inserted { holder = known.holder }
        }
        var search = PlaceSearch(wanted: wanted, parser: JSONParser(bytes))
        // A text that cannot be read to its end has told its places up to there.
        try? search.visit("")
        offsets = search.found
    }

    /// The place of the value at a path, or that of the innermost value around it that was found; nil where there is
    /// none.
    subscript(path: String) -> TextPlace? {
        var holder: Substring? = path[...]
        while let known = holder {
            if let offset = offsets[String(known)] { return lines.place(of: offset) }
            holder = known.holder
        }
        return nil
    }
}

extension Substring {
    /// The path of the value that holds this path's one; nil for a member of the whole document.
    package var holder: Substring? {
        utf8.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }.map { self[..<$0] }
    }
}

private struct PlaceSearch {
    let wanted: Set<String>
    var parser: JSONParser
    var found: [String: Int] = [:]

    /// Reads the value that comes next, which stands at `path`.
    mutating func visit(_ path: String) throws(JSONParsingError) {
        parser.skipSpace()
        if path.isEmpty, parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        parser.skipSpace()
        switch parser.next {
        case UInt8(ascii: "{"): try visitMembers(path)
        case UInt8(ascii: "["): try visitElements(path)
        default: parser.skipValue()
        }
    }

    private mutating func visitMembers(_ path: String) throws(JSONParsingError) {
        parser.position += 1
        while true {
            parser.skipSpace()
            guard parser.next == UInt8(ascii: "\"") else { break }
            let offset = parser.position
            let key = try parser.parseString()
            parser.skipSpace()
            _ = parser.take(":")
            try enter(path.isEmpty ? key : path + "." + key, offset)
            parser.skipSpace()
            if !parser.take(",") { break }
        }
        _ = parser.take("}")
    }

    private mutating func visitElements(_ path: String) throws(JSONParsingError) {
        parser.position += 1
        var index = 0
        while true {
            parser.skipSpace()
            guard let byte = parser.next, byte != UInt8(ascii: "]") else { break }
            try enter("\(path)[\(index)]", parser.position)
            index += 1
            parser.skipSpace()
            if !parser.take(",") { break }
        }
        _ = parser.take("]")
    }

    private mutating func enter(_ path: String, _ offset: Int) throws(JSONParsingError) {
        guard wanted.contains(path) else { return parser.skipValue() }
        // A key that stands twice counts where it stands first, as everywhere.
        if found[path] == nil { found[path] = offset }
        try visit(path)
    }
}

extension JSONParser {
    /// Moves behind the value that comes next, without reading it.
    fileprivate mutating func skipValue() {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { return }
            default: break
            }
            position += 1
        }
    }

    /// Moves to the quote that ends the string.
    private mutating func skipString() {
        position += 1
        while let byte = next, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    }
}
