/// 128 bits that name one lease and no other.
package struct LeaseID: Sendable, Hashable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The id in 16 bytes, big-endian; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        (high, low) = (0, 0)
        for byte in bytes.prefix(8) { high = high << 8 | UInt64(byte) }
        for byte in bytes.dropFirst(8) { low = low << 8 | UInt64(byte) }
    }

    package var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
    }
}

/// The seeded counter from which a brain takes its lease ids; the hands seed it with 128 random bits at each start, so
/// that ids differ over restarts too.
package struct LeaseSource: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private var counter: UInt64 = 0

    package init(seedHigh: UInt64, seedLow: UInt64) { (high, low) = (seedHigh, seedLow) }

    package mutating func next() -> LeaseID {
        counter &+= 1
        return LeaseID(high: Self.mix(high &+ counter &* 0x9E37_79B9_7F4A_7C15), low: Self.mix(low ^ counter))
    }

    /// SplitMix64's finalizer: a bijection, so the ids of one seed never repeat.
    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// One attempt at one task, which every message about it names. Only the current one of a task may commit.
package struct Holding: Sendable, Hashable {
    package var job: String
    package var task: Int
    /// The number of the task's lease, from 1; one higher with every lease.
    package var epoch: Int
    package var lease: LeaseID

    package init(job: String, task: Int, epoch: Int, lease: LeaseID) {
        self.job = job
        self.task = task
        self.epoch = epoch
        self.lease = lease
    }
}
