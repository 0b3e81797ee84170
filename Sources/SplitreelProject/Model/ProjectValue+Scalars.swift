import Diagnostics
package import JSONText
package import MediaTime
import Pictures

extension Bool: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Bool? {
        if case .bool(let value) = json { value } else { reader.mismatch(json, "true or false") }
    }
    package var json: JSONValue { .bool(self) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["type": .string("boolean")])
    }
}

extension Int: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Int? {
        if case .integer(let value) = json { return Int(value) }
        let hint = json.numberMeant(isWhole: true).map { "write \($0)" } ?? ""
        return reader.mismatch(json, "a whole number", hint: hint)
    }
    package var json: JSONValue { .integer(Int64(self)) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["type": .string("integer")])
    }
}

extension Double: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Double? {
        if let number = json.double { return number }
        let meant = json.numberMeant(
            isAmplitude: reader.isWithin("volume") || reader.isWithin("preferredVolume"),
            isShare: reader.isWithin("opacity"))
        return reader.mismatch(json, "a number", hint: meant.map { "write \($0)" } ?? "")
    }
    package var json: JSONValue { JSONValue(self) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["type": .string("number")])
    }
}

extension String: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> String? {
        json.string ?? reader.mismatch(json, "a string")
    }
    package var json: JSONValue { .string(self) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["type": .string("string")])
    }
}

/// A JSON value is kept as it stands.
extension JSONValue: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> JSONValue? { json }
    package var json: JSONValue { self }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue { .object([:]) }
}

extension Array: ProjectValue where Element: ProjectValue {
    /// An element that cannot be read is left out, with its problem noted.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> [Element]? {
        if let only = Element.only(json) {
            return reader.at(.index(0)) { Element.read(only, &$0) }.map { [$0] }
        }
        guard case .array(let elements) = json else {
            return reader.mismatch(json, "a list", hint: listHint(json))
        }
        return elements.enumerated().compactMap { index, element in
            reader.at(.index(index)) { Element.read(element, &$0) }
        }
    }
    /// The hint of a list that would do, made of the value that stands there; empty where none would.
    @_semantics("optimize.sil.specialize.generic.never")
    private static func listHint(_ json: JSONValue) -> String {
        guard let element = Element.element(for: json) else { return "" }
        return "write [\(element.shortText)]"
    }
    package var json: JSONValue { .array(map(\.json)) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let list = JSONValue.object(["type": .string("array"), "items": Element.schema(&definitions)])
        return Element.onlySchema(&definitions).map { .object(["anyOf": .array([$0, list])]) } ?? list
    }
}

extension Dictionary: ProjectValue where Key == String, Value: ProjectValue {
    @_semantics("optimize.sil.specialize.generic.never")
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> [String: Value]? {
        guard case .object(let members) = json else { return reader.mismatch(json, "an object") }
        var result: [String: Value] = [:]
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            // A note among assets is nothing of the film's, and an asset may have such a name.
            if isFreeKey(name), Value.element(for: member) == nil { continue }
            result[name] = reader.at(.key(name)) { Value.read(member, &$0) }
        }
        return result
    }
    package var json: JSONValue { .object(mapValues(\.json)) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["type": .string("object"), "additionalProperties": Value.schema(&definitions)])
    }
}

/// One word of a closed list; another word is an error that names the list.
package protocol ProjectWord: ProjectValue, RawRepresentable<String>, CaseIterable {}

extension ProjectWord {
    @_semantics("optimize.sil.specialize.generic.never")
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Self? {
        guard let text = json.string else { return reader.mismatch(json, "a string") }
        if let value = Self(rawValue: text) { return value }
        let words = allCases.map(\.rawValue)
        let meant = keyMeant(by: text, among: words).map { "did you mean `\($0)`? " } ?? ""
        reader.fail(
            .valueNotAllowed, "`\(text.prefix(60))` is not one of the allowed words",
            hint: meant + "one of: \(words.joined(separator: ", "))")
        return nil
    }
    package var json: JSONValue { .string(rawValue) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["enum": .array(allCases.map { .string($0.rawValue) })])
    }
}

extension ColourPrimaries: ProjectWord {}
extension ColourTransfer: ProjectWord {}
extension ColourMatrix: ProjectWord {}

extension MediaTime: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> MediaTime? {
        guard let text = json.string else {
            if reader.isWithin("frameDuration"), let frame = json.frameDurationMeant {
                return reader.mismatch(json, "the time of a frame in quotes", hint: "write \"\(frame)\"")
            }
            let hint = json.asSeconds.map { "write \($0)" } ?? ""
            return reader.mismatch(json, "a time in quotes", hint: hint)
        }
        if let time = MediaTime(text: text) { return time }
        let rate = reader.isWithin("frameDuration") ? json.frameDurationMeant : nil
        let fraction = text.wholeMatch(of: /([0-9]+\/[0-9]+) ?s/).map { String($0.1) }
        reader.fail(
            .valueWrong, "`\(text.prefix(60))` is not a time",
            hint: (rate ?? fraction ?? MediaTime.likely(text)).map { "write \"\($0)\"" }
                ?? MediaTime.framesMeant(text)
                ?? "write \"value/timescale\" such as \"1001/30000\", or seconds such as \"2.5s\"")
        return nil
    }
    package var json: JSONValue { .string(text) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Time"] = .object([
            "type": .string("string"),
            "description": .string(
                "Exact time in seconds: \"value/timescale\", a decimal such as \"2.5s\", \"HH:MM:SS.fff\", or one of "
                    + "+inf, -inf, indefinite, invalid."),
        ])
        return .object(["$ref": .string("#/$defs/Time")])
    }
}

extension TimeRange: ProjectValue {
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> TimeRange? {
        guard case .array(let parts) = json, parts.count == 2 else {
            return reader.mismatch(json, "a range [start, duration]", hint: json.rangeMeant)
        }
        if let start = parts[0].asSeconds, let duration = parts[1].asSeconds {
            reader.fail(
                .valueWrong, "expected a range of two times in quotes, found two numbers",
                hint: "write [\(start), \(duration)]: a start and a duration")
            return nil
        }
        let start = reader.at(.index(0)) { MediaTime.read(parts[0], &$0) }
        let duration = reader.at(.index(1)) { MediaTime.read(parts[1], &$0) }
        guard let start, let duration else { return nil }
        return TimeRange(start: start, duration: duration)
    }
    package var json: JSONValue { .array([start.json, duration.json]) }
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let time = MediaTime.schema(&definitions)
        definitions["Range"] = .object([
            "type": .string("array"), "description": .string("[start, duration], half-open"),
            "prefixItems": .array([time, time]), "minItems": .integer(2), "maxItems": .integer(2),
        ])
        return .object(["$ref": .string("#/$defs/Range")])
    }
}
