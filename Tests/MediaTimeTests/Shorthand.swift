import MediaTime

func time(_ value: Int64, _ timescale: Int32) -> MediaTime { MediaTime(value: value, timescale: timescale) }

func range(_ start: MediaTime, _ duration: MediaTime) -> TimeRange { TimeRange(start: start, duration: duration) }

/// The stored fields, for tests in which `==` (which compares as fractions) would let too much pass.
struct Stored: Equatable, CustomStringConvertible {
    let value: Int64
    let timescale: Int32
    let rounded: Bool

    init(_ value: Int64, _ timescale: Int32, rounded: Bool = false) {
        self.value = value
        self.timescale = timescale
        self.rounded = rounded
    }

    init(_ time: MediaTime) {
        self.init(time.value, time.timescale, rounded: time.hasBeenRounded)
    }

    var description: String { "\(value)/\(timescale)\(rounded ? " rounded" : "")" }
}

/// A fixed sequence of numbers: every run tests the same cases (SplitMix64).
struct FixedRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Small, large and extreme values alike.
    mutating func value() -> Int64 {
        Int64(bitPattern: next()) >> Int64.random(in: 0...62, using: &self)
    }

    mutating func timescale() -> Int32 {
        let usual: [Int32] = [1, 24, 25, 600, 1001, 24000, 30000, 44100, 48000, 90000, 1_000_000_000, .max]
        if Bool.random(using: &self) { return usual[Int.random(in: 0..<usual.count, using: &self)] }
        return Int32.random(in: 1 ... .max, using: &self) >> Int32.random(in: 0...20, using: &self) | 1
    }
}
