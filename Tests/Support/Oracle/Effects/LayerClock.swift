import Foundation
import TestTools

/// When something of a tree plays, in the time of what holds it.
struct LayerClock {
    private var begin = Fraction(0)
    private var duration: Fraction?
    private var speed = Fraction(1)
    private var offset = Fraction(0)
    private var repeats: Fraction? = Fraction(1)
    private var isTurning = false
    private var fill = "removed"
    private var hasNoBegin: Bool

    /// - Parameters:
    ///   - key: of its begin.
    ///   - standard: its duration where it has none.
    init(_ json: JSON, begin key: String, standard: Fraction? = nil) throws {
        func time(_ key: String) throws -> Fraction? { try json[key].ifPresent { try Fraction(time: $0.text) } }
        func number(_ key: String) throws -> Fraction? {
            try json[key].ifPresent {
                try $0.isText ? Fraction(time: $0.text) : Fraction(Int(($0.number * 1000).rounded()), 1000)
            }
        }
        hasNoBegin = key == "beginTime" && json[key].isAbsent
        begin = try time(key) ?? begin
        duration = try time("duration") ?? standard
        speed = try number("speed") ?? speed
        offset = try time("timeOffset") ?? offset
        let isEndless = json["repeat"].isText ? try json["repeat"].text == "inf" : false
        repeats = isEndless ? nil : try number("repeat") ?? Fraction(1)
        isTurning = try json["autoreverse"].ifPresent { try $0.flag } ?? false
        fill = try json["fill"].ifPresent { try $0.text } ?? fill
    }

    var length: Fraction? { duration }
    var turnsBack: Bool { isTurning }

    /// How often it has played, and how far it is; nil where it does not act.
    func moment(at parent: Fraction) -> (plays: Int, elapsed: Fraction)? {
        var time = (parent - begin) * speed + offset
        if time < Fraction(0), !hasNoBegin {
            guard fill == "backwards" || fill == "both" else { return nil }
            time = Fraction(0)
        }
        guard let duration else { return (0, time) }
        let span = isTurning ? duration * Fraction(2) : duration
        var plays = (time / span).floor
        if let repeats, !(time < span * repeats) {
            guard fill == "forwards" || fill == "both" else { return nil }
            time = span * repeats
            // At its end it is not yet in the next play.
            plays = (time / span).ceiling - 1
        }
        let within = time - span * Fraction(plays)
        return (max(0, plays), duration < within ? span - within : within)
    }
}

/// Values of animations: numbers, transforms, and what has nothing in between.
enum LayerTreeValue {
    case numbers([Double])
    case turn(LayerTurn)
    case thing(JSON)

    static func mix(_ a: LayerTreeValue, _ b: LayerTreeValue, _ share: Double) -> LayerTreeValue {
        switch (a, b) {
        case (.numbers(let first), .numbers(let last)): .numbers(zip(first, last).map { $0 + ($1 - $0) * share })
        case (.turn(let first), .turn(let last)): .turn(.mix(first, last, share))
        default: share < 1 ? a : b
        }
    }

    func adding(_ other: LayerTreeValue, _ count: Double = 1) -> LayerTreeValue {
        switch (self, other) {
        case (.numbers(let mine), .numbers(let more)): .numbers(zip(mine, more).map { $0 + $1 * count })
        case (.turn(let mine), .turn(let more)): .turn(more.then(mine))
        default: self
        }
    }

    /// The value of the same kind that adds nothing.
    func none() throws -> LayerTreeValue {
        switch self {
        case .numbers(let numbers): .numbers(numbers.map { _ in 0 })
        case .turn: .turn(try LayerTurn(JSON(nil)))
        case .thing: self
        }
    }

    static func way(_ a: LayerTreeValue, _ b: LayerTreeValue) -> Double {
        guard case .numbers(let first) = a, case .numbers(let last) = b else { return 1 }
        return zip(first, last).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
}

/// Values one after the other.
struct LayerSteps {
    let values: [LayerTreeValue]
    let times: [Double]
    let paces: [(Double) -> Double]
    let calculation: String

    func value(at share: Double) -> LayerTreeValue {
        let k = min(max(0, (times.lastIndex { $0 <= share } ?? 0)), values.count - 1)
        guard calculation != "discrete", k + 1 < values.count, times[k + 1] > times[k], share > times[k] else {
            return values[k]
        }
        let own = (share - times[k]) / (times[k + 1] - times[k])
        let paced = k < paces.count ? paces[k](own) : own
        guard calculation == "cubic", case .numbers(let from) = values[k], case .numbers(let to) = values[k + 1] else {
            return .mix(values[k], values[k + 1], paced)
        }
        /// Between the neighbours, for the length of this way.
        func slope(_ place: Int) -> [Double] {
            let (before, after) = (max(0, place - 1), min(values.count - 1, place + 1))
            guard case .numbers(let a) = values[before], case .numbers(let b) = values[after] else { return [] }
            return zip(a, b).map { ($1 - $0) / (times[after] - times[before]) * (times[k + 1] - times[k]) }
        }
        let (t, leaving, arriving) = (paced, slope(k), slope(k + 1))
        return .numbers(
            from.indices.map { n in
                (1 + 2 * t) * (1 - t) * (1 - t) * from[n] + t * (1 - t) * (1 - t) * leaving[n]
                    + t * t * (3 - 2 * t) * to[n] + t * t * (t - 1) * arriving[n]
            })
    }
}
