import Foundation
import TestTools

/// A value of a parsed JSON file; what is asked for and not there is an error that says so.
struct JSON {
    private var value: Any?

    init(_ value: Any?) { self.value = value }

    init(text: String) throws { value = try JSONSerialization.jsonObject(with: Data(text.utf8)) }

    subscript(key: String) -> JSON { JSON((value as? [String: Any])?[key]) }

    var isAbsent: Bool { value == nil }
    var isObject: Bool { value is [String: Any] }
    var isText: Bool { value is String }

    func ifPresent<Value>(_ read: (JSON) throws -> Value) rethrows -> Value? { isAbsent ? nil : try read(self) }

    /// A list's elements; none where it is absent.
    func each<Value>(_ read: (JSON) throws -> Value) throws -> [Value] { isAbsent ? [] : try list.map(read) }

    var object: [String: Any] { get throws { try cast() } }
    var text: String { get throws { try cast() } }
    var flag: Bool { get throws { (try cast() as NSNumber).boolValue } }
    var number: Double { get throws { (try cast() as NSNumber).doubleValue } }
    var index: Int { get throws { Int(try number) } }
    var list: [JSON] { get throws { (try cast() as [Any]).map(JSON.init) } }
    /// A list of numbers, or one alone.
    var numbers: [Double] { get throws { value is [Any] ? try list.map { try $0.number } : [try number] } }

    private func cast<Value>() throws -> Value {
        guard let found = value as? Value else { throw ToolFailure("no \(Value.self) in \(value ?? "nothing")") }
        return found
    }
}

extension Fraction {
    /// `"value/timescale"` or seconds such as `"2.5s"`, exactly.
    init(time text: String) throws {
        let parts = text.split(separator: "/").compactMap { Int($0) }
        if parts.count == 2 {
            self.init(parts[0], parts[1])
            return
        }
        let number = text.hasSuffix("s") ? text.dropLast() : Substring(text)
        let decimals = number.split(separator: ".", omittingEmptySubsequences: false)
        let places = decimals.count > 1 ? decimals[1].count : 0
        guard let value = Int(decimals.joined()) else { throw ToolFailure("\(text) is no time") }
        self.init(value, (0..<places).reduce(1) { power, _ in power * 10 })
    }
}
