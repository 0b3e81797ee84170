import ExactMath
import JSONText
import MediaTime
import SplitreelProject

/// The value of an expression of a template.
enum TemplateValue: Sendable, Hashable {
    case number(Double)
    /// A time in exact seconds.
    case time(Rational)
    case text(String)
    case lines([String])
    /// A value that is only handed on: a colour, fonts.
    case json(JSONValue)
    /// A parameter that was not said and has no default.
    case none

    /// Whether the value holds as a condition: not 0, not empty.
    var isTrue: Bool {
        switch self {
        case .number(let number): number != 0
        case .time(let time): time != .zero
        case .text(let text): !text.isEmpty
        case .lines(let lines): !lines.isEmpty
        case .json: true
        case .none: false
        }
    }

    /// The value as JSON; nil where it is left out.
    var json: JSONValue? {
        switch self {
        // Numbers are rounded to a millionth: enough for pixels, and short for people.
        case .number(let number): JSONValue((number * 1_000_000).rounded() / 1_000_000)
        case .time(let time): time.plainTime.json
        case .text(let text): .string(text)
        case .lines(let lines): lines.json
        case .json(let json): json
        case .none: nil
        }
    }
}

/// A reader that computes an expression of a template, such as `min(0.4s, duration / 4)`.
///
/// An expression has numbers (`0.5`), times (`2s`, exact), texts (`'left'`), names, `+ - * /`, `= < >` (1 or 0),
/// parentheses and functions: `min`, `max`, `if(condition, this, that)`, `ceil`, `sqrt`, `count` (of lines, or of a
/// text's characters), `str` (a whole number as text), `seconds` (a number as a time). A number that makes a time of a
/// time counts in thousandths, so that times stay exact. Expressions come with the program; a fault in one is thrown.
struct TemplateExpression {
    private var rest: Substring
    private let names: [String: TemplateValue]
    private var depth = 0

    static func value(
        of text: some StringProtocol, _ names: [String: TemplateValue]
    ) throws(TemplateFault) -> TemplateValue {
        var expression = TemplateExpression(rest: Substring(text), names: names)
        let value = try expression.comparison()
        guard expression.next == nil else { throw .wrong("`\(text)`: nothing is known of `\(expression.rest)`") }
        return value
    }

    private init(rest: Substring, names: [String: TemplateValue]) { (self.rest, self.names) = (rest, names) }

    private var next: Character? {
        mutating get {
            rest = rest.drop { $0 == " " }
            return rest.first
        }
    }

    private mutating func take(_ characters: String) -> Character? {
        guard let character = next, characters.contains(character) else { return nil }
        rest.removeFirst()
        return character
    }

    // MARK: Grammar

    private mutating func comparison() throws(TemplateFault) -> TemplateValue {
        depth += 1
        defer { depth -= 1 }
        guard depth < 32 else { throw .wrong("an expression is too deep") }
        let left = try sum()
        guard let sign = take("=<>") else { return left }
        let right = try sum()
        switch (sign, left, right) {
        case ("=", _, _): return .number(left == right ? 1 : 0)
        case ("<", .number(let a), .number(let b)): return .number(a < b ? 1 : 0)
        case (">", .number(let a), .number(let b)): return .number(a > b ? 1 : 0)
        case ("<", .time(let a), .time(let b)): return .number(a < b ? 1 : 0)
        case (">", .time(let a), .time(let b)): return .number(b < a ? 1 : 0)
        default: throw .wrong("`\(sign)` compares two numbers or two times")
        }
    }

    private mutating func sum() throws(TemplateFault) -> TemplateValue {
        var value = try product()
        while let sign = take("+-") {
            let other = try product()
            switch (value, other) {
            case (.number(let a), .number(let b)): value = .number(sign == "+" ? a + b : a - b)
            case (.time(let a), .time(let b)): value = .time(sign == "+" ? a + b : a - b)
            default: throw .wrong("`\(sign)` is between two numbers or two times")
            }
        }
        return value
    }

    private mutating func product() throws(TemplateFault) -> TemplateValue {
        var value = try operand()
        while let sign = take("*/") {
            let other = try operand()
            switch (sign, value, other) {
            case ("*", .number(let a), .number(let b)): value = .number(a * b)
            case ("*", .time(let a), .number(let b)), ("*", .number(let b), .time(let a)):
                value = .time(a * thousandths(b))
            case ("/", .number(let a), .number(let b)) where b != 0: value = .number(a / b)
            case ("/", .time(let a), .time(let b)) where b != .zero: value = .number((a / b).double)
            case ("/", .time(let a), .number(let b)) where thousandths(b) != .zero: value = .time(a / thousandths(b))
            default: throw .wrong("`\(sign)` cannot stand between such values")
            }
        }
        return value
    }

    private func thousandths(_ number: Double) -> Rational {
        Rational(Int((number * 1000).rounded().held(in: -1e12...1e12)), 1000)
    }

    private mutating func operand() throws(TemplateFault) -> TemplateValue {
        guard let first = next else { throw .wrong("an expression ends too early") }
        if take("(") != nil {
            let value = try comparison()
            guard take(")") != nil else { throw .wrong("a parenthesis is open") }
            return value
        }
        if take("-") != nil {
            switch try operand() {
            case .number(let number): return .number(-number)
            case .time(let time): return .time(-time)
            default: throw .wrong("`-` stands before a number or a time")
            }
        }
        if take("'") != nil {
            let text = rest.prefix { $0 != "'" }
            rest = rest.dropFirst(text.count + 1)
            return .text(String(text))
        }
        if first.isNumber {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            if take("s") != nil, let time = MediaTime(text: digits + "s") { return .time(Rational(time)) }
            guard let number = Double(digits) else { throw .wrong("`\(digits)` is no number") }
            return .number(number)
        }
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        rest = rest.dropFirst(name.count)
        if take("(") != nil { return try call(name) }
        guard let value = names[name] else { throw .wrong("there is no `\(name)`") }
        return value
    }

    // MARK: Functions

    private mutating func call(_ name: String) throws(TemplateFault) -> TemplateValue {
        var values = [try comparison()]
        while take(",") != nil { values.append(try comparison()) }
        guard take(")") != nil else { throw .wrong("the parenthesis of \(name) is open") }
        switch (name, values.count, values[0], values[values.count - 1]) {
        case ("if", 3, let condition, let otherwise): return condition.isTrue ? values[1] : otherwise
        case ("min", 2, .number(let a), .number(let b)): return .number(Swift.min(a, b))
        case ("max", 2, .number(let a), .number(let b)): return .number(Swift.max(a, b))
        case ("min", 2, .time(let a), .time(let b)): return .time(Swift.min(a, b))
        case ("max", 2, .time(let a), .time(let b)): return .time(Swift.max(a, b))
        case ("ceil", 1, .number(let number), _): return .number(number.rounded(.up))
        case ("sqrt", 1, .number(let number), _) where number >= 0: return .number(number.squareRoot())
        case ("count", 1, .lines(let lines), _): return .number(Double(lines.count))
        case ("count", 1, .text(let text), _): return .number(Double(text.count))
        case ("str", 1, .number(let number), _): return .text(String(Int(number.rounded().held(in: -1e15...1e15))))
        case ("seconds", 1, .number(let number), _): return .time(thousandths(number))
        default: throw .wrong("\(name) takes no such values")
        }
    }
}
