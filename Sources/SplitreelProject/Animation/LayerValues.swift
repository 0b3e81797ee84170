import Diagnostics
package import JSONText
public import MediaTime

/// A place or a way, `[x, y]`.
public struct LayerPoint: ProjectValue {
    /// The number along x.
    public var x: Double
    /// The number along y.
    public var y: Double

    /// Makes a point of its places along x and y.
    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> LayerPoint? {
        if case .array(let parts) = json, parts.count == 2, let x = parts[0].double, let y = parts[1].double {
            return LayerPoint(x, y)
        }
        return reader.mismatch(json, "two numbers [x, y]")
    }

    package var json: JSONValue { .array([x.json, y.json]) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Point"] = .object([
            "description": .string("[x, y]"), "type": .string("array"),
            "items": .object(["type": .string("number")]), "minItems": .integer(2), "maxItems": .integer(2),
        ])
        return .object(["$ref": .string("#/$defs/Point")])
    }
}

/// A number that times are multiplied by: to a millionth, or a fraction such as `"24/25"`. It is kept as it is written.
public struct ExactNumber: ProjectValue {
    package let json: JSONValue
    /// The number as a fraction.
    public let exact: Rational

    /// The largest magnitude.
    package static let largest = 1_000_000

    init(json: JSONValue, exact: Rational) { (self.json, self.exact) = (json, exact) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> ExactNumber? {
        if let number = json.double, number.magnitude <= Double(largest) {
            return ExactNumber(json: json, exact: Rational(Int((number * 1_000_000).rounded()), 1_000_000))
        }
        let parts = json.string?.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) } ?? []
        if parts.count == 2, let top = parts[0], let bottom = parts[1], (1...1_000_000_000).contains(bottom),
            top.magnitude <= 1_000_000_000
        {
            return ExactNumber(json: json, exact: Rational(top, bottom))
        }
        return reader.mismatch(
            json, "a number up to \(largest), or a fraction in quotes", hint: "write 0.5, or \"1/2\"")
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "anyOf": .array([
                .object(["type": .string("number")]),
                .object(["type": .string("string"), "pattern": .string("^-?[0-9]+/[0-9]+$")]),
            ])
        ])
    }
}

/// The number of times that something is played; `exact` is nil for ever.
public struct RepeatCount: ProjectValue {
    package let json: JSONValue
    /// The number of plays; nil for ever.
    public let exact: Rational?

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> RepeatCount? {
        if json == .string("inf") { return RepeatCount(json: json, exact: nil) }
        guard json.string == nil else { return reader.mismatch(json, "a number, or \"inf\"") }
        return ExactNumber.read(json, &reader).map { RepeatCount(json: json, exact: $0.exact) }
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "anyOf": .array([
                .object(["type": .string("number"), "exclusiveMinimum": .integer(0)]),
                .object(["const": .string("inf")]),
            ])
        ])
    }
}
