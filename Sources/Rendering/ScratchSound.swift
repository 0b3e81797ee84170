import AudioMixing
import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import Planning
import SplitreelFiles
import SplitreelProject
import SplitreelTimeline

/// A source that is dear to enter, since what it gives follows from all that comes before: it is read once, forwards,
/// to a file on disk, and from there in any order. 4 bytes for each sample of each channel from `low` on.
final class ScratchSound {
    private let open: SoundOpener
    private let file: ScratchFile
    private let low: Int
    private let progress: MixProgress
    private let block: PlanarBlock
    private var samples: InterleavedSamples
    /// The end of the samples that are in the file, which begin with sample `low`.
    private var made: Int
    private var notices = NoticeList()

    /// - Parameter low: the first sample that is kept. Few samples before it are wanted; those are read from the
    ///   source.
    init(low: Int, channels: Int, folder: String, progress: MixProgress, open: @escaping SoundOpener) throws {
        file = try ScratchFile(in: folder)
        self.open = open
        self.low = low
        self.progress = progress
        made = low
        block = PlanarBlock(channels: channels, capacity: InterleavedSamples.blockLength)
        samples = InterleavedSamples(channels: channels)
    }

    /// A reader of the samples from `first` on.
    func reader(from first: Int) throws -> any SoundReading {
        first < low ? try open(first) : Reader(sound: self, position: first)
    }

    private final class Reader: SoundReading {
        private let sound: ScratchSound
        private var position: Int

        init(sound: ScratchSound, position: Int) { (self.sound, self.position) = (sound, position) }

        func fill(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
            try sound.copy(position..<position + count, to: planes)
            position += count
        }

        func takeNotices() -> NoticeList {
            defer { sound.notices = NoticeList() }
            return sound.notices
        }
    }

    private func copy(_ wanted: Range<Int>, to planes: [UnsafeMutablePointer<Float>]) throws {
        try make(upTo: wanted.upperBound)
        var done = 0
        while done < wanted.count {
            let count = min(InterleavedSamples.blockLength, wanted.count - done)
            let place = samples.byteCount(wanted.lowerBound + done - low)
            try samples.spread(count, to: planes, at: done) { try file.read(into: $0, at: place) }
            done += count
        }
    }

    /// Keeps the samples before `end`. Who plays it backwards wants the last samples first: then all are made.
    private func make(upTo end: Int) throws {
        guard made < end else { return }
        let source = try open(made)
        while made < end {
            try progress.step()
            let (count, place) = (min(InterleavedSamples.blockLength, end - made), samples.byteCount(made - low))
            try source.fill(block.planes, count: count)
            try samples.gather(block.planes, count) { try file.write($0, at: place) }
            made += count
        }
        notices.add(source.takeNotices())
    }
}

extension RenderSession {
    /// Whether whoever begins in the middle of an asset's sound pays for all before it: taps that remember, sound that
    /// keeps its pitch at another speed, and codecs that are decoded from their start.
    func isDearToEnter(_ asset: String, track: Int, at time: Rational, in timeline: Timeline) throws -> Bool {
        if let nested = timeline.nested[asset] {
            let taps = nested.taps + nested.audio.flatMap(\.taps)
            if taps.contains(where: { !["gain", "route"].contains($0.id) }) { return true }
            let segments = nested.audio.flatMap(\.segments).filter { $0.generated == nil }
            if segments.contains(where: { $0.pitch != .varispeed && ($0.rate != Rational(1) || $0.speed != nil) }) {
                return true
            }
            return try segments.contains {
                try isDearToEnter($0.asset, track: $0.assetTrack, at: $0.sourceStart, in: nested)
            }
        }
        guard let facts = plan.assets[asset] else { return false }
        let part = facts.part(ofTrack: track, at: time, isSound: true)
        let source = try files.open(part.file, for: .sound)
        return try isDecodedFromItsStart(source, track: part.track)
    }
}
