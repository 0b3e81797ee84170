internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import SplitreelFiles

/// A track's decoded sound as an endless row of samples on the source's own sample grid: sample n is at asset time n ÷
/// rate; samples that the file lacks are silent. Confined to one thread at a time.
final class AudioSource: SoundRow {
    enum Block {
        case silence(Int)
        /// Samples `offset ..< offset + count` of `frame`.
        case samples(offset: Int, count: Int)
    }

    /// The frame that `next` decoded; its samples are good until the next call of `next`.
    let frame: Frame
    private(set) var format: AudioFormat
    private let source: FrameSource
    private let subject: String
    private let timeBase: AVRational
    private let origin: Rational
    private let first: (_ sampleRate: Int) throws -> Int
    private let tolerance: Rational
    /// Whether every packet's time decides its samples' place. Otherwise the count of samples does where both nearly
    /// agree.
    private let hasExactTimes: Bool
    /// Whether the container has no times, so that only the count of samples decides.
    private let hasNoTimes: Bool
    /// The number of the next sample to be handed out.
    private var cursor = 0
    /// The number of the sample that follows the last decoded frame; nil before the first frame.
    private var running: Int?
    /// The number of the decoded frame's first sample while part of the frame is still to be handed out; nil otherwise.
    private var framePosition: Int?
    /// The number of the decoded frame's samples that are heard.
    private var frameCount = 0
    /// The parts of a file whose clock begins again that are still to come.
    private var parts: ArraySlice<PartStart>
    private var isAtEnd = false
    private var hasStarted = false

    /// The number of frames that had another sample rate than the track.
    private var strangers = 0
    private var strangersInRow = 0

    var damagedPackets: Int { source.damagedPackets + strangers }
    /// Asset time of the first packet that the decoder refused, or nil.
    private(set) var firstDamage: Rational?

    var onStep: (() throws -> Void)?
    /// The number of frames that were decoded and not heard.
    private var unheard = 0
    private static let framesOfStep = 64

    /// `first` answers the number of the first sample that is wanted, at the sample rate that the sound turns out to
    /// have. `origin` is asset time 0 in the track's times, in seconds.
    init(_ source: any MediaSource, track: Int, origin: Rational, first: @escaping (_ sampleRate: Int) throws -> Int)
        throws
    {
        let index = try FileIndex.of(source)
        subject = "\(source.name), track \(track)"
        let packets = try index.track(track, of: source)
        let frames = try FrameSource(source, stream: track - 1, index: packets)
        self.source = frames
        guard frames.cursor.demuxer.type(track - 1) == AVMEDIA_TYPE_AUDIO else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: source.name, reason: "track \(track) is not audio")
        }
        frame = try Frame()
        let stream = frames.cursor.demuxer.stream(track - 1)
        let parameters = frames.cursor.demuxer.parameters(track - 1)
        timeBase = stream.time_base
        format = AudioFormat(parameters)
        self.origin = origin
        self.first = first
        hasExactTimes = packets.soundEntry != .start
        hasNoTimes = SoundEntry.hasNoTimes(frames.cursor.demuxer.formatName)
        tolerance = SoundEntry.tolerance(parameters, timeBase)
        parts = index.partStarts(ofSound: track - 1)[...]
        let time = Rational(try first(format.sampleRate), format.sampleRate) + origin
        guard let place = packets.place(heldAt: Int64((time / Rational(timeBase)).floor())) else { return }
        try frames.seekSound(to: max(0, Int(packets.display[place]) - 1))
    }

    /// The next block; never empty.
    func next() throws -> Block {
        while true {
            if let position = framePosition {
                if position > cursor { return silence(upTo: position - cursor) }
                let offset = cursor - position
                framePosition = nil
                let count = frameCount - offset
                if count > 0 {
                    cursor += count
                    return .samples(offset: offset, count: count)
                }
                unheard += 1
                if unheard % Self.framesOfStep == 0 { try onStep?() }
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
        let number = try source.next(into: frame)
        let isThere = number != nil
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
        if hasStarted || hasExactTimes, decoded.sampleRate != format.sampleRate { return try passOver() }
        strangersInRow = 0
        if !hasStarted {
            cursor = try first(decoded.sampleRate)
            hasStarted = true
        }
        format = decoded
        if let number { enterParts(number) }
        var position = running ?? 0
        if let pts = ticks(frame.fields.pts) {
            let exact = self.position(of: pts)
            let slack = sampleIndex(of: tolerance, rate: format.sampleRate)
            let isApart = !hasNoTimes && abs(exact - position) > slack
            if hasExactTimes || running == nil || isApart { position = exact }
        }
        running = position + frame.sampleCount
        framePosition = position
        frameCount = frame.sampleCount
        if let part = parts.first {
            frameCount = max(0, min(frameCount, self.position(of: part.time) - position))
        }
    }

    /// The number of the sample at a time of the track, in ticks.
    private func position(of time: Int64) -> Int {
        sampleIndex(of: Rational(ticks: time, timeBase) - origin, rate: format.sampleRate)
    }

    /// Comes to the part that the packet belongs to: its own time says where it lies.
    private func enterParts(_ number: Int) {
        while let part = parts.first, number >= part.number {
            running = nil
            parts.removeFirst()
        }
    }

    /// Drops a frame of another sample rate, as damage makes one or two. Throws `mediaUnsupported` after 16 in a row.
    private func passOver() throws {
        strangers += 1
        strangersInRow += 1
        running = nil
        if firstDamage == nil { firstDamage = Rational(max(0, cursor), max(1, format.sampleRate)) }
        guard strangersInRow >= 16 else { return }
        throw SplitreelError(
            .mediaUnsupported, operation: "decoding", subject: subject, reason: "the sample rate changes midway",
            hint: "`ffmpeg -i OLD -vn -ar \(format.sampleRate) NEW.flac` makes sound of one rate")
    }
}
