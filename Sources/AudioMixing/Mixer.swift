package import Composition
package import MediaTime

/// Mixes audio tracks into blocks of planar 32-bit float, sample-exact; values above 1 stay.
///
/// The sum runs over the tracks in their given order at every sample, so the same tracks give the same bits for any
/// block size. Memory: two scratch blocks. Not for use from two threads at once.
package struct Mixer {
    /// Fills `count` samples of each plane with what follows next in a segment's run; a run is read once, in order,
    /// from sample `skipped` of its first segment heard to `end`.
    package typealias Source = (
        _ segment: MixSegment, _ count: Int, _ planes: [UnsafeMutablePointer<Float>]
    ) throws -> Void

    private struct Track {
        var segments: [MixSegment]
        /// The first segment that is not over.
        var next = 0
        var curve: GainCurve
        var place: StereoPlace?
        /// What its loudness is brought to; by a factor that is known once it was measured.
        let loudness: SoundLoudness?
        var level: Float = 1

        /// Whether something is done to the whole of it.
        var hasBus: Bool { place != nil || loudness != nil }
    }

    private var tracks: [Track]
    private let sampleCount: Int
    private let channels: Int
    private var scratch: [UnsafeMutablePointer<Float>] { buffer.planes }
    private let buffer: PlanarBlock
    /// One track's sound, where something is done to the whole of it; made when first needed.
    private lazy var bus = PlanarBlock(channels: channels, capacity: Self.blockLimit)
    /// The next output sample to be mixed.
    package private(set) var position: Int

    /// Largest block that is mixed at once.
    package static let blockLimit = 8192

    /// - Parameters:
    ///   - rangeStart: composition time of output sample 0.
    ///   - first: the sample that mixing begins with, which may lie before sample 0.
    ///   - sampleCount: of the output; what segments hold beyond is cut.
    package init(
        tracks: [AudioTrackRecipe], rangeStart: Rational, first: Int = 0, sampleCount: Int, sampleRate: Int,
        channels: Int
    ) {
        position = first
        precondition(sampleCount >= 0 && sampleRate > 0 && channels > 0, "a mix has a rate and channels")
        self.sampleCount = sampleCount
        self.channels = channels
        buffer = PlanarBlock(channels: channels, capacity: Self.blockLimit)
        self.tracks = tracks.enumerated().map { position, recipe in
            Track(
                segments: mixSegments(
                    of: recipe, track: position, rangeStart: rangeStart, first: first, sampleCount: sampleCount,
                    sampleRate: sampleRate),
                curve: GainCurve(recipe.gains, rangeStart: rangeStart, sampleRate: sampleRate),
                place: StereoPlace(recipe, rangeStart: rangeStart, sampleRate: sampleRate),
                loudness: recipe.loudness)
        }
    }

    /// Is handed the sound of each track whose loudness is to be brought somewhere, as it goes into the sum.
    package var measure: ((_ track: Int, _ planes: [UnsafeMutablePointer<Float>], _ count: Int) -> Void)?

    /// Positions of tracks whose loudness is to be brought somewhere.
    package var measuredTracks: [(track: Int, loudness: SoundLoudness)] {
        tracks.enumerated().compactMap { index, track in track.loudness.map { (index, $0) } }
    }

    package mutating func setLevel(_ level: Double, ofTrack track: Int) { tracks[track].level = Float(level) }

    /// Mixes the next samples into the planes, overwriting them; returns how many, 0 at the end.
    ///
    /// - Parameters:
    ///   - maxSamples: room in each plane; at most `blockLimit` samples come at once.
    ///   - planes: one for each channel.
    package mutating func nextBlock(
        maxSamples: Int, into planes: [UnsafeMutablePointer<Float>], source: Source
    ) throws -> Int {
        precondition(planes.count == channels && maxSamples > 0, "a plane for each channel, with room")
        let count = min(maxSamples, Self.blockLimit, sampleCount - position)
        guard count > 0 else { return 0 }
        for plane in planes { plane.update(repeating: 0, count: count) }
        let block = position..<(position + count)
        for index in tracks.indices {
            guard tracks[index].hasBus else {
                try mix(&tracks[index], block, into: planes, source)
                continue
            }
            for plane in bus.planes { plane.update(repeating: 0, count: count) }
            try mix(&tracks[index], block, into: bus.planes, source)
            tracks[index].place?.apply(to: bus.planes, first: position, count: count)
            let level = tracks[index].level
            for plane in bus.planes { for sample in 0..<count { plane[sample] *= level } }
            if tracks[index].loudness != nil { measure?(index, bus.planes, count) }
            for (plane, sum) in zip(bus.planes, planes) {
                for sample in 0..<count { sum[sample] += plane[sample] }
            }
        }
        position += count
        return count
    }

    private func mix(
        _ track: inout Track, _ block: Range<Int>, into planes: [UnsafeMutablePointer<Float>], _ source: Source
    ) throws {
        // Those that are joined overlap by a little.
        for segment in track.segments[track.next...] {
            guard segment.samples.lowerBound < block.upperBound else { break }
            let part = segment.samples.clamped(to: block)
            if !part.isEmpty {
                try source(segment, part.count, scratch)
                for fade in segment.fades { fade.apply(to: scratch, first: part.lowerBound, count: part.count) }
                track.curve.add(
                    scratch, to: planes, offset: part.lowerBound - block.lowerBound, first: part.lowerBound,
                    count: part.count, volume: segment.volume)
            }
        }
        while track.next < track.segments.count, track.segments[track.next].samples.upperBound <= block.upperBound {
            track.next += 1
        }
    }
}
