import AudioMixing
import Composition
import Diagnostics
import Media
import Planning

/// The open sound sources of a mix: a reader per track segment, opened at its first sample, closed after its last.
final class AudioReaders {
    private struct Key: Hashable {
        var track: Int
        var index: Int
    }

    private let session: RenderSession
    private let settings: AudioSettings
    private var readers: [Key: (reader: AudioReader, left: Int)] = [:]

    init(session: RenderSession, settings: AudioSettings) {
        self.session = session
        self.settings = settings
    }

    /// The mixer's source: the next `count` samples of a segment.
    func read(_ segment: MixSegment, _ count: Int, _ planes: [UnsafeMutablePointer<Float>]) throws {
        let key = Key(track: segment.track, index: segment.index)
        var open = try readers[key] ?? (open(segment), segment.samples.count)
        let got = try open.reader.read(into: planes, count: count)
        for plane in planes where got < count { (plane + got).update(repeating: 0, count: count - got) }
        open.left -= count
        if open.left <= 0 { session.add(open.reader.takeNotices()) }
        readers[key] = open.left > 0 ? open : nil
    }

    private func open(_ segment: MixSegment) throws -> AudioReader {
        guard let facts = session.plan.assets[segment.asset] else {
            throw SplitreelError(
                .internalFault, operation: "mixing", subject: segment.asset, reason: "the plan lacks this asset")
        }
        try session.files.open(facts)
        return try AudioReader(
            path: facts.path, track: segment.assetTrack, sampleRate: settings.sampleRate, channels: settings.channels,
            rate: segment.rate, sourceStart: segment.sourceStart, sourceDuration: segment.sourceDuration)
    }
}
