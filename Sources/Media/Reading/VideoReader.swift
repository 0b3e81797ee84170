internal import CFFmpeg
package import Composition
package import Diagnostics
package import MediaTime

/// Frames of one video track by asset time: the frame held at a time is the last one presented no later.
///
/// Times that go forward decode on; other times seek to the key packet that the frame needs. What a time shows depends
/// on the file alone, damaged or not. Blocking, confined to one thread at a time, not Sendable.
package final class VideoReader {
    private let index: FileIndex
    private let track: PacketIndex
    private let timeBase: Rational
    private let subject: String
    private let conversion: SourceConversion
    private let finder: FrameFinder
    private let converted: Frame
    private var convertedFrom: (number: Int, matrix: ColourMatrix)?
    /// Packets whose damage or absence was noticed.
    private var noticed: Set<Int> = []
    private var notices = NoticeList()

    /// `track` is the track's position in the file from 1. `threads` decoder threads; the frames do not depend on it.
    package init(path: String, track: Int, threads: Int = 1) throws {
        index = try FileIndex.of(path: path)
        let stream = track - 1
        subject = "\(path), track \(track)"
        guard index.tracks.indices.contains(stream) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: path, reason: "there is no track \(track)")
        }
        self.track = index.tracks[stream]
        let source = try FrameSource(path: path, stream: stream, index: self.track, threads: threads)
        guard source.cursor.demuxer.type(stream) == AVMEDIA_TYPE_VIDEO else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: path, reason: "track \(track) is not video")
        }
        guard !self.track.display.isEmpty else {
            throw SplitreelError(
                .decodeFailed, operation: "reading", subject: subject, reason: "the track has no frames")
        }
        let codec = source.cursor.demuxer.parameters(stream).codec_id
        timeBase = Rational(source.cursor.demuxer.stream(stream).time_base)
        // WebP is JPEG-like: chroma lies between the luma samples, and the decoder does not say so.
        let centresChroma = codec == AV_CODEC_ID_WEBP
        let alpha = index.isImage ? try AlphaItem.of(path: path, codec: codec) : nil
        finder = try FrameFinder(track: self.track, source: source, alpha: alpha, centresChroma: centresChroma)
        conversion = SourceConversion(subject: subject)
        converted = try Frame()
    }

    /// Hands out the frame that is held at `assetTime` as planar Y'CbCr(A), and the asset time that it is presented
    /// from; the frame is good inside `body` only (or by `reference()`). nil more than 100 ms before the first frame;
    /// the last frame holds for ever; a still picture holds for any time. R'G'B' is converted with `matrixForRGB`.
    /// The same frame is neither decoded nor converted twice in a row.
    package func withFrame<R>(
        at assetTime: Rational, matrixForRGB: ColourMatrix = .bt709,
        _ body: (borrowing Frame, _ presentation: Rational) throws -> R
    ) throws -> R? {
        guard let place = place(at: assetTime) else { return nil }
        let number = try decode(place)
        let presentation = presentation(of: number)
        guard SourceConversion.isNeeded(finder.held) else { return try body(finder.held, presentation) }
        if convertedFrom?.number != number || convertedFrom?.matrix != matrixForRGB {
            convertedFrom = nil
            try conversion.convert(finder.held, matrix: matrixForRGB, into: converted)
            convertedFrom = (number, matrixForRGB)
        }
        return try body(converted, presentation)
    }

    private func place(at assetTime: Rational) -> Int? {
        if index.isImage { return 0 }
        let inTicks = (assetTime + index.origin) / timeBase
        if let place = track.place(heldAt: inTicks) { return place }
        let gap =
            Rational(numerator: Int128(track.displayTime(0)), denominator: 1) * timeBase - index.origin - assetTime
        return gap <= Rational(1, 10) ? 0 : nil
    }

    /// Makes the finder hold the frame of that place in presentation order; its packet's number is returned.
    private func decode(_ place: Int) throws -> Int {
        guard let shown = try finder.find(place) else {
            throw SplitreelError(
                .decodeFailed, operation: "decoding", subject: subject,
                reason: Libav.takeLogLine() ?? "the decoder gave no frame",
                hint: "`splitreel probe` shows what can be read of the file")
        }
        if shown.isDamaged || shown.isSubstitute { notice(shown, Int(track.display[place])) }
        return shown.number
    }

    private func notice(_ shown: FrameFinder.Shown, _ wanted: Int) {
        guard noticed.insert(wanted).inserted else { return }
        let notice =
            shown.isSubstitute
            ? Notice(
                .framesSubstituted, subject: subject,
                reason: "frames cannot be decoded; the last good one before them is shown")
            : Notice(
                .sourceDamaged, subject: subject,
                reason: "the file is damaged; frames show what can be decoded of them")
        var dated = notice
        dated.firstSeconds = presentation(of: wanted).double
        notices.add(dated)
    }

    private func presentation(of number: Int) -> Rational {
        Rational(numerator: Int128(track.entries[number].pts), denominator: 1) * timeBase - index.origin
    }

    /// What a person should know of the frames handed out since the last call; the counts are frames of the source.
    package func takeNotices() -> NoticeList {
        defer { (notices, noticed) = (NoticeList(), []) }
        return notices
    }
}
