import Foundation
import TestTools

/// A value that changes over time: holds and ramps, in order; none at all where the file has no such key.
struct Keys {
    private struct Key {
        var start: Fraction
        /// nil for a hold.
        var length: Fraction?
        var from: [Double]
        var to: [Double]
        var share: (Double) -> Double = { $0 }
    }

    private var keys: [Key] = []

    var isEmpty: Bool { keys.isEmpty }

    /// - Parameter read: how a value stands in the file.
    init(_ json: JSON, _ read: (JSON) throws -> [Double] = { try $0.numbers }) throws {
        keys = try json.each { key in
            if !key["at"].isAbsent {
                let value = try read(key["value"])
                return Key(start: try Fraction(time: key["at"].text), length: nil, from: value, to: value)
            }
            let range = try Cut.Span(key["range"])
            return Key(
                start: range.start, length: range.length, from: try read(key["from"]), to: try read(key["to"]),
                share: try Self.easing(key["easing"]))
        }
    }

    /// nil before the first key.
    func value(at time: Fraction) -> [Double]? {
        guard let key = keys.last(where: { !(time < $0.start) }) else { return nil }
        guard let length = key.length, time < key.start + length else { return key.to }
        let share = (time - key.start) / length
        let part = key.share(Double(share.top) / Double(share.bottom))
        return zip(key.from, key.to).map { $0 == $1 ? $0 : $0 + ($1 - $0) * part }
    }

    static func easing(_ json: JSON) throws -> (Double) -> Double {
        if json.isAbsent { return { $0 } }
        if json.isText {
            switch try json.text {
            case "linear": return { $0 }
            case "hold": return { $0 < 1 ? 0 : 1 }
            case "ease-in": return bezier([0.42, 0, 1, 1])
            case "ease-out": return bezier([0, 0, 0.58, 1])
            case "ease-in-out": return bezier([0.42, 0, 0.58, 1])
            case let word:
                let inner = word.replacingOccurrences(of: "cubic-bezier(", with: "").dropLast()
                let parts = inner.split(separator: ",").compactMap {
                    Double($0.trimmingCharacters(in: .whitespaces))
                }
                guard parts.count == 4 else { throw ToolFailure("\(word) is no easing") }
                return bezier(parts)
            }
        }
        return bezier(try json.numbers)
    }

    /// The curve's y where its x is the time, by halving.
    private static func bezier(_ c: [Double]) -> (Double) -> Double {
        func point(_ a: Double, _ b: Double, _ t: Double) -> Double {
            3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
        }
        return { time in
            // Exactly: at the end of its time a value of steps is the last one.
            if time <= 0 || time >= 1 { return time <= 0 ? 0 : 1 }
            var (low, high) = (0.0, 1.0)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if point(c[0], c[2], middle) < time { low = middle } else { high = middle }
            }
            return point(c[1], c[3], (low + high) / 2)
        }
    }
}

/// A layer's transform: six numbers, or ten of its parts.
enum TransformReading {
    /// translate, scale, rotate, skew, anchor, and how much of the centre is added to the anchor.
    static func numbers(_ json: JSON) throws -> [Double] {
        guard json.isObject else { return try json.numbers }
        func pair(_ key: String, _ absent: Double) throws -> [Double] {
            let given = try json[key].ifPresent { try $0.numbers } ?? [absent, absent]
            // One number stands for both.
            return given.count == 1 ? [given[0], given[0]] : given
        }
        let isCentre = json["anchor"].isText
        let anchor = try isCentre ? [0, 0] : pair("anchor", 0)
        return try pair("translate", 0) + pair("scale", 1) + [json["rotate"].ifPresent { try $0.number } ?? 0]
            + pair("skew", 0) + anchor + [isCentre ? 1 : 0]
    }

    /// The map from a picture of that size.
    static func affine(_ numbers: [Double], _ size: (width: Double, height: Double)) -> [Double] {
        guard numbers.count == 10 else { return numbers }
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let anchor = (
            x: numbers[7] + numbers[9] * size.width / 2, y: numbers[8] + numbers[9] * size.height / 2
        )
        let (cosine, sine) = (cos(radians(numbers[4])), sin(radians(numbers[4])))
        let (leanX, leanY) = (tan(radians(numbers[5])), tan(radians(numbers[6])))
        var map: [Double] = [1, 0, 0, 1, -anchor.x, -anchor.y]
        for next in [
            [numbers[2], 0, 0, numbers[3], 0, 0], [1, leanY, leanX, 1, 0, 0], [cosine, sine, -sine, cosine, 0, 0],
            [1, 0, 0, 1, anchor.x + numbers[0], anchor.y + numbers[1]],
        ] {
            map = InverseMap.joined(map, next)
        }
        return map
    }
}
