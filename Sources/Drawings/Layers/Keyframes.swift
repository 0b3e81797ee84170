import Diagnostics
import MediaTime
package import SplitreelProject

/// Values one after the other, and the way in which an animation goes through them.
package struct Keyframes: Sendable, Hashable {
    let values: [LayerValue]
    /// The shares of the time at which values are reached, 0…1 in order: one for each value, and for steps one more at
    /// most.
    package let times: [Double]
    /// The easings of the ways between two values; linear where there are fewer.
    let paces: [Easing]
    let calculation: LayerAnimation.Calculation

    /// - Parameters:
    ///   - times: the times of the values; nil for even ones. Steps may have one more than values: the last one's end.
    ///   - values: at least one value.
    package init(values: [LayerValue], times: [Double]?, paces: [Easing], calculation: LayerAnimation.Calculation) {
        self.values = values
        let isNumeric = values.allSatisfy(\.isContinuous)
        self.calculation = isNumeric ? calculation : .discrete
        let count = values.count
        switch self.calculation {
        case .discrete: self.times = times ?? (0..<count).map { Double($0) / Double(count) }
        case .paced:
            self.times = Self.evenSpeed(values)
            self.paces = []
            return
        case .linear, .cubic: self.times = times ?? (0..<count).map { Double($0) / Double(max(1, count - 1)) }
        }
        self.paces = paces
    }

    /// The shares of the whole way at which the values are.
    private static func evenSpeed(_ values: [LayerValue]) -> [Double] {
        var ways = [0.0]
        for (value, next) in zip(values, values.dropFirst()) {
            ways.append(ways[ways.count - 1] + LayerValue.distance(value, next))
        }
        let whole = ways[ways.count - 1]
        return ways.map { whole > 0 && whole.isFinite ? $0 / whole : 0 }
    }

    /// The value at a share of the time; before the first of the times it is the first value, after the last one the
    /// last.
    package func value(at share: Double) -> LayerValue {
        let index = min(max(0, times.partitionPoint { $0 <= share } - 1), values.count - 1)
        guard calculation != .discrete, index + 1 < values.count, index + 1 < times.count else { return values[index] }
        let (start, end) = (times[index], times[index + 1])
        guard share > start, end > start else { return values[index] }
        let own = (share - start) / (end - start)
        let paced = index < paces.count ? paces[index].share(at: own) : own
        return calculation == .cubic
            ? curve(index, paced) : .mix(values[index], values[index + 1], paced)
    }

    /// The value on Catmull and Rom's curve: its slope at a value is that of the line between its neighbours, at an end
    /// that of the way there.
    private func curve(_ index: Int, _ share: Double) -> LayerValue {
        guard case .numbers(let from) = values[index], case .numbers(let to) = values[index + 1] else {
            return .mix(values[index], values[index + 1], share)
        }
        let length = times[index + 1] - times[index]
        func slope(_ place: Int) -> [Double] {
            let (before, after) = (max(0, place - 1), min(values.count - 1, place + 1))
            guard case .numbers(let first) = values[before], case .numbers(let last) = values[after],
                times[after] > times[before]
            else { return from.map { _ in 0 } }
            return zip(first, last).map { ($1 - $0) / (times[after] - times[before]) * length }
        }
        let (leaving, arriving) = (slope(index), slope(index + 1))
        let (square, cube) = (share * share, share * share * share)
        let weights = (2 * cube - 3 * square + 1, cube - 2 * square + share, 3 * square - 2 * cube, cube - square)
        return .numbers(
            from.indices.map { place in
                weights.0 * from[place] + weights.1 * leaving[place] + weights.2 * to[place]
                    + weights.3 * arriving[place]
            })
    }
}

extension LayerValue {
    /// Whether there are values between two such values.
    var isContinuous: Bool {
        switch self {
        case .numbers, .transform, .path: true
        case .flag, .word, .contents: false
        }
    }
}
