/// A time or a length of time: an exact fraction of seconds, or a special value.
///
/// The rules are those of Core Media's CMTime. A numeric time is `value / timescale` seconds with `timescale` > 0; it
/// is stored as given and never reduced, so `1/2` and `300/600` are equal, hash alike, and still print as written.
/// Arithmetic uses 128-bit intermediates and never passes through floating point. No operation traps: what has no
/// answer is `.invalid`, and what is too large is infinite.
public struct MediaTime: Sendable {
    /// The count of `timescale`ths of a second; 0 for special values.
    public let value: Int64
    /// The parts of a second, from 1 to `Int32.max`; 0 for special values.
    public let timescale: Int32
    /// The kind of the time, and whether it was rounded.
    public let flags: Flags
    /// The timeline that the time belongs to; 0 for durations and for everything that has only one timeline.
    public let epoch: Int64

    /// The kind of a time, and whether it was rounded; raw values are Core Media's.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits of the flags that are set, from 0 to 31.
        public let rawValue: UInt32
        /// Makes flags of Core Media's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The time means something; without this flag it is `.invalid`.
        public static let valid = Flags(rawValue: 1)
        /// The time is not exact, see `hasBeenRounded`.
        public static let rounded = Flags(rawValue: 2)
        /// The time is +∞.
        public static let positiveInfinity = Flags(rawValue: 4)
        /// The time is −∞.
        public static let negativeInfinity = Flags(rawValue: 8)
        /// The time is not known, such as a live stream's end.
        public static let indefinite = Flags(rawValue: 16)
        /// The flags of which any one makes the other fields meaningless.
        public static let impliedValue: Flags = [.positiveInfinity, .negativeInfinity, .indefinite]
    }

    /// Makes `value / timescale` seconds of epoch 0; a timescale below 1 gives `.invalid`.
    public init(value: Int64, timescale: Int32) {
        self.init(value: value, timescale: timescale, epoch: 0, rounded: false)
    }

    /// Makes `value / timescale` seconds of an epoch; a timescale below 1 gives `.invalid`.
    public init(value: Int64, timescale: Int32, epoch: Int64, rounded: Bool = false) {
        guard timescale > 0 else {
            self = .invalid
            return
        }
        self.value = value
        self.timescale = timescale
        self.epoch = epoch
        flags = rounded ? [.valid, .rounded] : .valid
    }

    /// Makes `value / timescale` seconds, such as `MediaTime(1, 25)`; a timescale that is not in 1…`Int32.max` gives
    /// `.invalid`.
    public init(_ value: Int, _ timescale: Int) {
        self.init(value: Int64(value), timescale: Int32(exactly: timescale) ?? 0)
    }

    /// A whole number of seconds, such as `.seconds(2)`, in timescale 1.
    public static func seconds(_ count: Int) -> MediaTime { MediaTime(value: Int64(count), timescale: 1) }

    init(special flags: Flags) {
        value = 0
        timescale = 0
        epoch = 0
        self.flags = flags
    }

    /// The time 0 in timescale 1.
    public static let zero = MediaTime(value: 0, timescale: 1)
    /// The time that means nothing: the answer where there is none.
    public static let invalid = MediaTime(special: [])
    /// The time that nobody knows. It is later than all numeric times, and earlier than +∞.
    public static let indefinite = MediaTime(special: [.valid, .indefinite])
    /// The time that is later than all others that are valid.
    public static let positiveInfinity = MediaTime(special: [.valid, .positiveInfinity])
    /// The time that is earlier than all others.
    public static let negativeInfinity = MediaTime(special: [.valid, .negativeInfinity])

    /// Whether the time means something: it is a number, infinite or indefinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is valid, and neither infinite nor indefinite.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValue) }
    /// Whether the time is valid, and nobody knows it.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether the time is +∞.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is −∞.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether the time is +∞ or −∞.
    public var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }
    /// Whether some step on the way to this time lost exactness; sticky through arithmetic.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.rounded) }

    /// The time in seconds, for display only. It is NaN for invalid and indefinite times; the epoch is ignored.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        if isInfinite { return isPositiveInfinity ? .infinity : -.infinity }
        return .nan
    }
}

extension MediaTime: Comparable, Hashable {
    /// The order is −inf < finite < indefinite < +inf < invalid; equal kinds are equal. A greater epoch is later.
    public static func < (left: MediaTime, right: MediaTime) -> Bool { compare(left, right) < 0 }

    /// Whether both are the same fraction of the same epoch, or special values of one kind. The scale and the rounded
    /// flag do not count.
    public static func == (left: MediaTime, right: MediaTime) -> Bool { compare(left, right) == 0 }

    /// The hash agrees with `==`: the fraction is hashed in lowest terms, the rounded flag not at all.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(order)
        guard isNumeric else { return }
        let divisor = greatestCommonDivisor(Int128(value).magnitude, UInt128(timescale.magnitude))
        hasher.combine(Int128(value) / Int128(divisor))
        hasher.combine(Int128(timescale) / Int128(divisor))
        hasher.combine(epoch)
    }

    private var order: Int {
        if !isValid { return 4 }
        if isPositiveInfinity { return 3 }
        if isIndefinite { return 2 }
        return isNegativeInfinity ? 0 : 1
    }

    private static func compare(_ left: MediaTime, _ right: MediaTime) -> Int {
        guard left.isNumeric, right.isNumeric else { return sign(of: left.order, minus: right.order) }
        guard left.epoch == right.epoch else { return sign(of: left.epoch, minus: right.epoch) }
        return sign(
            of: Int128(left.value) * Int128(right.timescale), minus: Int128(right.value) * Int128(left.timescale))
    }

    private static func sign<Number: Comparable>(of left: Number, minus right: Number) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }
}
