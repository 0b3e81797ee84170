/// A chain of taps, one after the other.
struct TapChain {
    private let taps: [any SoundTap]
    /// The latency of all taps together, in samples.
    let latency: Int
    /// The sum of a tap's leaders, and the samples of one of them.
    private let lead, part: PlanarBlock

    /// The leader's samples, with silence where it has none, into planes.
    typealias Leader = (_ track: Int, _ samples: Range<Int>, _ planes: [UnsafeMutablePointer<Float>]) throws -> Void

    init(_ taps: [any SoundTap], channels: Int) {
        self.taps = taps
        latency = taps.reduce(0) { $0 + $1.latency }
        func block(for leaders: Int) -> PlanarBlock {
            let isNeeded = taps.contains { $0.leaders.count >= leaders }
            return PlanarBlock(channels: isNeeded ? channels : 0, capacity: Mixer.blockLimit)
        }
        lead = block(for: 1)
        part = block(for: 2)
    }

    /// Changes a block in place, which then is `latency` samples older. A value that is no number becomes silence, and
    /// one beyond `most` stays there.
    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, leader: Leader
    ) throws {
        var first = first
        clean(planes, count)
        for tap in taps {
            try sum(tap.leaders, first..<first + count, leader)
            try tap.process(planes, first: first, count: count, lead: tap.leaders.isEmpty ? [] : lead.planes)
            first -= tap.latency
            clean(planes, count)
        }
    }

    /// Adds up the leaders' samples, track by track.
    private func sum(_ leaders: [Int], _ samples: Range<Int>, _ leader: Leader) throws {
        guard let first = leaders.first else { return }
        try leader(first, samples, lead.planes)
        for track in leaders.dropFirst() {
            try leader(track, samples, part.planes)
            for (all, own) in zip(lead.planes, part.planes) {
                for sample in 0..<samples.count { all[sample] += own[sample] }
            }
        }
    }

    /// The largest amplitude, 120 dB above full scale: no sound is so loud, and its product with gains must not pass a
    /// float's range.
    private static let most: Float = 1e6

    /// Takes out what is no number, which a tap that remembers would never get rid of, and what is beyond `most`.
    private func clean(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        for plane in planes {
            for sample in 0..<count where !(abs(plane[sample]) <= Self.most) {
                plane[sample] = plane[sample].isNaN ? 0 : plane[sample] > 0 ? Self.most : -Self.most
            }
        }
    }
}

/// A queue of samples that are made before somebody wants them.
final class SampleQueue {
    private var kept: KeptSamples
    /// The places of the samples that are there.
    var range: Range<Int> { kept.range }

    init(channels: Int, first: Int) {
        kept = KeptSamples(channels: channels, first: first, capacity: 4 * Mixer.blockLimit)
    }

    /// Adds samples that follow those that are there; samples before the first one wanted are left out.
    func append(_ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int) {
        let skipped = min(count, max(0, range.upperBound - first))
        let added = count - skipped
        kept.append(added) { targets in
            for (from, to) in zip(planes, targets) { to.update(from: from + skipped, count: added) }
        }
    }

    /// Copies samples; places without samples become silence.
    func copy(_ wanted: Range<Int>, to planes: [UnsafeMutablePointer<Float>]) {
        let part = wanted.clamped(to: range)
        for (from, to) in zip(kept.planes, planes) {
            if part.count < wanted.count { to.update(repeating: 0, count: wanted.count) }
            guard !part.isEmpty else { continue }
            (to + part.lowerBound - wanted.lowerBound).update(
                from: from + part.lowerBound - range.lowerBound, count: part.count)
        }
    }

    func forget(before first: Int) { kept.forget(before: first) }
}

/// The taps of a mix, made for one mixing; see `Mixer`.
package struct MixTaps {
    /// The taps of one track: before its volume, pan and balance, and after.
    package struct OfTrack {
        var before: [any SoundTap] = []
        var after: [any SoundTap] = []

        package init(before: [any SoundTap] = [], after: [any SoundTap] = []) {
            (self.before, self.after) = (before, after)
        }

        var all: [any SoundTap] { before + after }
    }

    /// The taps of tracks by the track's position in the mix.
    let tracks: [Int: OfTrack]
    /// The taps of the sum.
    let whole: [any SoundTap]

    package init(tracks: [Int: OfTrack] = [:], whole: [any SoundTap] = []) {
        (self.tracks, self.whole) = (tracks, whole)
    }

    private var all: [any SoundTap] { tracks.values.flatMap(\.all) + whole }
    var isEmpty: Bool { tracks.isEmpty && whole.isEmpty }
    /// The positions of tracks whose sound leads others'.
    var leaders: Set<Int> { Set(all.flatMap(\.leaders)) }
    /// The latency of all taps together, in samples: no sample needs others that lie further ahead.
    var latency: Int { all.reduce(0) { $0 + $1.latency } }

    /// The index with which mixing has to begin so that `first` and all after it are as if all had been mixed.
    func start(for first: Int, beginning: Int) -> Int {
        guard !isEmpty else { return first }
        var memory = latency
        for tap in all {
            guard case .samples(let count) = tap.memory else { return min(first, beginning) }
            memory += count
        }
        return min(first, max(beginning, first - memory))
    }
}
