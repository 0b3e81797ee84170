import MediaTime
import TestTools

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

extension SeededNumbers {
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
