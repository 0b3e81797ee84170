public import JSONText
public import MediaTime
public import Pictures

/// A value that keys can set and move: a number, a rectangle or a transform.
public protocol KeyedValue: Sendable, Hashable {}

/// A value of keys in the file: each kind has its own type of key in the schema.
package protocol KeyedProjectValue: KeyedValue, ProjectValue {
    static var keyTypeName: String { get }
    static var keyFields: [Field<Key<Self>>] { get }
}

extension Transform: KeyedProjectValue {
    package static let keyTypeName = "TransformKey"
    package static let keyFields = Key<Transform>.makeFields()
}

extension Double: KeyedProjectValue {
    package static let keyTypeName = "NumberKey"
    package static let keyFields = Key<Double>.makeFields()
}

extension Rect: KeyedProjectValue {
    package static let keyTypeName = "CropKey"
    package static let keyFields = Key<Rect>.makeFields()
}

/// A value that is set at one time, or changes over a range: `at` and `value`, or `range`, `from` and `to`.
public struct Key<Value: KeyedValue>: Sendable, Hashable {
    /// The composition time from which `value` holds; nil for a ramp.
    public var at: MediaTime?
    /// The value from `at` on; nil for a ramp.
    public var value: Value?
    /// The range of composition time over which the value goes from `from` to `to`; nil for a hold.
    public var range: TimeRange?
    /// The value at the range's start; nil for a hold.
    public var from: Value?
    /// The value at the range's end and after it; nil for a hold.
    public var to: Value?
    /// The way from the first value to the last; nil for linear.
    public var easing: Easing?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package init(at time: MediaTime, value: Value) {
        (at, self.value) = (time, value)
    }

    package init(range: TimeRange, from: Value, to: Value) {
        self.range = range
        self.from = from
        self.to = to
    }
}

extension Key: ProjectValue where Value: KeyedProjectValue {}

extension Key: ProjectObject where Value: KeyedProjectValue {
    package static var typeName: String { Value.keyTypeName }
    package static var summary: String { "A hold (`at`, `value`) or a ramp (`range`, `from`, `to`)." }
    package static var fields: [Field<Key<Value>>] { Value.keyFields }

    /// A value alone holds from the start on, `at` "0s".
    package static func only(_ json: JSONValue) -> JSONValue? {
        // Most lists are of keys: they are not tried as values.
        if case .array(let parts) = json, parts.first?.double == nil { return nil }
        // A text is a value, if a wrong one.
        let value = json.string == nil ? Value.element(for: json) : json
        return value.map { .object(["at": .string("0s"), "value": $0]) }
    }

    package static func onlySchema(_ definitions: inout [String: JSONValue]) -> JSONValue? {
        Value.schema(&definitions)
    }

    package static func element(for json: JSONValue) -> JSONValue? {
        if case .object = json { only(json) ?? json } else { only(json) }
    }

    /// Key paths of generic types are slow to make: each kind of value keeps its list.
    static func makeFields() -> [Field<Key<Value>>] {
        [
            Field("at", \.at, "Composition time from which `value` holds."),
            Field("value", \.value, "The value from `at` on."),
            Field("range", \.range, "Composition time over which the value goes from `from` to `to`."),
            Field("from", \.from, "The value at the range's start."),
            Field("to", \.to, "The value at the range's end and after it."),
            Field("easing", \.easing, default: .string("linear"), "How a ramp gets from `from` to `to`."),
        ]
    }
}
