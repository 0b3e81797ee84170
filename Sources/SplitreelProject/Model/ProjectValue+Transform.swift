import Diagnostics
package import JSONText
import Pictures

extension Transform: ProjectValue {
    private static let partNames = Set(TransformParts.fields.map(\.name))

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Transform? {
        if case .object = json { return TransformParts.read(json, &reader).map { .parts($0) } }
        return Affine.read(json, &reader).map { .matrix($0) }
    }

    package static func element(for json: JSONValue) -> JSONValue? {
        // An object may be a key or a value: only its parts tell.
        if case .object(let members) = json, partNames.isDisjoint(with: members.keys) { return nil }
        var reader = ProjectReader()
        return read(json, &reader) != nil && reader.problems.isEmpty ? json : nil
    }

    package var json: JSONValue {
        switch self {
        case .matrix(let affine): affine.json
        case .parts(let parts): parts.json
        }
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["anyOf": .array([Affine.schema(&definitions), TransformParts.schema(&definitions)])])
    }
}

extension NumberPair: ProjectValue {
    /// Reads one number, which stands for both, or two.
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> NumberPair? {
        if let one = json.double { return NumberPair(one, one) }
        if case .array(let parts) = json, parts.count == 2, let x = parts[0].double, let y = parts[1].double {
            return NumberPair(x, y)
        }
        return reader.mismatch(json, "a number, or two [x, y]")
    }

    package var json: JSONValue { .array([x.json, y.json]) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let number = JSONValue.object(["type": .string("number")])
        definitions["NumberPair"] = .object([
            "description": .string("[x, y], or one number for both"),
            "anyOf": .array([
                number,
                .object([
                    "type": .string("array"), "items": number, "minItems": .integer(2), "maxItems": .integer(2),
                ]),
            ]),
        ])
        return .object(["$ref": .string("#/$defs/NumberPair")])
    }
}

extension TransformAnchor: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> TransformAnchor? {
        if json == .string("center") { return TransformAnchor(centre: 1) }
        if case .array(let parts) = json, parts.count == 2, let x = parts[0].double, let y = parts[1].double {
            return TransformAnchor(x: x, y: y)
        }
        return reader.mismatch(json, "a point [x, y], or \"center\"")
    }

    package var json: JSONValue { centre == 1 ? .string("center") : .array([x.json, y.json]) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "anyOf": .array([
                .object([
                    "type": .string("array"), "items": .object(["type": .string("number")]), "minItems": .integer(2),
                    "maxItems": .integer(2),
                ]), .object(["const": .string("center")]),
            ])
        ])
    }
}
