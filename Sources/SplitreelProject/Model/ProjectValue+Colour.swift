import Diagnostics
package import JSONText
package import Pictures

extension Colour: ProjectValue {
    /// The colour that JSON stands for: four numbers from 0 to 1, or a text of `init(text:)`; nil for another value.
    package init?(_ json: JSONValue) {
        if let text = json.string {
            self.init(text: text)
        } else {
            guard case .array(let parts) = json, parts.count == 4 else { return nil }
            let values = parts.compactMap(\.double)
            guard values.count == 4, values.allSatisfy({ (0...1).contains($0) }) else { return nil }
            self.init(red: values[0], green: values[1], blue: values[2], alpha: values[3])
        }
    }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Colour? {
        if let colour = Colour(json) { return colour }
        switch json {
        case .string(let text):
            reader.fail(.valueNotAllowed, "`\(text.prefix(60))` is not a colour", hint: hint(for: json))
        case .array(let parts) where parts.count == 4 && parts.allSatisfy({ $0.double != nil }):
            reader.fail(.valueNotAllowed, "a colour's components are from 0 to 1", hint: hint(for: json))
        case .array(let parts):
            reader.fail(
                .valueWrong, "expected 4 numbers [r, g, b, a], found a list of \(parts.count)", hint: hint(for: json))
        default: return reader.mismatch(json, "a colour", hint: hint(for: json))
        }
        return nil
    }

    /// The words for what to write in place of JSON that is no colour.
    package static func hint(for json: JSONValue) -> String {
        switch json {
        case .array(let parts):
            let numbers = parts.compactMap(\.double)
            if numbers.count == parts.count, let meant = meant(by: numbers) { return "write \(meant)" }
        case .string(let text):
            if let meant = meant(by: text) { return "write \(meant)" }
            let word = text.filter { $0 != " " }
            if let near = nearestName(to: word, among: Array(cssNames.keys)) { return "did you mean `\(near)`?" }
        default: break
        }
        return "write \"#rrggbb\", a name of CSS such as \"orange\", or [r, g, b, a] from 0 to 1"
    }

    package var json: JSONValue { .array([red, green, blue, alpha].map(\.json)) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Colour"] = .object([
            "description": .string("A colour, straight; it means SDR, whose white is 203 cd/m² in a film of HDR."),
            "anyOf": .array([
                listSchema(4, of: "number", "[r, g, b, a] from 0 to 1"),
                .object([
                    "type": .string("string"), "pattern": .string("^(#[0-9A-Fa-f]{3,8}|[A-Za-z]+)$"),
                    "description": .string("#rgb, #rgba, #rrggbb, #rrggbbaa, or a colour's name of CSS"),
                ]),
            ]),
        ])
        return .object(["$ref": .string("#/$defs/Colour")])
    }
}

extension JSONValue {
    /// The value with its colours in words as four numbers each: it alone, those of a list, or those that keys set.
    package func spellingOutColours() -> JSONValue {
        switch self {
        case .string(let text): return Colour(text: text)?.json ?? self
        case .array(let parts): return .array(parts.map { $0.spellingOutColours() })
        case .object(var members):
            for key in ["value", "from", "to"] { members[key] = members[key]?.spellingOutColours() }
            return .object(members)
        default: return self
        }
    }
}
