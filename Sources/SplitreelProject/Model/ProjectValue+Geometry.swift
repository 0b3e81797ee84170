package import JSONText
package import Pictures

/// Reads a list of exactly `count` numbers.
private func numbers(_ json: JSONValue, _ count: Int, _ shape: String, _ reader: inout ProjectReader) -> [Double]? {
    if case .array(let parts) = json, parts.count == count {
        let values = parts.compactMap(\.double)
        if values.count == count { return values }
    }
    return reader.mismatch(json, "\(count) numbers \(shape)")
}

func listSchema(_ count: Int, of type: String, _ shape: String) -> JSONValue {
    .object([
        "type": .string("array"), "items": .object(["type": .string(type)]), "minItems": .integer(Int64(count)),
        "maxItems": .integer(Int64(count)), "description": .string(shape),
    ])
}

extension PixelSize: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> PixelSize? {
        if case .array(let parts) = json, parts.count == 2, case .integer(let width) = parts[0],
            case .integer(let height) = parts[1]
        {
            return PixelSize(width: Int(width), height: Int(height))
        }
        let sides = json.string?.wholeMatch(of: /\s*(\d{1,6})\s*[x×:,]\s*(\d{1,6})\s*/)
        return reader.mismatch(
            json, "two whole numbers [width, height]", hint: sides.map { "write [\($0.1), \($0.2)]" } ?? "")
    }
    package var json: JSONValue { .array([width.json, height.json]) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Size"] = listSchema(2, of: "integer", "[width, height] in pixels")
        return .object(["$ref": .string("#/$defs/Size")])
    }
}

extension Affine: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Affine? {
        return numbers(json, 6, "[a, b, c, d, tx, ty]", &reader).map {
            Affine(a: $0[0], b: $0[1], c: $0[2], d: $0[3], tx: $0[4], ty: $0[5])
        }
    }
    package var json: JSONValue { .array([a, b, c, d, tx, ty].map(\.json)) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Affine"] = listSchema(
            6, of: "number", "[a, b, c, d, tx, ty]: x' = a·x + c·y + tx, y' = b·x + d·y + ty; y points down")
        return .object(["$ref": .string("#/$defs/Affine")])
    }
}

extension Rect: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Rect? {
        if json == .string("infinite") { return .infinite }
        return numbers(json, 4, "[x, y, width, height], or \"infinite\"", &reader).map {
            Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
        }
    }
    package var json: JSONValue { self == .infinite ? .string("infinite") : .array([x, y, width, height].map(\.json)) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Rect"] = .object([
            "anyOf": .array([
                listSchema(4, of: "number", "[x, y, width, height]"), .object(["const": .string("infinite")]),
            ])
        ])
        return .object(["$ref": .string("#/$defs/Rect")])
    }
}
