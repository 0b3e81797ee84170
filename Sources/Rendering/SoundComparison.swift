import AudioMixing
import Composition
import Diagnostics
import Foundation
import MediaTime

/// A film's sound beside the mix that it was made of.
package struct SoundComparison: Hashable, Sendable {
    /// Samples by which the film's sound comes late, below 0 early; nil where the mix is silent.
    package var lag: Int?
    /// How alike the two are at that lag, and where they should stand: 1 for the same wave.
    package var likeness: Double
    package var likenessInPlace: Double
    /// Where they were compared, in seconds of the film.
    package var seconds: Double
    /// Samples by which the container's clock may miss the place.
    var tolerance = 1
    /// Where it is far louder or quieter than the mix; nil where it is nowhere.
    package var fault: LevelFault?

    /// As near as the container tells, or a wave so smooth that its place cannot be told more exactly.
    package var isInPlace: Bool {
        guard let lag else { return true }
        return abs(lag) <= tolerance || likenessInPlace > likeness - 0.001
    }

    /// Samples that are compared, and the largest lag that is found.
    static let window = 4096
    package static let reach = 9600
}

/// How exactly a film's sound is to be its mix's.
package struct SoundTolerance: Sendable {
    /// By which the container's clock may miss the place.
    package var samples: Int
    /// By which half a second of a channel may be louder or quieter.
    package var decibels: Double
    /// Channels of which a coder may leave out what it likes, from 0.
    package var quiet: Set<Int>

    package init(samples: Int, decibels: Double, quiet: Set<Int> = []) {
        (self.samples, self.decibels, self.quiet) = (samples, decibels, quiet)
    }
}

/// Where the mix's level rises most, its wave is looked for in the film's sound, and the levels of all half seconds are
/// held side by side. Reads each once; keeps some windows, and a number for each tenth of a second and channel.
package func compareSound(
    of film: SoundStream, with mix: SoundStream, tolerance: SoundTolerance, cancellation: Cancellation
) throws -> SoundComparison {
    guard film.sampleRate == mix.sampleRate else {
        throw SplitreelError(
            .internalFault, operation: "comparing", subject: "the sound", reason: "the rates differ")
    }
    var onset = OnsetFinder(length: SoundComparison.window)
    var (wanted, levels) = (
        LevelTrail(channels: mix.channels, sampleRate: mix.sampleRate),
        LevelTrail(channels: film.channels, sampleRate: mix.sampleRate)
    )
    _ = try mix.read(cancellation: cancellation) { planes, count in
        onset.add(planes, count)
        wanted.add(planes, count)
    }
    onset.finish()
    wanted.finish()
    let found = onset.best.flatMap { $0.score > 1e-9 ? $0 : nil } ?? (start: 0, score: 0, samples: [])
    let reach = SoundComparison.reach
    // Before the film's start and after its end there is silence.
    var heard = [Float](repeating: 0, count: found.samples.count + 2 * reach)
    var position = 0
    _ = try film.read(cancellation: cancellation) { planes, count in
        levels.add(planes, count)
        let first = found.start - reach
        for index in max(0, first - position)..<max(0, first - position, min(count, first + heard.count - position)) {
            heard[position + index - first] = planes.reduce(0) { $0 + $1[index] }
        }
        position += count
    }
    levels.finish()
    let fault = LevelTrail.fault(
        film: levels, mix: wanted, tolerance: tolerance.decibels, quiet: tolerance.quiet)
    guard !found.samples.isEmpty else {
        return SoundComparison(lag: nil, likeness: 0, likenessInPlace: 0, seconds: 0, fault: fault)
    }
    let likenesses = likeness(of: found.samples, within: heard)
    let best = likenesses.indices.max { likenesses[$0] < likenesses[$1] } ?? reach
    return SoundComparison(
        lag: best - reach, likeness: likenesses[best], likenessInPlace: likenesses[reach],
        seconds: Double(found.start) / Double(mix.sampleRate), tolerance: tolerance.samples, fault: fault)
}

/// Normalised correlations, one for each place at which the wave may stand.
private func likeness(of wave: [Float], within heard: [Float]) -> [Double] {
    let energy = wave.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (0...(heard.count - wave.count)).map { place in
        heard.withUnsafeBufferPointer { heard in
            var (product, other) = (0.0, 0.0)
            for index in wave.indices {
                let value = Double(heard[place + index])
                product += Double(wave[index]) * value
                other += value * value
            }
            return other > 0 ? product / (energy * other).squareRoot() : 0
        }
    }
}

/// Finds the window whose energy exceeds that of the one before it most.
private struct OnsetFinder {
    let length: Int
    private(set) var best: (start: Int, score: Double, samples: [Float])?
    private var window: [Float] = []
    private var start = 0
    private var before = 0.0

    init(length: Int) { self.length = length }

    mutating func add(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        for index in 0..<count {
            var sum: Float = 0
            for plane in planes { sum += plane[index] }
            window.append(sum)
            if window.count == length { finish() }
        }
    }

    mutating func finish() {
        guard !window.isEmpty else { return }
        let energy = window.reduce(0.0) { $0 + Double($1) * Double($1) }
        if energy - before > best?.score ?? 0 { best = (start, energy - before, window) }
        start += window.count
        before = energy
        window.removeAll(keepingCapacity: true)
    }
}
