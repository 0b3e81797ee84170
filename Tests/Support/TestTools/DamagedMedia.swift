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
