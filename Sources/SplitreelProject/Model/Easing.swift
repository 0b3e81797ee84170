import Diagnostics
package import JSONText

/// The way in which a ramp gets from its first value to its last: from a share of the time to a share of the way.
public enum Easing: Hashable, Sendable {
    /// The same share of the way as of the time.
    case linear
    /// The first value to the end of the range, and the last one from there on.
    case hold
    /// A curve from (0, 0) to (1, 1) with two control points, as CSS and CAMediaTimingFunction have it; the x are from
    /// 0 to 1, so that there is one y for each x.
    case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)

    /// The curve of CAMediaTimingFunction that begins slowly.
    public static let easeIn = Easing.cubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// The curve of CAMediaTimingFunction that ends slowly.
    public static let easeOut = Easing.cubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// The curve of CAMediaTimingFunction that begins and ends slowly.
    public static let easeInOut = Easing.cubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    fileprivate static let words: [(word: String, easing: Easing)] = [
        ("linear", .linear), ("ease-in", .easeIn), ("ease-out", .easeOut), ("ease-in-out", .easeInOut), ("hold", .hold),
    ]

    /// The share of the way at a share of the time, both from 0 to 1; a curve may overshoot. It is the same on every
    /// machine: additions and multiplications in a fixed order.
    public func share(at time: Double) -> Double {
        switch self {
        case .linear: return time
        case .hold: return time < 1 ? 0 : 1
        case .cubicBezier(let x1, let y1, let x2, let y2):
            if time <= 0 { return 0 }
            if time >= 1 { return 1 }
            return Self.point(y1, y2, Self.parameter(x1, x2, at: time))
        }
    }

    /// The parameter at which the curve has an x, which grows with it: by Newton's steps, and by halves where these
    /// leave the part that it must lie in. Some five steps; a file can ask for it with every sample of its sound.
    private static func parameter(_ x1: Double, _ x2: Double, at time: Double) -> Double {
        var low = 0.0
        var high = 1.0
        var place = time
        for _ in 0..<60 {
            let error = point(x1, x2, place) - time
            if abs(error) < 1e-15 { break }
            if error < 0 { low = place } else { high = place }
            let rest = 1 - place
            let slope = 3 * (rest * rest * x1 + 2 * rest * place * (x2 - x1) + place * place * (1 - x2))
            let next = place - error / slope
            let isInside = next > low && next < high
            let following = isInside ? next : (low + high) / 2
            if following == place { break }
            place = following
        }
        return place
    }

    /// One coordinate of the curve at a parameter, by de Casteljau's rule.
    private static func point(_ first: Double, _ second: Double, _ parameter: Double) -> Double {
        func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * parameter }
        let (start, middle, end) = (between(0, first), between(first, second), between(second, 1))
        return between(between(start, middle), between(middle, end))
    }
}

extension Easing: ProjectValue {
    private static let shape = "a word or four numbers [x1, y1, x2, y2]"

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Easing? {
        if let text = json.string { return read(word: text, &reader) }
        guard case .array(let parts) = json, parts.count == 4 else { return reader.mismatch(json, shape) }
        let numbers = parts.compactMap(\.double)
        guard numbers.count == 4 else { return reader.mismatch(json, shape) }
        return curve(numbers, &reader)
    }

    private static func read(word text: String, _ reader: inout ProjectReader) -> Easing? {
        if let known = words.first(where: { $0.word == text }) { return known.easing }
        let call = "cubic-bezier("
        if text.hasPrefix(call), text.hasSuffix(")") {
            let parts = text.dropFirst(call.count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Self.number($0) }
            if parts.count == 4, numbers.count == 4 { return curve(numbers, &reader) }
        }
        reader.fail(
            .valueNotAllowed, "`\(text.prefix(60))` is not a way to go from one value to another",
            hint: "one of: \(words.map(\.word).joined(separator: ", ")), or [x1, y1, x2, y2] of a cubic-bezier")
        return nil
    }

    /// The number that CSS writes so, with blanks around it; nil for other texts.
    private static func number(_ text: Substring) -> Double? {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text.allSatisfy { "0123456789.eE+-".contains($0) } ? Double(text) : nil
    }

    private static func curve(_ numbers: [Double], _ reader: inout ProjectReader) -> Easing? {
        guard (0...1).contains(numbers[0]), (0...1).contains(numbers[2]), abs(numbers[1]) <= 100, abs(numbers[3]) <= 100
        else {
            reader.fail(
                .valueNotAllowed, "a cubic-bezier's x1 and x2 are from 0 to 1, its y1 and y2 from -100 to 100",
                hint: "[0.42, 0, 0.58, 1] is ease-in-out")
            return nil
        }
        return .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    }

    package var json: JSONValue {
        if let known = Self.words.first(where: { $0.easing == self }) { return .string(known.word) }
        guard case .cubicBezier(let x1, let y1, let x2, let y2) = self else { return .null }
        return .array([x1, y1, x2, y2].map(\.json))
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        definitions["Easing"] = .object([
            "description": .string("A word, cubic-bezier(x1, y1, x2, y2) as in CSS, or its four numbers"),
            "anyOf": .array([
                .object(["enum": .array(words.map { .string($0.word) })]),
                .object(["type": .string("string"), "pattern": .string("^cubic-bezier\\(.*\\)$")]),
                .object([
                    "type": .string("array"), "items": .object(["type": .string("number")]),
                    "minItems": .integer(4), "maxItems": .integer(4),
                ]),
            ]),
        ])
        return .object(["$ref": .string("#/$defs/Easing")])
    }
}
