import ExactMath
package import MediaTime
package import Outputs

/// Shares a film's limit of the bit rate out among its chunks, which are encoded without knowing each other.
///
/// A decoder's buffer of B bits fills at R bits a second, and each frame takes its own bits out. A chunk of T seconds
/// that keeps to a buffer of b bits and a rate r takes at most r·T + b, and at most b more than came since any moment
/// within. So where W bits are there at its start whatever came before, min(B − b, W + (R − r)·T − b) are at its end,
/// and never fewer than none in between if b ≤ W and r ≤ R. The film is held to the limit as a whole, at the price of
/// rates that are some hundredths below it.
package struct RateBudget {
    private let limit: RateLimit
    /// The bits that are in the buffer for certain.
    private var certain: Int

    /// A budget whose buffer is nine tenths full: decoders begin then.
    package init(_ limit: RateLimit) {
        self.limit = limit
        certain = limit.buffer / 10 * 9
    }

    /// The part of the limit for the next chunk, which lasts so many seconds.
    package mutating func take(_ duration: Rational) -> RateLimit {
        let seconds = max(duration.double, 1e-5)
        let income = Double(limit.rate) * seconds
        let buffer = min(Double(certain), max(0.15 * income, 0.35 * Double(certain)))
        let debt = max(0, 0.74 * Double(limit.buffer) - Double(certain)) / 4
        let rate = max(0.5 * Double(limit.rate), Double(limit.rate) - (buffer + debt) / seconds)
        let part = RateLimit(rate: max(1, Int(rate)), buffer: max(1, Int(buffer)))
        let left = Double(certain) + income - Double(part.rate) * seconds - Double(part.buffer)
        certain = Int(left.held(in: 0...Double(limit.buffer - part.buffer)))
        return part
    }

    /// The bits that chunks of such lengths, in seconds, take of the limit together at most.
    static func mostBits(_ limit: RateLimit, _ chunks: [Rational]) -> Double {
        var budget = RateBudget(limit)
        return chunks.reduce(0) { sum, duration in
            let part = budget.take(duration)
            return sum + Double(part.rate) * duration.double + Double(part.buffer)
        }
    }
}
