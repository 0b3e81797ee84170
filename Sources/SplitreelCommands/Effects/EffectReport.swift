import SplitreelProject

/// The document of `effects --json`.
struct EffectList: Encodable {
    var effects: [EffectReport]
}

struct EffectReport: Encodable {
    struct Parameter: Encodable {
        var name: String
        /// The parameter's type: `number`, `numbers`, `color`, `points`, `word`, `flag`, `picture`, `track`, `file`,
        /// `sound`, `audioTrack` or `audioTracks`.
        var type: String
        var summary: String
        /// The unit: pixels, degrees, seconds, stops, kelvin, decibels, Hz; absent for a plain number.
        var unit: String?
        /// The least and the greatest of each number; the seconds of a sound.
        var range: [Double]?
        /// The number of its numbers, or of those of each of its points; absent for one.
        var count: Int?
        /// The least number of points.
        var least: Int?
        var words: [String]?
        /// The kind of asset that it names.
        var asset: String?
        /// Whether a list of keys may move it.
        var keys: Bool
        /// Whether it must be said; absent where it need not be.
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
    /// The pixels that an effect on a layer works on, `picture` or `canvas`; absent for others.
    var space: String?
    var parameters: [Parameter]
    /// Whether composition time changes its picture, though nothing else does.
    var usesTime: Bool
    /// The numbers of output frames before and after a frame that it sees besides.
    var framesBehind: Int
    var framesAhead: Int

    init(_ effect: EffectDescription) {
        id = effect.id
        version = effect.version
        kind = effect.kind.rawValue
        summary = effect.summary
        space = effect.kind == .effect ? effect.space.rawValue : nil
        parameters = effect.parameters.map(Parameter.init)
        usesTime = effect.usesTime
        framesBehind = effect.framesBehind
        framesAhead = effect.framesAhead
    }
}

extension EffectReport.Parameter {
    init(_ parameter: EffectParameter) {
        name = parameter.name
        type = ""
        summary = parameter.summary
        keys = false
        unit = parameter.unit == .none ? nil : parameter.unit.rawValue
        switch parameter.kind {
        case .numbers(let range, let numbers):
            type = numbers.count == 1 ? "number" : "numbers"
            keys = !parameter.isFixed
            self.range = [range.lowerBound, range.upperBound]
            if numbers.count == 1 { fallback = .number(numbers[0]) } else { fallback = .numbers(numbers) }
            count = numbers.count == 1 ? nil : numbers.count
        case .colour(let numbers):
            type = "color"
            keys = true
            self.range = [0, 1]
            fallback = .numbers(numbers)
        case .table(let width, let range, let points):
            type = "points"
            self.range = [range.lowerBound, range.upperBound]
            count = width
            least = points
        case .word(let words, let word):
            type = "word"
            self.words = words
            fallback = .word(word)
        case .flag(let flag):
            type = "flag"
            fallback = .flag(flag)
        case .picture(let isRequired):
            type = "picture"
            required = isRequired ? true : nil
        case .track(let isRequired):
            type = "track"
            required = isRequired ? true : nil
        case .file(let kind):
            type = "file"
            asset = kind.rawValue
            required = true
        case .sound(let longest):
            type = "sound"
            self.range = [0, Double(longest)]
            required = true
        case .audioTrack:
            type = "audioTrack"
            required = parameter.alternative == nil ? true : nil
        case .audioTracks:
            type = "audioTracks"
        case .value:
            type = "value"
        case .requiredTracks:
            type = "requiredTracks"
        }
    }
}
