/// The bytes of sources that workers did not see and had sent for a job. Pictures are read in blocks, and sound in
/// smaller parts, so that each is told by itself.
package struct SourceBytes: Sendable, Hashable, Codable {
    /// The bytes of the blocks that were read for pictures, each once for a worker's slot.
    package var needed: Int
    /// The bytes that came of them, those that came in vain too.
    package var fetched: Int
    /// The bytes of the parts that were read for sound, and below it those that came.
    package var soundNeeded: Int
    package var soundFetched: Int

    package init(needed: Int = 0, fetched: Int = 0, soundNeeded: Int = 0, soundFetched: Int = 0) {
        self.needed = max(0, needed)
        self.fetched = max(0, fetched)
        self.soundNeeded = max(0, soundNeeded)
        self.soundFetched = max(0, soundFetched)
    }

    /// Whether nothing was read from afar.
    package var isNone: Bool { self == SourceBytes() }

    /// Adds others; sums stay at the largest number, since other processes tell them.
    package mutating func add(_ others: SourceBytes) {
        needed = Self.sum(needed, others.needed)
        fetched = Self.sum(fetched, others.fetched)
        soundNeeded = Self.sum(soundNeeded, others.soundNeeded)
        soundFetched = Self.sum(soundFetched, others.soundFetched)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isOver) = a.addingReportingOverflow(b)
        return isOver ? .max : sum
    }
}
