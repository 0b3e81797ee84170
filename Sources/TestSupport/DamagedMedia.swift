import Foundation

/// Films with faults put into them by a seed: the same seed gives the same faults.
package enum DamagedMedia {
    package enum Fault: String, CaseIterable, Sendable { case bits, hole }

    /// Copies of a film with 40 flipped bits, or with a hole of zeros of up to 4 KiB, off its first and last tenth,
    /// where containers keep what all of the film depends on.
    package static func write(_ fault: Fault, seed: UInt64, from source: String, to file: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
        var random = SeededNumbers(seed: seed)
        let (start, end) = (bytes.count / 10, bytes.count * 9 / 10)
        switch fault {
        case .bits:
            for _ in 0..<40 {
                let place = random.next(in: start..<end)
                bytes[place] ^= 1 << UInt8(random.next(in: 0..<8))
            }
        case .hole:
            let length = min(4096, (end - start) / 4)
            let place = random.next(in: start..<(end - length))
            bytes.replaceSubrange(place..<(place + length), with: Data(count: length))
        }
        try bytes.write(to: URL(fileURLWithPath: file))
    }
}

/// SplitMix64: numbers that a seed alone decides.
package struct SeededNumbers {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    package mutating func next(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }
}
