import Foundation

/// A place at which a film's sound is louder or quieter than the mix that it was made of.
package struct LevelFault: Hashable, Sendable {
    /// The channel's number from 0, in the order of the layout.
    package var channel: Int
    /// The start of the place in seconds of the film, to a tenth.
    package var seconds: Double
    /// The RMS of half a second from there, of the film and of the mix, in decibels of full scale.
    package var film: Double
    package var mix: Double
}

/// The energy of a sound's channels in tenths of a second.
struct LevelTrail {
    private let tenth: Int
    private(set) var energies: [[Double]]
    private var sums: [Double]
    private var filled = 0

    init(channels: Int, sampleRate: Int) {
        tenth = max(1, sampleRate / 10)
        energies = [[Double]](repeating: [], count: channels)
        sums = [Double](repeating: 0, count: channels)
    }

    /// Adds samples of each channel. Those beyond full scale count as full scale: films are clipped there.
    mutating func add(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        var done = 0
        while done < count {
            let part = min(count - done, tenth - filled)
            for channel in sums.indices {
                var sum = 0.0
                for sample in done..<done + part {
                    let value = Double(min(1, max(-1, planes[channel][sample])))
                    sum += value * value
                }
                sums[channel] += sum
            }
            (done, filled) = (done + part, filled + part)
            if filled == tenth { close() }
        }
    }

    /// Ends the last tenth, at the sound's end.
    mutating func finish() { if filled > 0 { close() } }

    private mutating func close() {
        for channel in sums.indices { energies[channel].append(sums[channel] / Double(tenth)) }
        sums = [Double](repeating: 0, count: sums.count)
        filled = 0
    }

    /// The mean squares of the half seconds that begin at each tenth, with `margin` tenths more on both sides.
    fileprivate func halfSeconds(_ channel: Int, margin: Int, count: Int) -> [Double] {
        let values = energies[channel]
        var sums = [0.0]
        for value in values { sums.append(sums[sums.count - 1] + value) }
        return (0..<max(1, count - 4)).map { first in
            let (low, high) = (min(max(0, first - margin), values.count), min(first + 5 + margin, values.count))
            return (sums[high] - sums[low]) / 5
        }
    }
}

extension LevelTrail {
    /// The RMS in decibels below which sound is silence.
    private static let floor = -50.0

    /// The half second in which the film's level is farthest from the mix's, by more than `tolerance` decibels; nil
    /// where none is. A level that a film's clock or coder moves by a tenth of a second is no fault. Of channels in
    /// `quiet` a coder may leave out what it likes.
    static func fault(film: LevelTrail, mix: LevelTrail, tolerance: Double, quiet: Set<Int>) -> LevelFault? {
        func decibels(_ square: Double) -> Double { max(-120, 10 * log10(max(square, 1e-12))) }
        var worst: (excess: Double, fault: LevelFault)?
        for channel in 0..<min(film.energies.count, mix.energies.count) {
            let count = mix.energies[channel].count
            let (heard, wanted) = (
                film.halfSeconds(channel, margin: 0, count: count), mix.halfSeconds(channel, margin: 0, count: count)
            )
            let (heardAround, wantedAround) = (
                film.halfSeconds(channel, margin: 1, count: count), mix.halfSeconds(channel, margin: 1, count: count)
            )
            for place in heard.indices {
                let loud = decibels(heard[place]) - max(floor, decibels(wantedAround[place]))
                let soft = decibels(wanted[place]) - max(floor, decibels(heardAround[place]))
                let excess = max(loud, quiet.contains(channel) ? 0 : soft)
                guard excess > tolerance, excess > worst?.excess ?? 0 else { continue }
                worst = (
                    excess,
                    LevelFault(
                        channel: channel, seconds: Double(place) / 10, film: decibels(heard[place]),
                        mix: decibels(wanted[place]))
                )
            }
        }
        return worst?.fault
    }
}
