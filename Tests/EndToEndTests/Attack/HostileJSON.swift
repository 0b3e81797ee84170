import Foundation

/// Compositions with something wrong in them: in their structure or in their bytes.
struct HostileJSON {
    private var chance: Chance
    private let bases: [String]

    init(seed: UInt64, bases: [String]) {
        chance = Chance(seed: seed)
        self.bases = bases
    }

    mutating func next() throws -> [UInt8] {
        let base = chance.pick(bases)
        if chance.once(in: 6) { return chance.mutated(Array(base.utf8)) }
        var root = try JSONSerialization.jsonObject(with: Data(base.utf8))
        if !chance.once(in: 4) {
            root = nearby(root)
            return [UInt8](try JSONSerialization.data(withJSONObject: root, options: [.sortedKeys]))
        }
        var values: [String] = []
        for _ in 0..<(1 + chance.below(3)) {
            var place = chance.below(Self.count(root))
            root = changed(root, at: &place, &values)
        }
        let data = try JSONSerialization.data(withJSONObject: root, options: [.fragmentsAllowed, .sortedKeys])
        var text = String(decoding: data, as: UTF8.self)
        for (index, value) in values.enumerated() { text = text.replacing("\"@@\(index)@@\"", with: value) }
        return Array(text.utf8)
    }

    /// One number or text becomes another that could stand there, so that the result is often one to be rendered.
    private mutating func nearby(_ root: Any) -> Any {
        var leaves: [Any] = []
        Self.gather(root, into: &leaves)
        var place = chance.below(leaves.count)
        return replaced(root, at: &place, leaves)
    }

    /// Numbers and texts in the order in which `replaced` meets them.
    private static func gather(_ value: Any, into leaves: inout [Any]) {
        if let list = value as? [Any] {
            for element in list { gather(element, into: &leaves) }
        } else if let object = value as? [String: Any] {
            for key in object.keys.sorted() { object[key].map { gather($0, into: &leaves) } }
        } else {
            leaves.append(value)
        }
    }

    private mutating func replaced(_ value: Any, at place: inout Int, _ leaves: [Any]) -> Any {
        if let list = value as? [Any] { return list.map { replaced($0, at: &place, leaves) } }
        if var object = value as? [String: Any] {
            for key in object.keys.sorted() { object[key] = object[key].map { replaced($0, at: &place, leaves) } }
            return object
        }
        place -= 1
        guard place == -1 else { return value }
        if let number = value as? Double {
            return chance.pick([number * 2, number / 2, number + 1, number - 1, -number, number + 1e-9, 0, 1, 0.3])
        }
        guard let text = value as? String else { return value }
        // A time in the place of a time, a name in that of a name.
        let isTime = text.first?.isNumber ?? false
        return chance.pick(leaves.compactMap { $0 as? String }.filter { ($0.first?.isNumber ?? false) == isTime })
    }

    /// How many values there are below and with this one.
    private static func count(_ value: Any) -> Int {
        if let list = value as? [Any] { return list.reduce(1) { $0 + count($1) } }
        if let object = value as? [String: Any] { return object.values.reduce(1) { $0 + count($1) } }
        return 1
    }

    /// The value whose turn it is becomes another; what JSON cannot say in Swift is put in as text afterwards.
    private mutating func changed(_ value: Any, at place: inout Int, _ values: inout [String]) -> Any {
        if place == 0 {
            place = -1
            return other(value, &values)
        }
        place -= 1
        if let list = value as? [Any] {
            return list.map { element in place < 0 ? element : changed(element, at: &place, &values) }
        }
        guard let object = value as? [String: Any] else { return value }
        var result = object
        for key in object.keys.sorted() where place >= 0 {
            if let child = object[key] { result[key] = changed(child, at: &place, &values) }
        }
        return result
    }

    private mutating func other(_ value: Any, _ values: inout [String]) -> Any {
        if let list = value as? [Any], !list.isEmpty, chance.once(in: 2) {
            switch chance.below(4) {
            case 0: return list + list
            case 1: return Array(list.dropLast())
            case 2: return Array(list.reversed())
            default: return (0..<200).flatMap { _ in list }
            }
        }
        if var object = value as? [String: Any], let key = object.keys.sorted().first, chance.once(in: 2) {
            let taken = object.removeValue(forKey: chance.once(in: 2) ? key : chance.pick(object.keys.sorted()))
            if chance.once(in: 2) { object["kye"] = taken }
            return object
        }
        values.append(chance.pick(Self.values))
        return "@@\(values.count - 1)@@"
    }

    private static let values: [String] = [
        "null", "true", "0", "-1", "1e308", "1e400", "-0.0", "0.1", "9223372036854775807", "-9223372036854775808",
        "18446744073709551616", "2147483648", "\"\"", "[]", "{}", "\"1/25\"", "\"9223372036854775807/1\"",
        "\"9223372036854775807/2147483647\"", "\"-9223372036854775807/2147483647\"", "\"1/2147483647\"", "\"0/0\"",
        "\"1/-1\"", "\"-5s\"", "\"inf\"", "\"nan\"", "\"1e9s\"", "\"99999999999s\"", "\"0.0000000001s\"",
        "\"\\u0000\"", "\"\\u001b[31mred\\u0007\"", "\"../../../etc/passwd\"", "\"/dev/zero\"", "\"/proc/self/mem\"",
        "\"/\"", "\"https://example.com/x.mp4\"", "[0,0,0,0,0,0]", "[1e308,1e308,1e308,1e308,1e308,1e308]",
        "[1e-320,0,0,1e-320,0,0]", "[16384,16384]", "[1,1]", "[-4,2147483647]", "[\"0s\",\"0s\"]",
        "[\"1s\",\"99999s\"]", String(repeating: "[", count: 700) + String(repeating: "]", count: 700),
        "\"" + String(repeating: "long ", count: 20_000) + "\"",
        "[" + String(repeating: "0,", count: 20_000) + "0]",
    ]
}
