internal import CFFmpeg
package import Composition
internal import Diagnostics
package import MediaTime

/// Frames of one video track by asset time: the frame held at a time is the last one presented no later.
///
/// Keeps one decoder open and two frames. Times that go forward decode on; other times seek to the key packet that
/// the frame needs. Blocking, confined to one thread at a time, not Sendable.
package final class VideoReader {
    private let index: FileIndex
    private let track: PacketIndex
    private let source: FrameSource
    private let timeBase: Rational
    private let subject: String
    private let conversion: SourceConversion
    private let centresChroma: Bool
    private let alpha: AlphaItem?

    private let held: Frame
    private var heldNumber: Int?
    private let pending: Frame
    private var pendingNumber: Int?
    private let converted: Frame
    private var convertedFrom: (number: Int, matrix: ColourMatrix)?
    /// The packet that decoding was last entered at.
    private var entry = 0
    private var isAtEnd = false
    /// Packets from which a decode that began well before them gave no frame.
    private var silent: Set<Int> = []

    /// Damage met so far, in words for a person.
    package private(set) var warnings: [String] = []

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
        source = try FrameSource(path: path, stream: stream, index: self.track, threads: threads)
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
        centresChroma = codec == AV_CODEC_ID_WEBP
        alpha = index.isImage ? try AlphaItem.of(path: path, codec: codec) : nil
        conversion = SourceConversion(subject: subject)
        held = try Frame()
        pending = try Frame()
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
        let presentation =
            Rational(numerator: Int128(track.entries[number].pts), denominator: 1) * timeBase - index.origin
        guard SourceConversion.isNeeded(held) else { return try body(held, presentation) }
        if convertedFrom?.number != number || convertedFrom?.matrix != matrixForRGB {
            convertedFrom = nil
            try conversion.convert(held, matrix: matrixForRGB, into: converted)
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

    /// Makes `held` the frame of that place in presentation order; its packet's number is returned.
    private func decode(_ place: Int) throws -> Int {
        var target = Int(track.display[place])
        var place = place
        while silent.contains(target), place > 0 {
            place -= 1
            target = Int(track.display[place])
        }
        if heldNumber == target { return target }
        let keyPlace = track.keyPlace(for: target)
        if !canGoForward(to: target, key: Int(track.keys[keyPlace])) { try enter(at: Int(track.keys[keyPlace])) }
        var attempt = keyPlace
        while true {
            try advance(to: target)
            if let number = heldNumber, number == target { return number }
            // What came out may be due to where decoding began: begin earlier, once or until a frame is there.
            let startedBefore = track.keys[keyPlace] > entry || entry == 0
            if startedBefore, let number = heldNumber, time(number) <= time(target) {
                return settle(for: number, insteadOf: target)
            }
            guard entry > 0 else { break }
            attempt = keyPlace - attempt > 4 ? 0 : max(0, attempt - 1)
            try enter(at: Int(track.keys[attempt]))
        }
        if pendingNumber != nil { try promote() }
        guard let number = heldNumber else {
            throw SplitreelError(
                .decodeFailed, operation: "decoding", subject: subject,
                reason: Libav.takeLogLine() ?? "the decoder gave no frame",
                hint: "`splitreel probe` shows what can be read of the file")
        }
        return settle(for: number, insteadOf: target)
    }

    private func settle(for number: Int, insteadOf target: Int) -> Int {
        if silent.insert(target).inserted {
            let at = Rational(numerator: Int128(track.entries[target].pts), denominator: 1) * timeBase - index.origin
            warnings.append("\(subject): no frame at \(at) s; the one before it is shown")
        }
        return number
    }

    private func time(_ number: Int) -> Int64 { track.entries[number].pts }

    private func canGoForward(to target: Int, key: Int) -> Bool {
        guard !isAtEnd || pendingNumber != nil, let latest = pendingNumber ?? heldNumber else {
            return heldNumber == nil && pendingNumber == nil && !isAtEnd && source.cursor.next == 0 && key == 0
        }
        if let heldNumber, time(heldNumber) > time(target) { return false }
        if pendingNumber != nil, heldNumber == nil, time(latest) > time(target) { return false }
        // Ahead within what is already being decoded, or so near that entering anew saves nothing.
        return key <= source.cursor.next + 4
    }

    private func enter(at key: Int) throws {
        (heldNumber, pendingNumber, isAtEnd, entry) = (nil, nil, false, key)
        convertedFrom = nil
        try source.seek(to: key)
    }

    /// Decodes until the target is held, or a later frame is pending, or the end.
    private func advance(to target: Int) throws {
        while true {
            if let number = pendingNumber {
                if time(number) > time(target) { return }
                try promote()
                if number == target { return }
            }
            guard !isAtEnd else { return }
            let damage = source.damagedPackets
            if let number = try source.next(into: pending) {
                if track.entries.indices.contains(number), !track.entries[number].flags.contains(.discard) {
                    pendingNumber = number
                }
            } else {
                isAtEnd = true
            }
            if source.damagedPackets > damage, warnings.count < 16 {
                warnings.append("\(subject): damaged data" + (Libav.takeLogLine().map { " (\($0))" } ?? ""))
            }
        }
    }

    private func promote() throws {
        held.take(from: pending)
        try alpha?.join(to: held)
        (heldNumber, pendingNumber) = (pendingNumber, nil)
        convertedFrom = nil
        if centresChroma, held.fields.chroma_location == AVCHROMA_LOC_UNSPECIFIED {
            held.update { $0.chroma_location = AVCHROMA_LOC_CENTER }
        }
    }
}
