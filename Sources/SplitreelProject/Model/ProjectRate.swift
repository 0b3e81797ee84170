package import JSONText
public import MediaTime

/// A rate in pictures a second: a whole number, a fraction such as `"30000/1001"`, or a decimal such as 29.97.
public struct ProjectRate: ProjectValue {
    package let json: JSONValue
    /// The rate in pictures a second.
    public let exact: Rational

    /// Whether the rate is from 1/1000 to 1000 pictures a second.
    package var isPossible: Bool { exact >= Rational(1, 1000) && exact <= Rational(1000) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> ProjectRate? {
        if let text = text(json), text.contains("."), let rate = Rational(frameRate: text) {
            return ProjectRate(json: json, exact: rate)
        }
        let parts = text(json)?.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.map { $0.compactMap { Int($0) } } ?? []
        guard (1...2).contains(numbers.count), numbers.count == parts?.count,
            numbers.allSatisfy({ (1...1_000_000_000).contains($0) })
        else {
            return reader.mismatch(json, "pictures a second", hint: "write 25, or \"30000/1001\"")
        }
        return ProjectRate(json: json, exact: Rational(numbers[0], numbers.count == 2 ? numbers[1] : 1))
    }

    private static func text(_ json: JSONValue) -> String? {
        if case .integer(let number) = json { return "\(number)" }
        if case .number(let number) = json { return "\(number)" }
        return json.string
    }

    /// The rate as the file has it.
    package var text: String { Self.text(json) ?? "" }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Rate"] = .object([
            "description": .string(
                "Pictures a second: a whole number, a fraction such as \"30000/1001\", or a decimal such as 29.97."),
            "anyOf": .array([
                .object(["type": .string("number"), "exclusiveMinimum": .integer(0)]),
                .object(["type": .string("string"), "pattern": .string("^[0-9]+([./][0-9]+)?$")]),
            ]),
        ])
        return .object(["$ref": .string("#/$defs/Rate")])
    }
}
