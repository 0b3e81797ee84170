import MediaTime

/// The asset times in seconds that a reader will be asked for.
struct ExpectedTimes {
    private var times: Set<Rational> = []

    /// The longest time between two frames that counts as one stretch, in seconds: what lies in a longer one is not
    /// wanted.
    private static let gap = Rational(1)

    mutating func add(_ time: Rational) { times.insert(time) }

    /// The first and the last time of each stretch, in their order.
    var spans: [(first: Rational, last: Rational)] {
        var spans: [(first: Rational, last: Rational)] = []
        for time in times.sorted() {
            if let end = spans.last?.last, time - end <= Self.gap {
                spans[spans.count - 1].last = time
            } else {
                spans.append((first: time, last: time))
            }
        }
        return spans
    }
}
