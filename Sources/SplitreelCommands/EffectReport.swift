import SplitreelProject

/// `effects --json`.
struct EffectList: Encodable {
    var effects: [EffectReport]
}

struct EffectReport: Encodable {
    struct Parameter: Encodable {
        var name: String
        /// `number`, `numbers`, `color`, `points`, `word`, `flag`, `picture`, `track`, `file`,
        /// `sound` or `audioTrack`.
        var type: String
        var summary: String
        /// pixels, degrees, seconds, stops, kelvin, decibels, Hz; absent for a plain number.
        var unit: String?
        /// The least and the greatest of each number; seconds of a sound.
        var range: [Double]?
        /// How many numbers it is, or each of its points has; absent for one.
        var count: Int?
        /// How many points there must be.
        var least: Int?
        var words: [String]?
        /// The kind of asset that it names.
        var asset: String?
        /// A list of keys may move it.
        var keys: Bool
        /// Absent for what need not be said.
        var required: Bool?
        var fallback: Value?

        enum CodingKeys: String, CodingKey {
            case name, type, summary, unit, range, count, least, words, asset, keys, required
            case fallback = "default"
        }
    }

    enum Value: Encodable {
        case number(Double)
        case numbers([Double])
        case word(String)
        case flag(Bool)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .numbers(let numbers): try container.encode(numbers)
            case .word(let word): try container.encode(word)
            case .flag(let flag): try container.encode(flag)
            }
        }
    }

    var id: String
    var version: Int
    var kind: String
    var summary: String
    /// Of an effect on a layer: whose pixels it works on, `picture` or `canvas`.
    var space: String?
    var parameters: [Parameter]
    /// Composition time changes its picture, though nothing else does.
    var usesTime: Bool
    /// Output frames before and after a frame that it sees besides.
    var framesBehind: Int
    var framesAhead: Int

    init(_ effect: EffectDescription) {
        (id, version, kind, summary) = (effect.id, effect.version, effect.kind.rawValue, effect.summary)
        space = effect.kind == .effect ? effect.space.rawValue : nil
        parameters = effect.parameters.map(Parameter.init)
        (usesTime, framesBehind, framesAhead) = (effect.usesTime, effect.framesBehind, effect.framesAhead)
    }
}

extension EffectReport.Parameter {
    init(_ parameter: EffectParameter) {
        (name, type, summary, keys) = (parameter.name, "", parameter.summary, false)
        unit = parameter.unit == .none ? nil : parameter.unit.rawValue
        switch parameter.kind {
        case .numbers(let range, let numbers):
            (type, keys) = (numbers.count == 1 ? "number" : "numbers", !parameter.isFixed)
            self.range = [range.lowerBound, range.upperBound]
            if numbers.count == 1 { fallback = .number(numbers[0]) } else { fallback = .numbers(numbers) }
            count = numbers.count == 1 ? nil : numbers.count
        case .colour(let numbers):
            (type, keys, self.range, fallback) = ("color", true, [0, 1], .numbers(numbers))
        case .table(let width, let range, let points):
            (type, self.range) = ("points", [range.lowerBound, range.upperBound])
            (count, least) = (width, points)
        case .word(let words, let word): (type, self.words, fallback) = ("word", words, .word(word))
        case .flag(let flag): (type, fallback) = ("flag", .flag(flag))
        case .picture(let isRequired): (type, required) = ("picture", isRequired ? true : nil)
        case .track(let isRequired): (type, required) = ("track", isRequired ? true : nil)
        case .file(let kind): (type, asset, required) = ("file", kind.rawValue, true)
        case .sound(let longest): (type, self.range, required) = ("sound", [0, Double(longest)], true)
        case .audioTrack: (type, required) = ("audioTrack", true)
        }
    }
}
