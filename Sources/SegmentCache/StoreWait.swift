/// The time that renders lose by waiting for a store, of which several answers are in hand at a time: a second in which
/// several are waited for is lost once. Confined to whoever holds the lock around it.
///
/// Time is counted from one end of an answer to the next. What counts as lost of it is what is longer than a second and
/// the time for the bytes that are in hand; so answers that come one after another lose what each of them takes too
/// long.
package struct StoreWait: Sendable {
    /// The time for the bytes of each answer that is in hand, by its number.
    private var inHand: [Int: Duration] = [:]
    private var lastNumber = 0
    /// The last time at which an answer ended, or where none was in hand, at which one was begun.
    private var since = ContinuousClock.now
    /// The time that the bytes in hand may still take.
    private var left = Duration.zero
    /// The time that was lost since this was made, or forgotten.
    package private(set) var lost = Duration.zero

    /// The time that any answer may take, and below it the bytes in a second.
    private static let usual = Duration.seconds(1)
    private static let leastRate = 1 << 20
    /// The most time for the bytes of one answer: a store may tell any length.
    private static let longest = Duration.seconds(3600)

    package init() {}

    /// Begins to wait for an answer of so many bytes; answers the number by which it is ended.
    package mutating func begin(_ byteCount: Int, at now: ContinuousClock.Instant) -> Int {
        if inHand.isEmpty { (since, left) = (now, .zero) }
        lastNumber += 1
        let time = min(.seconds(byteCount / Self.leastRate), Self.longest)
        inHand[lastNumber] = time
        left += time
        return lastNumber
    }

    /// Ends waiting for an answer. Where it did not come in full no time is counted: the store is left alone then.
    package mutating func end(_ number: Int, isWhole: Bool, at now: ContinuousClock.Instant) {
        guard inHand.removeValue(forKey: number) != nil else { return }
        let still = inHand.values.reduce(.zero, +)
        guard isWhole else {
            left = min(left, still)
            return
        }
        let took = max(.zero, now - since - Self.usual)
        lost += max(.zero, took - left)
        // An answer that came soon leaves no time to later ones.
        left = min(max(.zero, left - took), still)
        since = now
    }

    /// The moment at which all that is in hand is given up, where no answer ends before and none is begun.
    package func due(after patience: Duration) -> ContinuousClock.Instant { since + patience + left }

    /// Counts the time that is lost anew.
    package mutating func forget() { lost = .zero }
}
