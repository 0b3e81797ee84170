import Diagnostics
public import Foundation

/// Any JSON value, kept exactly enough to be written back. Literals make values: `["radius": 4, "mode": "soft"]`.
///
/// Numbers are exact: every whole number of at most 2^53 is an `integer`, however it was spelled (`1`, `1.0`, `1e0`),
/// and so is every integer literal that fits 64 bits; every other number is a `number`, which is always finite.
public indirect enum JSONValue: Sendable, Hashable {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A finite number that is not whole, or beyond 2^53; make it by `init(_:)`, which makes whole ones integers.
    case number(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Values by their keys, which have no order.
    case object([String: JSONValue])

    /// Reads one JSON document (RFC 8259, UTF-8, a byte order mark is passed over). Refuses trailing text, keys used
    /// twice, numbers that no Double holds, unpaired surrogates and nesting deeper than 200 levels. The cost is linear
    /// in the number of bytes.
    ///
    /// Throws `SplitreelError` with code `compositionUnreadable`, and in its subject line and column, or the path of a
    /// key that stands twice.
    public init(parsing data: Data) throws {
        var parser = JSONParser([UInt8](data))
        do {
            self = try parser.parseDocument()
        } catch {
            throw SplitreelError(
                .compositionUnreadable, operation: "parsing JSON", subject: error.place.words, reason: error.reason)
        }
        if let path = parser.duplicates.first?.path {
            throw SplitreelError(
                .compositionUnreadable, operation: "parsing JSON", subject: path, reason: "the key stands twice")
        }
    }

    /// Makes a number of a Double; NaN and infinities, which JSON lacks, become null.
    public init(_ value: Double) {
        if !value.isFinite {
            self = .null
        } else if value.rounded(.towardZero) == value, abs(value) <= 9_007_199_254_740_992 {
            self = .integer(Int64(value))
        } else {
            self = .number(value)
        }
    }

    /// The value of an object's key; nil where there is none, and for other kinds of value.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The number, to the nearest Double where an integer is beyond 2^53; nil for other kinds of value.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text; nil for other kinds of value.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The kind of this value in words, for messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONValue: Codable {
    /// Reads any value. Whole numbers of 64 bits come back exactly.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self.init(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value as it is. `canonicalBytes` writes it with the same bytes every time.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
