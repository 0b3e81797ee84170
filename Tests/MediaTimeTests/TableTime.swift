import MediaTime

/// A time by the table of Core Media's rules, written out once more: plain fields, and 128-bit integers for what is
/// between them. It shares nothing with `MediaTime` but its fields.
struct TableTime {
    enum Kind: Int { case negativeInfinity, number, indefinite, positiveInfinity, invalid }

    var kind: Kind
    var value: Int64 = 0
    var scale: Int32 = 0
    var epoch: Int64 = 0
    var rounded = false

    init(_ kind: Kind) { self.kind = kind }

    init(_ value: Int64, _ scale: Int32, epoch: Int64 = 0, rounded: Bool = false) {
        kind = scale > 0 ? .number : .invalid
        guard scale > 0 else { return }
        (self.value, self.scale, self.epoch, self.rounded) = (value, scale, epoch, rounded)
    }

    /// The time as the module has it.
    var time: MediaTime {
        switch kind {
        case .number: MediaTime(value: value, timescale: scale, epoch: epoch, rounded: rounded)
        case .negativeInfinity: .negativeInfinity
        case .positiveInfinity: .positiveInfinity
        case .indefinite: .indefinite
        case .invalid: .invalid
        }
    }

    var isInfinite: Bool { kind == .negativeInfinity || kind == .positiveInfinity }

    /// Whether the module's time has these very fields.
    func isStored(_ other: MediaTime) -> Bool {
        let flags: UInt32 =
            switch kind {
            case .number: rounded ? 3 : 1
            case .positiveInfinity: 5
            case .negativeInfinity: 9
            case .indefinite: 17
            case .invalid: 0
            }
        return other.flags.rawValue == flags && other.value == value && other.timescale == scale
            && other.epoch == epoch
    }

    /// Whether the module's time is the same one, in whatever scale.
    func isSame(_ other: MediaTime) -> Bool {
        guard kind == .number else { return isStored(other) }
        return other.isNumeric && other.epoch == epoch
            && Int128(value) * Int128(other.timescale) == Int128(other.value) * Int128(scale)
    }
}

// MARK: rounding

/// `numerator / denominator` in ticks of `1 / scale`, to the nearest, halves away from zero; nil beyond 2^64 seconds.
/// The denominator is at most 2^94.
func nearestTick(_ numerator: Int128, _ denominator: Int128, _ scale: Int128) -> (ticks: Int128, isExact: Bool)? {
    let size = numerator < 0 ? -numerator : numerator
    let (whole, rest) = (size / denominator, size % denominator)
    guard whole < 1 << 64 else { return nil }
    let ticks = whole * scale + (2 * rest * scale + denominator) / (2 * denominator)
    return (numerator < 0 ? -ticks : ticks, rest * scale % denominator == 0)
}

func divisor(_ left: Int128, _ right: Int128) -> Int128 {
    var (large, small) = (left < 0 ? -left : left, right)
    while small > 0 { (large, small) = (small, large % small) }
    return large
}

extension TableTime {
    /// The rule of overflow: the scale is halved until the value fits or it is 1, then the time is infinite.
    static func halving(
        _ numerator: Int128, _ denominator: Int128, _ scale: Int32, epoch: Int64 = 0, rounded: Bool = false
    ) -> TableTime {
        var scale = scale
        while scale >= 1 {
            if let (ticks, isExact) = nearestTick(numerator, denominator, Int128(scale)),
                ticks >= Int128(Int64.min), ticks <= Int128(Int64.max)
            {
                return TableTime(Int64(ticks), scale, epoch: epoch, rounded: rounded || !isExact)
            }
            scale >>= 1
        }
        return TableTime(numerator < 0 ? .negativeInfinity : .positiveInfinity)
    }

    /// The first of some scales in which the fraction is exact, else lowest terms, else the finest scale that fits.
    static func exact(
        _ numerator: Int128, _ denominator: Int128, in scales: [Int128], epoch: Int64, rounded: Bool
    ) -> TableTime {
        let common = divisor(numerator, denominator)
        let (top, bottom) = (numerator / common, denominator / common)
        for scale in scales + [bottom] where scale % bottom == 0 && scale <= Int128(Int32.max) {
            let (ticks, overflow) = top.multipliedReportingOverflow(by: scale / bottom)
            guard !overflow, ticks >= Int128(Int64.min), ticks <= Int128(Int64.max) else { continue }
            return TableTime(Int64(ticks), Int32(scale), epoch: epoch, rounded: rounded)
        }
        return halving(top, bottom, .max, epoch: epoch, rounded: rounded)
    }

    func converted(_ to: Int32, _ method: RoundingMethod) -> TableTime {
        guard kind == .number else { return self }
        guard to > 0 else { return TableTime(.invalid) }
        let (exact, from) = (Int128(value) * Int128(to), Int128(scale))
        // Down to the next whole number, and up to it.
        let down = exact / from - (exact % from < 0 ? 1 : 0)
        let up = down + (exact % from == 0 ? 0 : 1)
        let (near, far) = value < 0 ? (up, down) : (down, up)
        let twice = 2 * (exact - down * from)
        let result =
            switch method {
            case .halfAwayFromZero: twice == from ? far : twice < from ? down : up
            case .towardZero: near
            case .awayFromZero: far
            case .towardPositiveInfinity: up
            case .towardNegativeInfinity: down
            case .quickTime: to < scale ? (near == 0 && value < 0 ? -1 : near) : far
            }
        guard let ticks = Int64(exactly: result) else {
            return TableTime(value < 0 ? .negativeInfinity : .positiveInfinity)
        }
        return TableTime(ticks, to, epoch: epoch, rounded: rounded || result * from != exact)
    }
}

// MARK: arithmetic

extension TableTime {
    static func + (left: TableTime, right: TableTime) -> TableTime {
        if left.kind == .invalid || right.kind == .invalid { return TableTime(.invalid) }
        if left.isInfinite, right.isInfinite { return left.kind == right.kind ? left : TableTime(.invalid) }
        if left.isInfinite { return left }
        if right.isInfinite { return right }
        if left.kind == .indefinite || right.kind == .indefinite { return TableTime(.indefinite) }
        var epoch = left.epoch
        if left.epoch == 0 {
            epoch = right.epoch
        } else if right.epoch == left.epoch {
            epoch = 0
        } else if right.epoch != 0 {
            return TableTime(.invalid)
        }
        let (a, b) = (Int128(left.scale), Int128(right.scale))
        let common = a * b / divisor(a, b)
        return halving(
            Int128(left.value) * (common / a) + Int128(right.value) * (common / b), common,
            common > Int128(Int32.max) ? .max : Int32(common), epoch: epoch, rounded: left.rounded || right.rounded)
    }

    /// The difference: 128 bits hold what 64 do not, so that the negative of -2^63 is no case of its own.
    static func - (left: TableTime, right: TableTime) -> TableTime {
        guard left.kind == .number, right.kind == .number else { return left + right.opposite }
        guard left.epoch == right.epoch || left.epoch == 0 || right.epoch == 0 else { return TableTime(.invalid) }
        let (a, b) = (Int128(left.scale), Int128(right.scale))
        let common = a * b / divisor(a, b)
        return halving(
            Int128(left.value) * (common / a) - Int128(right.value) * (common / b), common,
            common > Int128(Int32.max) ? .max : Int32(common),
            epoch: left.epoch == right.epoch ? 0 : left.epoch == 0 ? right.epoch : left.epoch,
            rounded: left.rounded || right.rounded)
    }

    /// The other infinity; numbers are negated by `times`.
    var opposite: TableTime {
        switch kind {
        case .positiveInfinity: TableTime(.negativeInfinity)
        case .negativeInfinity: TableTime(.positiveInfinity)
        default: self
        }
    }

    /// What a time that is no number gives times something of a sign.
    private func special(_ sign: Int) -> TableTime {
        guard isInfinite else { return self }
        return sign == 0 ? TableTime(.invalid) : sign > 0 ? self : opposite
    }

    func times(_ factor: Int) -> TableTime {
        guard kind == .number else { return special(factor.signum()) }
        return .halving(Int128(value) * Int128(factor), Int128(scale), scale, epoch: epoch, rounded: rounded)
    }

    func times(_ factor: Int, over divisor: Int) -> TableTime {
        guard kind == .number else { return special(factor.signum() * (divisor < 0 ? -1 : 1)) }
        let numerator = Int128(value) * Int128(factor) * (divisor < 0 ? -1 : 1)
        guard divisor != 0 else {
            return TableTime(numerator == 0 ? .invalid : numerator < 0 ? .negativeInfinity : .positiveInfinity)
        }
        let own = Int128(scale)
        let size = Int128(divisor.magnitude)
        let finer = own * (size / MediaTimeTests.divisor(Int128(factor), size))
        return .exact(numerator, own * size, in: [own, finer], epoch: epoch, rounded: rounded)
    }

    /// The time `factor / 2^halvings` times, as a Double has it.
    func times(_ factor: Int32, halved halvings: Int) -> TableTime {
        guard kind == .number else { return special(Int(factor.signum())) }
        var doubled = scale
        while doubled < 65536 { doubled *= 2 }
        return .halving(
            Int128(value) * Int128(factor), Int128(scale) << Int128(halvings), doubled, epoch: epoch, rounded: rounded)
    }

    var absolute: TableTime {
        if kind == .number { return value < 0 ? times(-1) : self }
        return kind == .negativeInfinity ? opposite : self
    }

    /// -1, 0 or 1, as the first is before, at or after the second.
    static func compare(_ left: TableTime, _ right: TableTime) -> Int {
        guard left.kind == .number, right.kind == .number else {
            return (left.kind.rawValue - right.kind.rawValue).signum()
        }
        if left.epoch != right.epoch { return left.epoch < right.epoch ? -1 : 1 }
        return Int((Int128(left.value) * Int128(right.scale) - Int128(right.value) * Int128(left.scale)).signum())
    }

    static func < (left: TableTime, right: TableTime) -> Bool { compare(left, right) < 0 }
    static func <= (left: TableTime, right: TableTime) -> Bool { compare(left, right) <= 0 }
    /// Of equal times the left one is the earlier, and the right one the later.
    static func earlier(_ left: TableTime, _ right: TableTime) -> TableTime { right < left ? right : left }
    static func later(_ left: TableTime, _ right: TableTime) -> TableTime { left <= right ? right : left }
}
