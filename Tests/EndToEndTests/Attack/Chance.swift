import Foundation
import TestTools

/// Random numbers that are the same on every machine.
struct Chance: RandomNumberGenerator {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    /// True once in `count`.
    mutating func once(in count: Int) -> Bool { below(count) == 0 }

    /// 0 to `limit` − 1; 0 for a limit below 1.
    mutating func below(_ limit: Int) -> Int { limit < 1 ? 0 : Int(next() % UInt64(limit)) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    /// Another byte sequence: bytes flipped, cut out, put in, set to extremes, moved or cut off.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        guard !bytes.isEmpty else { return self.bytes(1 + below(40)) }
        for _ in 0..<(1 + below(4)) where !bytes.isEmpty {
            let at = below(bytes.count)
            switch below(7) {
            case 0: bytes[at] ^= 1 << UInt8(below(8))
            case 1: bytes[at] = pick([0, 1, 0x7f, 0x80, 0xff])
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + 1 + below(16)))
            case 3: bytes.insert(contentsOf: self.bytes(1 + below(16)), at: at)
            case 4: bytes.replaceSubrange(at..<min(bytes.count, at + 4), with: pick(Self.words))
            case 5: bytes.insert(contentsOf: Array(bytes[at..<min(bytes.count, at + 32)]), at: below(at))
            default: bytes = Array(bytes[..<at])
            }
        }
        return bytes
    }

    /// Four bytes that sizes, times and counts are made of.
    private static let words: [[UInt8]] = [
        [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0],
        [0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0x80],
    ]
}

/// How much of the attack is made: a short form for every run, the long one with `SPLITREEL_ATTACK=full`
/// (`make attack`). `SPLITREEL_ATTACK_SEED` chooses other dice.
enum AttackScale {
    static let isFull = ProcessInfo.processInfo.environment["SPLITREEL_ATTACK"] == "full"
    static let seed = ProcessInfo.processInfo.environment["SPLITREEL_ATTACK_SEED"].flatMap(UInt64.init) ?? 5
    /// For each of two transports.
    static let messages = isFull ? 500_000 : 2_000
    static let compositions = isFull ? 1_000 : 20
    static let media = isFull ? 500 : 8
}
