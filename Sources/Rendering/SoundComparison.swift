import AudioMixing
import Diagnostics
import Foundation
import MediaTime

/// A film's sound beside the mix that it was made of.
package struct SoundComparison: Hashable, Sendable {
    /// Samples by which the film's sound comes late, below 0 early; nil where the mix is silent.
    package var lag: Int?
    /// The likeness of the two at that lag: 1 for the same wave.
    package var likeness: Double
    /// The place of the comparison in seconds of the film: the least alike of the places that were looked at.
    package var seconds: Double
    /// Whether it is as near as the container tells, or a wave so smooth, or so periodic, that its place cannot be told
    /// more exactly.
    package var isInPlace = true
    /// The channel that is not the mix's, from 0; nil where each is.
    package var strange: Int?
    /// The place at which it is far louder or quieter than the mix; nil where there is none.
    package var fault: LevelFault?
    /// The gain of a whole channel over the mix, in decibels; nil where none is beyond a coder's share.
    package var gain: GainFault?

    /// Samples that are compared at a place, the largest lag that is found, and how many places there are: one in each
    /// stretch of the sound.
    static let window = 4096
    package static let reach = 9600
    static let places = 16
}

package struct GainFault: Hashable, Sendable {
    package var channel: Int
    package var decibels: Double
}

/// The tolerance within which a film's sound is its mix's.
package struct SoundTolerance: Sendable {
    /// The samples by which the container's clock may miss the place.
    package var samples: Int
    /// The decibels by which half a second of a channel may be louder or quieter.
    package var decibels: Double
    /// Whether nothing was lost by coding: the waves are the same.
    package var isExact: Bool
    /// The channels of which a coder may leave out what it likes, from 0.
    package var quiet: Set<Int>

    package init(samples: Int, decibels: Double, isExact: Bool = false, quiet: Set<Int> = []) {
        self.samples = samples
        self.decibels = decibels
        self.isExact = isExact
        self.quiet = quiet
    }
}

/// Compares a film's sound with its mix. In each of some stretches, where the mix's level rises most, the waves of its
/// channels are looked for in the film's; the levels of all half seconds are held side by side. Reads each sound once;
/// keeps some windows, and a number for each tenth of a second and channel.
package func compareSound(
    of film: SoundStream, with mix: SoundStream, tolerance: SoundTolerance, cancellation: Cancellation
) throws -> SoundComparison {
    guard film.sampleRate == mix.sampleRate else {
        throw SplitreelError(
            .internalFault, operation: "comparing", subject: "the sound", reason: "the rates differ")
    }
    var onsets = OnsetFinder(channels: mix.channels, sampleCount: mix.sampleCount)
    var (wanted, levels) = (
        LevelTrail(channels: mix.channels, sampleRate: mix.sampleRate),
        LevelTrail(channels: film.channels, sampleRate: mix.sampleRate)
    )
    _ = try mix.read(cancellation: cancellation) { planes, count in
        onsets.add(planes, count)
        wanted.add(planes, count)
    }
    onsets.finish()
    wanted.finish()
    var windows = onsets.found.map { HeardWindow($0, channels: min(film.channels, mix.channels)) }
    var position = 0
    _ = try film.read(cancellation: cancellation) { planes, count in
        levels.add(planes, count)
        for index in windows.indices { windows[index].add(planes, count, at: position) }
        position += count
    }
    levels.finish()
    let fault = LevelTrail.fault(
        film: levels, mix: wanted, tolerance: tolerance.decibels, quiet: tolerance.quiet)
    // The one where the mix's level rises most is looked at to the sample.
    guard let loudest = windows.indices.max(by: { windows[$0].score < windows[$1].score }) else {
        return SoundComparison(lag: nil, likeness: 0, seconds: 0, fault: fault)
    }
    let matches = windows.indices.map { windows[$0].match(tolerance, isThorough: $0 == loudest) }
    let unlike = matches.count { $0.likeness <= HeardWindow.alike }
    let isOther = tolerance.isExact ? unlike > 0 : 2 * unlike > matches.count
    let worst =
        matches.indices.first { matches[$0].strange != nil }
        ?? matches.indices.first { matches[$0].isElsewhere }
        ?? (isOther ? matches.indices.first { matches[$0].likeness <= HeardWindow.alike } : nil) ?? loudest
    let match = matches[worst]
    return SoundComparison(
        lag: match.lag, likeness: match.likeness,
        seconds: Double(windows[worst].start) / Double(mix.sampleRate), isInPlace: !match.isElsewhere,
        strange: match.strange, fault: fault, gain: gainFault(of: matches, tolerance))
}

/// The gain of a channel over the mix; nil where none is too large. The film has the mix's wave and beside it what its
/// coder added: the true gain lies between the two bounds.
private func gainFault(of matches: [WindowMatch], _ tolerance: SoundTolerance) -> GainFault? {
    // 2 dB, or half a decibel where nothing was lost.
    let most = tolerance.isExact ? 1.06 : 1.26
    for channel in matches.first?.products.indices ?? 0..<0 where !tolerance.quiet.contains(channel) {
        let products = matches.filter { $0.likeness > HeardWindow.alike }.map { $0.products[channel] }
        let (film, mix) = (products.reduce(0) { $0 + $1.film }, products.reduce(0) { $0 + $1.mix })
        let both = products.reduce(0) { $0 + $1.both }
        guard mix > 0, both > 0 else { continue }
        let (least, greatest) = (both / mix, film / both)
        guard least > most || greatest < 1 / most else { continue }
        return GainFault(channel: channel, decibels: 20 * log10(least > most ? least : greatest))
    }
    return nil
}
