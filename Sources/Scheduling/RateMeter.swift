/// The units a second over the last seconds in which work was seen to be done.
///
/// Every report of work comes with the time that it took, over which it is spread; so a pile of late messages is no
/// burst, and time in which nobody worked neither counts nor dilutes. Where too little has been seen, or nothing for
/// long, there is no rate. The meter is of fixed size, whatever is reported.
package struct RateMeter: Sendable, Hashable {
    /// A quarter of a second: the units made in it, and the part of it in which somebody worked.
    private struct Slice: Sendable, Hashable {
        var number: Int64 = .min
        var units = 0.0
        var start: Int64 = 0
        var end: Int64 = 0
    }
    private var slices: [Slice] = []

    /// The age above which work no longer counts.
    package static let window: Duration = .seconds(10)
    /// The working time below which there is no rate.
    package static let least: Duration = .seconds(1)
    private static let width: Int64 = 250_000_000
    private static let count = Int64(10_000_000_000 / width)

    package init() {}

    /// Counts `units` that were made between `start` and `end`; an empty or backward span counts nothing.
    package mutating func add(_ units: Int, from start: Instant, to end: Instant) {
        guard units > 0, start < end else { return }
        if slices.isEmpty { slices = Array(repeating: Slice(), count: Int(Self.count)) }
        let perNanosecond = Double(units) / Double((end - start).nanoseconds)
        let first = max(start.nanoseconds, end.nanoseconds - Self.window.nanoseconds)
        var number = Self.slice(of: first)
        while number * Self.width < end.nanoseconds {
            let from = max(first, number * Self.width)
            let to = min(end.nanoseconds, (number + 1) * Self.width)
            if from < to { count(Double(to - from) * perNanosecond, number, from, to) }
            number += 1
        }
    }

    private mutating func count(_ units: Double, _ number: Int64, _ from: Int64, _ to: Int64) {
        let place = Int((number % Self.count + Self.count) % Self.count)
        if slices[place].number < number { slices[place] = Slice(number: number, units: 0, start: from, end: to) }
        guard slices[place].number == number else { return }
        slices[place].units += units
        slices[place].start = min(slices[place].start, from)
        slices[place].end = max(slices[place].end, to)
    }

    /// The units a second; nil where nothing can be said.
    package func rate(at now: Instant) -> Double? {
        let oldest = Self.slice(of: now.nanoseconds) - Self.count
        let recent = slices.filter { $0.number > oldest && $0.units > 0 }
        let working = recent.reduce(0) { $0 + ($1.end - $1.start) }
        guard working >= Self.least.nanoseconds else { return nil }
        return recent.reduce(0) { $0 + $1.units } * 1e9 / Double(working)
    }

    private static func slice(of nanoseconds: Int64) -> Int64 {
        nanoseconds >= 0 ? nanoseconds / width : (nanoseconds - width + 1) / width
    }
}
