internal import CFFmpeg
internal import Diagnostics
internal import MediaTime

/// A track's decoded sound as an endless row of samples on the source's own sample grid: sample n is at asset time
/// n ÷ rate; what the file lacks is silence. Confined to one thread at a time.
final class AudioSource {
    enum Block {
        case silence(Int)
        /// Samples `offset ..< offset + count` of `frame`.
        case samples(offset: Int, count: Int)
    }

    /// Good until the next call of `next`.
    let frame: Frame
    private(set) var format: AudioFormat
    private let source: FrameSource
    private let subject: String
    private let timeBase: AVRational
    private let origin: Rational
    private let first: (_ sampleRate: Int) throws -> Int
    private let tolerance: Rational
    /// The next sample to be handed out.
    private var cursor = 0
    /// The sample that follows the last decoded frame.
    private var running: Int?
    /// The decoded frame's first sample, while part of it is still to be handed out.
    private var framePosition: Int?
    private var isAtEnd = false
    private var hasStarted = false

    var damagedPackets: Int { source.damagedPackets }
    /// Asset time of the first packet that the decoder refused, or nil.
    private(set) var firstDamage: Rational?

    /// `first` tells the first sample that is wanted, at the sample rate that the sound turns out to have.
    init(path: String, track: Int, first: @escaping (_ sampleRate: Int) throws -> Int) throws {
        let index = try FileIndex.of(path: path)
        subject = "\(path), track \(track)"
        guard index.tracks.indices.contains(track - 1) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: path, reason: "there is no track \(track)")
        }
        let packets = index.tracks[track - 1]
        source = try FrameSource(path: path, stream: track - 1, index: packets, threads: 1)
        guard source.cursor.demuxer.type(track - 1) == AVMEDIA_TYPE_AUDIO else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: path, reason: "track \(track) is not audio")
        }
        frame = try Frame()
        let stream = source.cursor.demuxer.stream(track - 1)
        let parameters = source.cursor.demuxer.parameters(track - 1)
        timeBase = stream.time_base
        format = AudioFormat(parameters)
        (self.origin, self.first) = (index.origin, first)
        let isExact = AudioSeeking.isExact(timeBase, rate: format.sampleRate)
        // Files with a coarse clock jitter by a tick; camera files by a little more; Vorbis packets next to a change of
        // block size are off by up to half a block, since only whole pages have times.
        let isVorbis = parameters.codec_id == AV_CODEC_ID_VORBIS
        tolerance = isVorbis ? Rational(1, 10) : isExact ? Rational(2, 1000) : Rational(10, 1000)
        guard isExact else { return }
        // A decoder may find twice the rate that the file states.
        let (stated, twice) = (format.sampleRate, format.sampleRate * 2)
        let start = Rational(try first(stated), stated)
        let time = min(start, (try? first(twice)).map { Rational($0, twice) } ?? start) + origin
        let codec = parameters.codec_id
        if let entry = AudioSeeking.entry(packets, codec: codec, timeBase, at: time, tolerance: tolerance) {
            try source.seek(to: entry)
        }
    }

    /// The next block; never empty.
    func next() throws -> Block {
        while true {
            if let position = framePosition {
                if position > cursor { return silence(upTo: position - cursor) }
                let offset = cursor - position
                framePosition = nil
                let count = frame.sampleCount - offset
                if count > 0 {
                    cursor += count
                    return .samples(offset: offset, count: count)
                }
            }
            guard !isAtEnd else { return silence(upTo: 4096) }
            try decode()
        }
    }

    private func silence(upTo count: Int) -> Block {
        let length = min(count, 4096)
        cursor += length
        return .silence(length)
    }

    private func decode() throws {
        let isThere = try source.next(into: frame) != nil
        if firstDamage == nil, source.damagedPackets > 0 {
            firstDamage = Rational(max(0, cursor), max(1, format.sampleRate))
        }
        guard isThere else {
            isAtEnd = true
            if !hasStarted { cursor = try first(format.sampleRate) }
            hasStarted = true
            return
        }
        let decoded = AudioFormat(frame)
        if !hasStarted {
            cursor = try first(decoded.sampleRate)
            hasStarted = true
        } else if decoded.sampleRate != format.sampleRate {
            throw SplitreelError(
                .mediaUnsupported, operation: "decoding", subject: subject, reason: "the sample rate changes midway")
        }
        format = decoded
        var position = running ?? 0
        if let pts = ticks(frame.fields.pts) {
            let exact = sampleIndex(of: Rational(ticks: pts, timeBase) - origin, rate: format.sampleRate)
            let slack = sampleIndex(of: tolerance, rate: format.sampleRate)
            if running == nil || abs(exact - position) > slack { position = exact }
        }
        running = position + frame.sampleCount
        framePosition = position
    }
}

/// Where to enter a track so that the samples equal those of a decode from its start.
enum AudioSeeking {
    /// Whether a tick is a whole number of samples or a whole fraction of one.
    static func isExact(_ base: AVRational, rate: Int) -> Bool {
        guard base.num > 0, base.den > 0, rate > 0 else { return false }
        let (ticks, den) = (Int(base.num) * rate, Int(base.den))
        return ticks % den == 0 || den % ticks == 0
    }

    /// The packet to begin at for the sound at `time` (file time), or nil to decode from the start: near the start, or
    /// where packets do not follow one another without jitter, or for codecs whose state reaches far back.
    static func entry(
        _ packets: PacketIndex, codec: AVCodecID, _ timeBase: AVRational, at time: Rational, tolerance: Rational
    ) -> Int? {
        guard let preroll = preroll(codec) else { return nil }
        let base = Rational(timeBase)
        guard let place = packets.place(heldAt: Int64((time / base).floor())) else { return nil }
        let entry = Int(packets.display[place]) - preroll
        guard entry > 0, let first = packets.entries.first,
            Rational(Int(packets.entries[entry].pts - first.pts)) * base > Rational(10)
        else { return nil }
        let slack = Int64((tolerance / base).floor())
        for number in 0..<(packets.entries.count - 1) {
            let packet = packets.entries[number]
            let jump = abs(packets.entries[number + 1].pts - (packet.pts + packet.duration))
            if jump != 0 && jump <= slack { return nil }
        }
        return entry
    }

    /// Lossy codecs whose every packet gives the same count of samples, whatever came before it.
    static func forgets(_ codec: AVCodecID) -> Bool {
        codec == AV_CODEC_ID_MP3 || codec == AV_CODEC_ID_MP2 || codec == AV_CODEC_ID_AAC
    }

    /// Packets to decode first; nil for codecs not known to forget (noise generators, long recursive filters).
    private static func preroll(_ codec: AVCodecID) -> Int? {
        if av_get_exact_bits_per_sample(codec) > 0 { return 1 }
        switch codec {
        case AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC: return 1
        case AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_AAC, AV_CODEC_ID_VORBIS: return 16
        default: return nil
        }
    }
}
