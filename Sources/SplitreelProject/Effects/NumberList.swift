import Diagnostics
package import JSONText

/// A number, or a list of them, which keys of an effect's parameter set and move.
package struct NumberList: Sendable, Hashable {
    package var values: [Double]

    package init(_ values: [Double]) { self.values = values }
}

extension NumberList: Interpolated {
    package static func mix(_ from: NumberList, _ to: NumberList, _ fraction: Double) -> NumberList {
        NumberList(zip(from.values, to.values).map { .mix($0, $1, fraction) })
    }
}

extension NumberList: KeyedProjectValue {
    package static let keyTypeName = "ParameterKey"
    package static let keyFields = Key<NumberList>.makeFields()

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> NumberList? {
        if let number = json.double { return NumberList([number]) }
        guard case .array(let elements) = json else { return reader.mismatch(json, "a number, or a list of them") }
        let values = elements.compactMap(\.double)
        guard values.count == elements.count else { return reader.mismatch(json, "a list of numbers") }
        return NumberList(values)
    }

    package var json: JSONValue {
        values.count == 1 ? JSONValue(values[0]) : .array(values.map { JSONValue($0) })
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let number = JSONValue.object(["type": .string("number")])
        return .object([
            "anyOf": .array([number, .object(["type": .string("array"), "items": number])])
        ])
    }
}
