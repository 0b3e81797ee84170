public import Foundation

extension JSONValue {
    /// The value in canonical form: UTF-8, no spaces, keys sorted by their bytes, slashes not escaped, numbers as short
    /// as they read back exactly. The same value always gives the same bytes, and parsing them gives the same value.
    /// The cost grows with the number of bytes, and with the logarithm of an object's keys.
    public func canonicalBytes() -> Data {
        var writer = JSONWriter(indentation: nil)
        writer.write(self, depth: 0)
        return Data(writer.bytes)
    }

    /// The value in the canonical order, with two spaces of indentation per level and a final line feed; for people. An
    /// array or object that fits stands on one line of at most `lineLength` bytes, where that is above 0.
    public func prettyBytes(lineLength: Int = 0) -> Data {
        var writer = JSONWriter(indentation: 2, lineLength: lineLength)
        writer.write(self, depth: 0)
        writer.bytes.append(UInt8(ascii: "\n"))
        return Data(writer.bytes)
    }
}

private struct JSONWriter {
    var bytes: [UInt8] = []
    /// The number of spaces per level; nil for the compact form.
    let indentation: Int?
    let lineLength: Int
    /// The index in `bytes` of its last line's first byte.
    private var lineStart = 0
    /// Whether a value is being tried on one line.
    private var isOneLine = false

    init(indentation: Int?, lineLength: Int = 0) { (self.indentation, self.lineLength) = (indentation, lineLength) }

    mutating func write(_ value: JSONValue, depth: Int) {
        guard lineLength > 0, !isOneLine, value.mayFitOneLine(lineLength) else { return writeParts(of: value, depth) }
        let before = bytes.count
        isOneLine = true
        writeParts(of: value, depth)
        isOneLine = false
        // One byte for the comma that may follow.
        guard bytes.count - lineStart >= lineLength else { return }
        bytes.removeSubrange(before...)
        writeParts(of: value, depth)
    }

    private mutating func writeParts(of value: JSONValue, _ depth: Int) {
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .integer(let number): append(String(number))
        case .number(let number): write(number)
        case .string(let text): write(text)
        case .array(let elements):
            group("[", "]", count: elements.count, depth: depth) { writer, index in
                writer.write(elements[index], depth: depth + 1)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            group("{", "}", count: sorted.count, depth: depth) { writer, index in
                writer.write(sorted[index].key)
                writer.append(writer.indentation == nil ? ":" : ": ")
                writer.write(sorted[index].value, depth: depth + 1)
            }
        }
    }

    private mutating func group(
        _ open: String, _ close: String, count: Int, depth: Int, _ element: (inout JSONWriter, Int) -> Void
    ) {
        append(open)
        for index in 0..<count {
            if index > 0 { append(isOneLine ? ", " : ",") }
            newLine(depth + 1)
            element(&self, index)
        }
        if count > 0 { newLine(depth) }
        append(close)
    }

    private mutating func newLine(_ depth: Int) {
        guard let indentation, !isOneLine else { return }
        bytes.append(UInt8(ascii: "\n"))
        lineStart = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * indentation))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ number: Double) {
        // The spelling of `JSONValue.init(_: Double)`, so that 1.0 made by a program and 1 read from a file agree.
        switch JSONValue(number) {
        case .integer(let whole): append(String(whole))
        case .number(let other): append(other.description)
        default: append("null")
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case 0..<0x20: append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONValue {
    /// Whether the value may fit into `length` bytes; false where it is longer for certain, which is known without
    /// writing it.
    fileprivate func mayFitOneLine(_ length: Int) -> Bool { shortest(upTo: length) <= length }

    /// The least number of bytes that the value takes; the count ends soon after `limit`.
    private func shortest(upTo limit: Int) -> Int {
        var sum = 2
        switch self {
        case .array(let elements):
            for element in elements where sum <= limit { sum += element.shortest(upTo: limit - sum) }
        case .object(let members):
            for (key, value) in members where sum <= limit {
                sum += 4 + key.utf8.count + value.shortest(upTo: limit - sum)
            }
        case .string(let text): sum += text.utf8.count
        default: sum = 1
        }
        return sum
    }
}
