import AudioMixing
import Diagnostics
import MediaReading
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// Opens a source at its natural speed, on the output's sample grid, to be read from any sample on.
typealias SoundOpener = (_ first: Int) throws -> any SoundReading

/// A run's sound at another speed, or at one that changes.
final class SpeedSound: SoundReading {
    private let source: any SoundReading
    private let make: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int, any SoundReading) throws -> Void
    /// The samples still to be made that nobody hears.
    private var surplus = 0
    private var waste: PlanarBlock?
    private let progress: MixProgress

    private static let wasteLength = 4096
    /// The highest speed for Rubber Band's finer engine: beyond 12 that of 3.1 gives noise, and another one each time.
    private static let fastestSpectral = 8.0

    /// `skipped` samples of the run are left out. Stretched sound is made from the run's own start on all the same: it
    /// is the run's, wherever one begins to listen.
    init(
        _ run: MixRun, skipping skipped: Int, sampleRate: Int, channels: Int, progress: MixProgress,
        open: SoundOpener
    ) throws {
        self.progress = progress
        let course = SoundCourse(rate: run.rate, speed: run.speed, sampleRate: sampleRate)
        let fastest = run.speed?.highest ?? run.rate.double
        switch run.pitch == .spectral && fastest > Self.fastestSpectral ? .timeDomain : run.pitch {
        case .varispeed where run.speed == nil && SpeedReader.takes(run.rate):
            let reader = try SpeedReader(
                sampleRate: sampleRate, channels: channels, rate: run.rate, skipping: skipped, subject: run.asset)
            source = try open(reader.first)
            make = { try reader.read(into: $0, count: $1, from: $2.fill) }
        case .varispeed:
            let reader = SincReader(course, channels: channels, skipping: skipped)
            source = try open(reader.first)
            make = { try reader.read(into: $0, count: $1, from: $2.fill) }
        case .timeDomain:
            let reader = OverlapReader(course, channels: channels, sampleRate: sampleRate)
            source = try open(reader.first)
            make = { try reader.read(into: $0, count: $1, from: $2.fill) }
            surplus = skipped
        case .spectral:
            let reader = try TimeStretcher(sampleRate: sampleRate, channels: channels, subject: run.asset) {
                course.sample(at: $0)
            }
            source = try open(reader.first)
            make = { try reader.read(into: $0, count: $1, from: $2.fill) }
            surplus = skipped
        }
        if surplus > 0 { waste = PlanarBlock(channels: channels, capacity: Self.wasteLength) }
    }

    func fill(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
        while surplus > 0, let waste {
            try progress.step()
            let part = min(surplus, Self.wasteLength)
            try make(waste.planes, part, source)
            surplus -= part
        }
        waste = nil
        try make(planes, count, source)
    }

    func takeNotices() -> NoticeList { source.takeNotices() }
}

/// A source backwards: sample n is the source's sample `length` − 1 − n. Read in stretches of seconds, each
/// from its start to its end, the last one first. Keeps 1 MiB, so that many of them may be heard at one time.
final class ReversedSound: SoundReading {
    private let open: SoundOpener
    private let length: Int
    private let block: PlanarBlock
    /// The number of the next sample, and the range of the source's samples that are in `block`.
    private var position: Int
    private var held = 0..<0
    private var notices = NoticeList()

    /// The samples of a stretch: 2.7 s of stereo at 48 kHz.
    private let capacity: Int

    init(length: Int, first: Int, channels: Int, open: @escaping SoundOpener) {
        self.length = length
        position = first
        self.open = open
        capacity = max(1 << 15, (1 << 18) / channels)
        block = PlanarBlock(channels: channels, capacity: capacity)
    }

    func fill(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
        var done = 0
        while done < count {
            let wanted = length - 1 - position
            if !held.contains(wanted) { try read(upTo: wanted + 1, atLeast: count - done) }
            let part = min(count - done, wanted - held.lowerBound + 1)
            for (plane, source) in zip(planes, block.planes) {
                let last = source + (wanted - held.lowerBound)
                for index in 0..<part { plane[done + index] = last[-index] }
            }
            (position, done) = (position + part, done + part)
        }
    }

    /// Reads the stretch before `end`. Samples before the source's range are read with those in it where they are near.
    private func read(upTo end: Int, atLeast count: Int) throws {
        let size = end > 0 ? min(capacity, max(end, count)) : min(capacity, max(count, 4096))
        let source = try open(end - size)
        try source.fill(block.planes, count: size)
        notices.add(source.takeNotices())
        held = end - size..<end
    }

    func takeNotices() -> NoticeList {
        defer { notices = NoticeList() }
        return notices
    }
}
