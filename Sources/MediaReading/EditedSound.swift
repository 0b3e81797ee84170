internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import SplitreelFiles

/// An endless row of a track's samples on its own grid: sample n is at asset time n ÷ rate.
/// Confined to one thread at a time.
protocol SoundRow: AnyObject {
    /// The frame that `next` filled; its samples are good until the next call of `next`.
    var frame: Frame { get }
    var format: AudioFormat { get }
    /// The number of packets so far that the decoder refused.
    var damagedPackets: Int { get }
    /// The asset time in seconds of the first packet that the decoder refused, or nil.
    var firstDamage: Rational? { get }

    /// Called now and then while much is decoded that nobody hears. An error that it throws ends the reading.
    var onStep: (() throws -> Void)? { get set }

    /// The next block; never empty.
    func next() throws -> AudioSource.Block
}

/// The row of a track whose edit list plays stretches of it one after the other: each from the sample that lies there,
/// faster and higher where it is played faster. Edits that stand still or play nothing are silent.
final class EditedSound: SoundRow {
    let frame: Frame
    let format: AudioFormat
    private(set) var damagedPackets = 0
    private(set) var firstDamage: Rational?
    var onStep: (() throws -> Void)?

    private let source: any MediaSource
    private let track: Int
    /// The edits that play something, each with its samples counted from asset time 0.
    private let stretches: [(samples: Range<Int>, edit: EditList.Edit)]
    private var cursor: Int
    private var reader: AudioReader?
    private var stretch = 0
    /// The number of the reader's damaged packets that were counted already.
    private var counted = 0

    private static let blockLength = 4096

    init(
        _ source: any MediaSource, track: Int, edits: EditList, origin: Rational,
        first: (_ sampleRate: Int) throws -> Int
    ) throws {
        let parameters = try Demuxer(source).parameters(track - 1)
        let stated = AudioFormat(parameters)
        let rate = stated.sampleRate
        format = AudioFormat(sampleRate: rate, channels: stated.channels, mask: stated.mask)
        (self.source, self.track) = (source, track)
        frame = try Frame()
        cursor = try first(rate)
        func sample(_ time: Rational) -> Int { sampleIndex(of: time - origin, rate: rate) }
        stretches = edits.edits.filter { $0.media != nil && $0.rate > .zero }.map {
            (sample($0.start)..<max(sample($0.start), sample($0.end)), $0)
        }
        var layout = format.layout
        let channels = layout.nb_channels
        frame.update {
            unsafe av_channel_layout_copy(&$0.ch_layout, &layout)
            $0.format = format.sampleFormat
            $0.nb_samples = Int32(Self.blockLength)
            $0.sample_rate = Int32(rate)
        }
        guard (1...ReadLimits.channels.upperBound).contains(Int(channels)) else {
            throw SplitreelError(
                .mediaUnsupported, operation: "reading", subject: source.name, reason: "\(channels) channels cannot be")
        }
        try unsafe check(
            av_frame_get_buffer(frame.pointer, 64), "av_frame_get_buffer", subject: source.name, as: .internalFault)
    }

    func next() throws -> AudioSource.Block {
        while stretch < stretches.count, stretches[stretch].samples.upperBound <= cursor {
            stretch += 1
            reader = nil
            counted = 0
        }
        guard stretch < stretches.count else { return silence(Self.blockLength) }
        let (samples, edit) = stretches[stretch]
        if cursor < samples.lowerBound { return silence(samples.lowerBound - cursor) }
        let reader = try self.reader ?? open(edit, skipping: cursor - samples.lowerBound)
        reader.onStep = onStep
        self.reader = reader
        let count = min(samples.upperBound - cursor, Self.blockLength)
        guard let data = unsafe frame.fields.extended_data else { return silence(count) }
        let planes = unsafe (0..<format.channels).compactMap { plane in
            unsafe data[plane].map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self) }
        }
        try unsafe reader.read(into: planes, count: count)
        if reader.damagedPackets > counted {
            firstDamage = firstDamage ?? Rational(cursor, format.sampleRate)
            damagedPackets += reader.damagedPackets - counted
            counted = reader.damagedPackets
        }
        cursor += count
        return .samples(offset: 0, count: count)
    }

    private func silence(_ count: Int) -> AudioSource.Block {
        let length = min(count, Self.blockLength)
        cursor += length
        return .silence(length)
    }

    private func open(_ edit: EditList.Edit, skipping: Int) throws -> AudioReader {
        try AudioReader(
            source, track: track, sampleRate: format.sampleRate, channels: format.channels, mask: format.mask,
            rate: edit.rate,
            sourceStart: edit.media ?? .zero, sourceDuration: edit.duration * edit.rate, skipping: skipping,
            isUnedited: true)
    }
}
