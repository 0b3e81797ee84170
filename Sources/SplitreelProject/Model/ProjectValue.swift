import Diagnostics
package import JSONText

/// A value of the project file: read from JSON with every problem noted, written back, and described by a schema.
package protocol ProjectValue: Sendable, Hashable {
    /// The value of JSON; nil where it is not such a value, and the reason is then in `reader.problems`.
    static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Self?
    var json: JSONValue { get }
    /// The element of a list that a value which stands alone would be, for examples in hints; nil where it cannot be
    /// one.
    static func element(for json: JSONValue) -> JSONValue?
    /// The JSON of the one element that a list has where `json` stands in the list's place; nil where a list must be
    /// written.
    static func only(_ json: JSONValue) -> JSONValue?
    /// The schema of what `only` takes; nil where that is nothing.
    static func onlySchema(_ definitions: inout [String: JSONValue]) -> JSONValue?
    /// A JSON Schema of the value; objects put their own into `definitions` and answer with a reference.
    static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue
}

extension ProjectValue {
    package static func only(_ json: JSONValue) -> JSONValue? { nil }
    package static func onlySchema(_ definitions: inout [String: JSONValue]) -> JSONValue? { nil }

    package static func element(for json: JSONValue) -> JSONValue? {
        var reader = ProjectReader()
        return read(json, &reader) != nil && reader.problems.isEmpty ? json : nil
    }
}

/// The place of a reading in a project file, and the problems that were found so far.
package struct ProjectReader {
    package private(set) var problems: [Problem] = []
    private var path = JSONPath()
    private var unknownKeys = 0

    /// The most unknown keys that are told of: a file may hold millions.
    private static let mostUnknownKeys = 1000

    package init() {}

    mutating func at<Result>(_ step: JSONPath.Step, _ body: (inout ProjectReader) -> Result) -> Result {
        path.push(step)
        defer { path.pop() }
        return body(&self)
    }

    /// Whether the value that is being read stands in the value of such a key.
    func isWithin(_ key: String) -> Bool { path.contains(key: key) }

    mutating func fail(_ code: ErrorCode, _ message: String, hint: String = "") {
        problems.append(.error(code, path.description, message, hint: hint))
    }

    /// Notes that another kind of value stands here; always nil.
    mutating func mismatch<Value>(_ json: JSONValue, _ expected: String, hint: String = "") -> Value? {
        fail(.valueWrong, "expected \(expected), found \(json.kindName)", hint: hint)
        return nil
    }

    /// Notes a key that an object does not have; `$schema` and those that begin with `x-` are anybody's. A slip of a
    /// known key is an error. `hint` says what is to be done; nil where that is not known.
    mutating func remark(unknown key: String, among known: [String], hint: String? = nil) {
        guard !isFreeKey(key), unknownKeys < Self.mostUnknownKeys else { return }
        unknownKeys += 1
        path.push(.key(key))
        defer { path.pop() }
        let meant = keyMeant(by: key, among: known)
        let near = meant.map { "did you mean `\($0)`?" }
        if hint == nil, let meant, isSlip(key, of: meant) {
            return fail(
                .keyUnknown, "there is no key `\(key.prefix(60))`",
                hint: "did you mean `\(meant)`? Keys of your own begin with `x-`")
        }
        problems.append(
            .warning(
                .keyUnknown, path.description,
                "nobody reads the key `\(key.prefix(60))`: it is kept and changes nothing",
                hint: hint ?? near ?? "keys of your own begin with `x-`"))
    }
}

// Reading, writing and describing a file is cold code: a file is read once. Specialised for each of some eighty types
// it was a third of this module's code. `@_semantics("optimize.sil.specialize.generic.never")` keeps one copy of each
// function for all types.

/// An object of the file. Its keys are declared once, in `fields`; keys that are not declared are kept in `unknown`.
package protocol ProjectObject: ProjectValue {
    static var typeName: String { get }
    static var summary: String { get }
    static var fields: [Field<Self>] { get }
    /// Makes an object with nothing set.
    init()
    var unknown: [String: JSONValue] { get set }
}

/// The declaration of one key of an object: what reading, writing, the schema and the documentation know of it.
package struct Field<Root: ProjectObject>: Sendable {
    package let name: String
    /// The meaning of the key, units and defaults included.
    package let summary: String
    package let isRequired: Bool
    /// The value that the key's absence means; nil where no value says it.
    package let fallback: JSONValue?
    let schema: @Sendable (inout [String: JSONValue]) -> JSONValue
    let read: @Sendable (inout Root, JSONValue, inout ProjectReader) -> Void
    let write: @Sendable (Root) -> JSONValue?

    /// A key that may be absent.
    @_semantics("optimize.sil.specialize.generic.never")
    package init<Value: ProjectValue>(
        _ name: String, _ place: any WritableKeyPath<Root, Value?> & Sendable, default fallback: JSONValue? = nil,
        _ summary: String
    ) {
        self.name = name
        self.summary = summary
        self.fallback = fallback
        isRequired = false
        schema = { Value.schema(&$0) }
        read = { root, json, reader in root[keyPath: place] = Value.read(json, &reader) }
        write = { $0[keyPath: place]?.json }
    }

    /// A key that must be there.
    @_semantics("optimize.sil.specialize.generic.never")
    package init<Value: ProjectValue>(
        _ name: String, required place: any WritableKeyPath<Root, Value> & Sendable, _ summary: String
    ) {
        self.name = name
        self.summary = summary
        fallback = nil
        isRequired = true
        schema = { Value.schema(&$0) }
        read = { root, json, reader in
            if let value = Value.read(json, &reader) { root[keyPath: place] = value }
        }
        write = { $0[keyPath: place].json }
    }
}

extension ProjectObject {
    @_semantics("optimize.sil.specialize.generic.never")
    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Self? {
        // A value that is no object still takes its place in a list, so that the paths of later problems stay right.
        guard case .object(let members) = json else {
            let hint = wrapped(json).map { "write \($0.shortText)" } ?? ""
            return reader.mismatch(json, "an object", hint: hint) ?? Self()
        }
        var value = Self()
        let fields = fields
        var found = 0
        for field in fields {
            if let member = members[field.name] {
                found += 1
                reader.at(.key(field.name)) { field.read(&value, member, &$0) }
            } else if field.isRequired {
                reader.at(.key(field.name)) { $0.fail(.keyMissing, "the key `\(field.name)` is missing") }
            }
        }
        if found < members.count { value.keepUnknown(of: members, fields.map(\.name), &reader) }
        return value
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func keepUnknown(
        of members: [String: JSONValue], _ known: [String], _ reader: inout ProjectReader
    ) {
        unknown = members.filter { !known.contains($0.key) }
        for key in unknown.keys.sorted() {
            reader.remark(unknown: key, among: known, hint: Self.parameterHint(key, members, known))
        }
    }

    /// The hint for a key that belongs into the `params` of an effect, a transition or a tap and stands beside it; nil
    /// for other keys.
    private static func parameterHint(
        _ key: String, _ members: [String: JSONValue], _ known: [String]
    ) -> String? {
        guard known.contains("params"), let id = members["id"]?.string, let value = members[key],
            let description = EffectRegistry.description(of: id, version: nil),
            let name = keyMeant(by: key, among: description.parameters.map(\.name))
        else { return nil }
        return "it belongs into `params`: \"params\": \(JSONValue.object([name: value]).shortText)"
    }

    /// The object of which `json` is all that must be said; nil where there is none.
    @_semantics("optimize.sil.specialize.generic.never")
    private static func wrapped(_ json: JSONValue) -> JSONValue? {
        let required = fields.filter(\.isRequired)
        guard required.count == 1, json != .null else { return nil }
        var (value, reader) = (Self(), ProjectReader())
        required[0].read(&value, json, &reader)
        return reader.problems.isEmpty ? .object([required[0].name: json]) : nil
    }

    @_semantics("optimize.sil.specialize.generic.never")
    package static func element(for json: JSONValue) -> JSONValue? {
        if case .object = json { json } else { wrapped(json) }
    }

    package var json: JSONValue {
        var members = unknown
        for field in Self.fields { members[field.name] = field.write(self) ?? members[field.name] }
        return .object(members)
    }

    /// The object with the values of `other` for those keys that it does not have itself.
    @_semantics("optimize.sil.specialize.generic.never")
    package func filled(from other: Self) -> Self {
        var (filled, reader) = (self, ProjectReader())
        for field in Self.fields where field.write(self) == nil {
            if let json = field.write(other) { field.read(&filled, json, &reader) }
        }
        return filled
    }

    @_semantics("optimize.sil.specialize.generic.never")
    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let reference = JSONValue.object(["$ref": .string("#/$defs/\(typeName)")])
        if definitions[typeName] != nil { return reference }
        definitions[typeName] = .null  // Stands for the definition while its own fields are described.
        definitions[typeName] = .object(objectSchema(&definitions))
        return reference
    }

    @_semantics("optimize.sil.specialize.generic.never")
    static func objectSchema(_ definitions: inout [String: JSONValue]) -> [String: JSONValue] {
        var properties: [String: JSONValue] = [:]
        for field in fields {
            var property: [String: JSONValue] = ["description": .string(field.summary)]
            if case .object(let members) = field.schema(&definitions) {
                property.merge(members) { own, _ in own }
            }
            property["default"] = field.fallback
            properties[field.name] = .object(property)
        }
        var schema: [String: JSONValue] = [
            "type": .string("object"), "description": .string(summary), "properties": .object(properties),
            "patternProperties": .object(["^(x-|[$]schema$)": .object([:])]),
        ]
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }
}
