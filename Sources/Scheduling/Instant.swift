/// A point on a steady clock, in nanoseconds from an origin that the owner of the clock chose. May be negative.
package struct Instant: Sendable, Hashable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static let zero = Instant(nanoseconds: 0)

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    package static func + (a: Instant, b: Duration) -> Instant {
        Instant(nanoseconds: a.nanoseconds &+ b.nanoseconds)
    }

    package static func - (a: Instant, b: Instant) -> Duration { .nanoseconds(a.nanoseconds &- b.nanoseconds) }
}

extension Duration {
    /// The duration in whole nanoseconds; exact for less than 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    /// The duration in seconds, for display and for speeds; never for decisions about media time.
    package var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

/// Turns instants of one process's steady clock into wall-clock seconds since 1970 and back, by one fixed offset:
/// a wall clock that jumps moves no deadline.
package struct WallClock: Sendable, Hashable {
    /// The wall-clock seconds since 1970 at `Instant.zero`.
    package let origin: Double

    package init(origin: Double) { self.origin = origin }

    package func seconds(at instant: Instant) -> Double { origin + Double(instant.nanoseconds) / 1e9 }

    package func instant(atSeconds seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(((seconds - origin) * 1e9).rounded()))
    }
}
