import Foundation
public import JSONText
import SplitreelProject

/// The parameters of one frame, or of samples that have the same ones: all of those that the description has.
public struct EffectValues: Sendable {
    let call: EffectCall

    /// A number; of a list its first one.
    public func number(_ name: String) -> Double { call.number(name) }
    /// The numbers of a colour: red, green, blue and alpha, 0 to 1; or of points: the numbers of all, one after the
    /// other; or the ids of required tracks.
    public func numbers(_ name: String) -> [Double] { call.numbers(name) }
    /// One of the words that the description lists.
    public func word(_ name: String) -> String { call.word(name) }
    /// A yes or no.
    public func flag(_ name: String) -> Bool { call.flag(name) }

    /// The value of a parameter as the file would say it for this frame; null where there is none.
    public func value(_ name: String) -> JSONValue {
        let kind = EffectRegistry.description(of: call.id, version: call.version)?.parameter(name)?.kind
        switch call.values[name] {
        case nil: return .null
        case .json(let value)?: return value
        case .word(let word)?, .file(let word)?: return .string(word)
        case .flag(let flag)?: return .bool(flag)
        case .numbers(let numbers)?: return Self.value(of: numbers, kind)
        }
    }

    /// All parameters as one value of a type of the program's own, whose properties have their names: what an
    /// instruction is told by `Instruction.params = try JSONValue(encoding: value)` comes back, with what keys move at
    /// this frame's time. Costs some microseconds.
    ///
    /// - Throws: `DecodingError` where the type wants what is not there.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        var members: [String: JSONValue] = [:]
        for name in call.values.keys { members[name] = value(name) }
        return try JSONValue.object(members).decoded()
    }

    /// One parameter as a value of a type of the program's own, such as one of `ParameterDescription.value`.
    ///
    /// - Throws: `DecodingError` where the type wants what is not there.
    public func decode<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        try value(name).decoded()
    }

    private static func value(of numbers: [Double], _ kind: EffectParameter.Kind?) -> JSONValue {
        switch kind {
        case .numbers(_, let fallback)? where fallback.count == 1: JSONValue(numbers.first ?? 0)
        case .table(let width, _, _)?:
            .array(
                stride(from: 0, to: numbers.count, by: width).map { start in
                    .array(numbers[start..<min(start + width, numbers.count)].map { JSONValue($0) })
                })
        default: .array(numbers.map { JSONValue($0) })
        }
    }
}

extension JSONValue {
    /// The value that an encoder of JSON makes of a value of the program's own.
    ///
    /// - Throws: `EncodingError` where it cannot be written as JSON.
    public init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    }

    fileprivate func decoded<Value: Decodable>() throws -> Value {
        try JSONDecoder().decode(Value.self, from: canonicalBytes())
    }
}
