package import MediaTime
package import SplitreelProject
package import SplitreelTimeline

/// Mixes audio tracks into blocks of planar 32-bit float, sample-exact; values above 1 stay.
///
/// The sum runs over the tracks in their given order at every sample, so the same tracks give the same bits for any
/// block size. Taps get samples ahead of the mix, by as much as they are late; where they remember, mixing begins so
/// much before the first sample that is wanted. Memory: a few blocks for each track that has a pan, a balance, a
/// loudness or taps, and the taps' own. Not for use from two threads at once.
package struct Mixer {
    /// Fills `count` samples of each plane with the next ones of a segment's run; a run is read once, in order,
    /// from sample `skipped` of its first segment heard to `end`.
    package typealias Source = (
        _ segment: MixSegment, _ count: Int, _ planes: [UnsafeMutablePointer<Float>]
    ) throws -> Void

    private let lines: [TrackLine]
    private let sampleCount: Int
    private let channels: Int
    private let scratch: PlanarBlock
    /// The taps of the sum, and the samples that they made ahead; nil where it has none.
    private let whole: (chain: TapChain, queue: SampleQueue)?
    /// The block for a sum that is not handed out at once; nil where there are no taps.
    private let ahead: PlanarBlock?
    /// The samples that are handed out.
    private let heard: Range<Int>
    /// The next sample that goes into the sum.
    private var cursor: Int
    /// The samples behind the sum at which a leader's samples may be wanted.
    private let reach: Int
    /// The next output sample to be mixed.
    package private(set) var position: Int

    /// The most samples of each channel that are mixed at once.
    package static let blockLimit = 8192

    /// - Parameters:
    ///   - rangeStart: composition time of output sample 0.
    ///   - first: the sample that mixing begins with, which may lie before sample 0.
    ///   - sampleCount: the output's samples; what segments hold beyond them is cut.
    ///   - taps: made for this mixer, with the same range's start.
    package init(
        tracks: [AudioTrackRecipe], rangeStart: Rational, first: Int = 0, sampleCount: Int, sampleRate: Int,
        channels: Int, taps: MixTaps = MixTaps()
    ) {
        precondition(sampleCount >= 0 && sampleRate > 0 && channels > 0, "a mix has a rate and channels")
        let context = TapContext(sampleRate: sampleRate, channels: channels, rangeStart: rangeStart)
        let start = taps.start(for: first, beginning: context.beginning)
        let (leaders, reach) = (taps.leaders, taps.latency)
        self.sampleCount = sampleCount
        self.channels = channels
        self.reach = reach
        position = first
        cursor = start
        scratch = PlanarBlock(channels: channels, capacity: Self.blockLimit)
        lines = tracks.enumerated().map { position, recipe in
            TrackLine(
                recipe,
                segments: mixSegments(
                    of: recipe, track: position, rangeStart: rangeStart, first: start,
                    sampleCount: sampleCount + reach, sampleRate: sampleRate),
                taps: taps.tracks[position], leads: leaders.contains(position), first: start, context)
        }
        whole =
            taps.whole.isEmpty
            ? nil
            : (
                TapChain(taps.whole, channels: channels), SampleQueue(channels: channels, first: start)
            )
        ahead = taps.isEmpty ? nil : PlanarBlock(channels: channels, capacity: Self.blockLimit)
        heard = first..<max(first, sampleCount)
    }

    /// Takes the sound of each track that has a loudness of its own, as it goes into the sum.
    package var measure: ((_ track: Int, _ planes: [UnsafeMutablePointer<Float>], _ count: Int) -> Void)?

    /// The positions of tracks that have a loudness of their own.
    package var measuredTracks: [(track: Int, loudness: SoundLoudness)] {
        lines.enumerated().compactMap { index, line in line.loudness.map { (index, $0) } }
    }

    package func setLevel(_ level: Double, ofTrack track: Int) { lines[track].level = Float(level) }

    /// Mixes a block of samples that taps remember and nobody hears; false where nothing more lies before `position`.
    /// To be called until then by who wants to be asked now and then: `nextBlock` does it at once.
    package mutating func runIn(_ source: Source) throws -> Bool {
        let made = whole?.queue.range.upperBound ?? cursor
        guard made < position, let ahead else { return false }
        try sum(min(Self.blockLimit, position - made), into: ahead.planes, source)
        whole?.queue.forget(before: position)
        return true
    }

    /// Mixes the next samples into the planes, overwriting them; returns how many, 0 at the end.
    ///
    /// - Parameters:
    ///   - maxSamples: room in each plane; at most `blockLimit` samples come at once.
    ///   - planes: one for each channel.
    package mutating func nextBlock(
        maxSamples: Int, into planes: [UnsafeMutablePointer<Float>], source: Source
    ) throws -> Int {
        precondition(planes.count == channels && maxSamples > 0, "a plane for each channel, with room")
        while try runIn(source) {}
        let count = min(maxSamples, Self.blockLimit, sampleCount - position)
        guard count > 0 else { return 0 }
        let block = position..<position + count
        if let whole, let ahead {
            while whole.queue.range.upperBound < block.upperBound {
                try sum(Self.blockLimit, into: ahead.planes, source)
            }
            whole.queue.copy(block, to: planes)
            whole.queue.forget(before: block.upperBound)
        } else {
            try sum(count, into: planes, source)
        }
        position = block.upperBound
        return count
    }

    /// Mixes the next samples of all lines, and runs the taps of their sum.
    private mutating func sum(
        _ count: Int, into planes: [UnsafeMutablePointer<Float>], _ source: Source
    ) throws {
        for plane in planes { plane.update(repeating: 0, count: count) }
        let block = cursor..<cursor + count
        let lines = lines
        let (scratch, measure) = (scratch.planes, measure)
        let measured = heard.clamped(to: block)
        try withoutActuallyEscaping(source) { source in
            func leader(_ track: Int, _ samples: Range<Int>, _ into: [UnsafeMutablePointer<Float>]) throws {
                try lines[track].copy(
                    samples, to: into, TrackLine.Surroundings(scratch: scratch, source: source, leader: leader))
            }
            let mix = TrackLine.Surroundings(scratch: scratch, source: source, leader: leader)
            for (index, line) in lines.enumerated() {
                try line.add(block, to: planes, mix) { planes, _ in
                    guard !measured.isEmpty else { return }
                    measure?(index, planes.map { $0 + measured.lowerBound - block.lowerBound }, measured.count)
                }
            }
            if let whole {
                try whole.chain.process(planes, first: block.lowerBound, count: count, leader: leader)
                whole.queue.append(planes, first: block.lowerBound - whole.chain.latency, count: count)
            }
        }
        cursor = block.upperBound
        for line in lines { line.forget(before: cursor - reach) }
    }
}
