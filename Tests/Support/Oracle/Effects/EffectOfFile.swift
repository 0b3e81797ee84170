import Foundation
import TestTools

/// An effect, a transition or a blend as the file has it, at a time.
struct EffectOfFile {
    let id: String
    private let json: JSON
    let time: Fraction
    private let assets: [String: Cut.Asset]

    init(_ json: JSON, at time: Fraction, _ assets: [String: Cut.Asset]) throws {
        (self.json, self.time, self.assets) = (json, time, assets)
        id = try json["id"].text
    }

    private func parameter(_ name: String) -> JSON { json["params"][name] }

    /// A number, or keys of it in composition time; before the first it has its default.
    func number(_ name: String, _ absent: Double) throws -> Double { try numbers(name, [absent])[0] }

    func numbers(_ name: String, _ absent: [Double]) throws -> [Double] {
        let found = parameter(name)
        if found.isAbsent { return absent }
        if let list = try? found.list, list.first?.isObject == true {
            return try Keys(found).value(at: time) ?? absent
        }
        return try found.numbers
    }

    func word(_ name: String, _ absent: String) throws -> String {
        try parameter(name).ifPresent { try $0.text } ?? absent
    }

    func flag(_ name: String) throws -> Bool { try parameter(name).ifPresent { try $0.flag } ?? false }

    func points(_ name: String) throws -> [(x: Double, y: Double)] {
        try parameter(name).each { try $0.numbers }.map { ($0[0], $0[1]) }
    }

    /// A track's id.
    func index(_ name: String) throws -> Int { try parameter(name).index }

    /// The asset that a parameter names.
    func asset(_ name: String) throws -> JSON {
        let asset = try parameter(name).text
        guard let found = assets[asset] else { throw ToolFailure("no asset \(asset)") }
        return found.json
    }

    /// How far a transition is in its instruction's range.
    func progress(in range: Cut.Span) throws -> Double {
        let share = (time - range.start) / range.length
        return try Keys.easing(json["easing"])(Double(share.top) / Double(share.bottom))
    }
}
