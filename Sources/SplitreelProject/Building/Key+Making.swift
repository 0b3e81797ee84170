import JSONText
public import MediaTime

extension Key {
    /// The value from a time of the composition on, until the next key.
    public static func at(_ time: MediaTime, _ value: Value) -> Key { Key(at: time, value: value) }

    /// The value from the start on.
    public static func constant(_ value: Value) -> Key { Key(at: .zero, value: value) }

    /// The way from one value to another over a range of the composition; the second stays after it.
    ///
    /// - Parameter easing: the pace; nil for linear.
    public static func ramp(_ range: TimeRange, from: Value, to: Value, easing: Easing? = nil) -> Key {
        var key = Key(range: range, from: from, to: to)
        key.easing = easing
        return key
    }
}

extension NumberPair {
    /// Makes a pair of one number for both axes.
    public init(_ both: Double) { self.init(both, both) }
}

extension TransformAnchor {
    /// Makes an anchor of a point in the picture's display pixels.
    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

extension SoundRoutes: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Makes one route, to a sound track of the output by its place from 1.
    public init(integerLiteral number: Int) { self.init([.number(number)]) }

    /// Makes one route, to a sound track of the output by its name.
    public init(stringLiteral name: String) { self.init([.name(name)]) }
}

extension FontList: ExpressibleByStringLiteral {
    /// Makes a list of a name, or of several with commas between.
    public init(stringLiteral text: String) {
        self.init(text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty })
    }
}

extension FontWeight: ExpressibleByIntegerLiteral {
    /// The weight of most text, 400.
    public static let regular = FontWeight(400)
    /// The weight of what stands out, 700.
    public static let bold = FontWeight(700)

    /// Makes a weight of a number, 1…1000.
    public init(integerLiteral number: Int) { self.init(number) }
}

extension Padding: ExpressibleByFloatLiteral {
    /// Makes the room on four sides, in the layer's units.
    public init(top: Double, right: Double, bottom: Double, left: Double) {
        (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    /// Makes the same room on all sides.
    public init(floatLiteral room: Double) { self.init(top: room, right: room, bottom: room, left: room) }
}

extension ProjectRate: ExpressibleByIntegerLiteral {
    /// Makes a rate of pictures a second, such as 30000/1001.
    public init(_ rate: Rational) {
        let isWhole = rate.denominator == 1
        self.init(
            json: isWhole
                ? .integer(Int64(clamping: rate.numerator)) : .string("\(rate.numerator)/\(rate.denominator)"),
            exact: rate)
    }

    /// Makes a rate of whole pictures a second.
    public init(integerLiteral rate: Int) { self.init(Rational(rate)) }
}

extension ExactNumber: ExpressibleByIntegerLiteral {
    /// Makes a number of a fraction, such as 24/25: at most a million, or a fraction of whole numbers up to 10^9.
    public init(_ number: Rational) {
        let isWhole = number.denominator == 1
        self.init(
            json: isWhole
                ? .integer(Int64(clamping: number.numerator)) : .string("\(number.numerator)/\(number.denominator)"),
            exact: number)
    }

    /// Makes a whole number.
    public init(integerLiteral number: Int) { self.init(Rational(number)) }
}

extension RepeatCount: ExpressibleByIntegerLiteral {
    /// The count of what plays for ever.
    public static let forever = RepeatCount(json: .string("inf"), exact: nil)

    /// Makes a count of whole plays.
    public init(integerLiteral count: Int) { self.init(json: .integer(Int64(count)), exact: Rational(count)) }
}

extension AnimationTiming {
    /// Makes a pace for all of an animation.
    public init(_ easing: Easing) { self.init(json: easing.json, paces: [easing], isForEachWay: false) }

    /// Makes a pace for each way between two values.
    public init(forEachWay easings: [Easing]) {
        self.init(json: easings.json, paces: easings, isForEachWay: true)
    }
}
