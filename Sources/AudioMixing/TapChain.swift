/// Taps, one after the other.
struct TapChain {
    private let taps: [any SoundTap]
    /// Of all of them.
    let latency: Int
    private let lead: PlanarBlock

    /// The leader's samples, with silence where it has none, into planes.
    typealias Leader = (_ track: Int, _ samples: Range<Int>, _ planes: [UnsafeMutablePointer<Float>]) throws -> Void

    init(_ taps: [any SoundTap], channels: Int) {
        self.taps = taps
        latency = taps.reduce(0) { $0 + $1.latency }
        let isLed = taps.contains { $0.leader != nil }
        lead = PlanarBlock(channels: isLed ? channels : 0, capacity: Mixer.blockLimit)
    }

    /// Changes a block in place, which then is `latency` samples older. What is no number becomes silence, and
    /// what is beyond `most` stays there.
    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, leader: Leader
    ) throws {
        var first = first
        clean(planes, count)
        for tap in taps {
            if let track = tap.leader { try leader(track, first..<first + count, lead.planes) }
            try tap.process(planes, first: first, count: count, lead: tap.leader == nil ? [] : lead.planes)
            first -= tap.latency
            clean(planes, count)
        }
    }

    /// 120 dB above full scale: no sound is so loud, and what gains make of it must not pass a float's range.
    private static let most: Float = 1e6

    /// A tap that remembers would never get rid of what is no number.
    private func clean(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        for plane in planes {
            for sample in 0..<count where !(abs(plane[sample]) <= Self.most) {
                plane[sample] = plane[sample].isNaN ? 0 : plane[sample] > 0 ? Self.most : -Self.most
            }
        }
    }
}

/// Samples that are made before somebody wants them.
final class SampleQueue {
    private var kept: KeptSamples
    /// The samples that are there.
    var range: Range<Int> { kept.range }

    init(channels: Int, first: Int) {
        kept = KeptSamples(channels: channels, first: first, capacity: 4 * Mixer.blockLimit)
    }

    /// Samples that follow those that are there; what lies before the first one wanted is left out.
    func append(_ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int) {
        let skipped = min(count, max(0, range.upperBound - first))
        let added = count - skipped
        kept.append(added) { targets in
            for (from, to) in zip(planes, targets) { to.update(from: from + skipped, count: added) }
        }
    }

    /// Silence where there are no samples.
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
    /// One track's: before its volume, pan and balance, and after.
    package struct OfTrack {
        var before: [any SoundTap] = []
        var after: [any SoundTap] = []

        package init(before: [any SoundTap] = [], after: [any SoundTap] = []) {
            (self.before, self.after) = (before, after)
        }

        var all: [any SoundTap] { before + after }
    }

    /// By the track's position in the mix.
    let tracks: [Int: OfTrack]
    /// Of the sum.
    let whole: [any SoundTap]

    package init(tracks: [Int: OfTrack] = [:], whole: [any SoundTap] = []) {
        (self.tracks, self.whole) = (tracks, whole)
    }

    private var all: [any SoundTap] { tracks.values.flatMap(\.all) + whole }
    var isEmpty: Bool { tracks.isEmpty && whole.isEmpty }
    /// Positions of tracks whose sound leads others'.
    var leaders: Set<Int> { Set(all.compactMap(\.leader)) }
    /// No sample needs others that lie further ahead.
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
