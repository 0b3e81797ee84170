internal import CFFmpeg
package import Diagnostics
package import Libav
package import MediaFacts
package import MediaTime
package import Pictures
package import SplitreelFiles

/// Frames of one video track by asset time: the frame held at a time is the last one presented no later.
///
/// Times that go forward decode on; other times seek to the key packet that the frame needs. The frame for a time
/// depends on the file alone, damaged or not. Blocking, confined to one thread at a time, not Sendable.
package final class VideoReader {
    private let index: FileIndex
    private let track: PacketIndex
    private let timeBase: Rational
    private let subject: String
    private let conversion: SourceConversion
    private let overrides: ColourOverrides?
    private let matrixOfUntagged: ColourMatrix?
    private let reduction: Int
    private let source: any MediaSource
    private let stream: Int
    /// The finder of the track's pictures; nil once a still has been decoded: its packet and its decoder are not needed
    /// any more.
    private var finder: (any PictureFinder)?
    private let converted: Frame
    private var convertedFrom: (number: Int, matrix: ColourMatrix)?
    /// Makes whole frames of interlaced film; nil where that is not wanted.
    private let deinterlacer: Deinterlacer?
    /// Makes film's own frames of video that was made of it; nil where that is not wanted.
    private let pulldown: PulldownRemover?
    /// The pictures that were decoded lately, by place, whose damage is not yet told of.
    private var decoded: [Int: FrameFinder.Shown] = [:]
    /// The picture of a still that `converted` holds. Where the still is R'G'B' it is for `matrix` alone.
    private var still: (shown: FrameFinder.Shown, matrix: ColourMatrix?)?
    /// The colours of a film's profile; nil without one, and where the composition says what the film's samples stand
    /// for.
    private let colourOfFilm: StillColour?
    /// Whether each frame's own pixel aspect counts, since the container says none.
    package let framesTellAspect: Bool
    /// The profile of the picture's R'G'B' where tags cannot say its colours; known once a picture was handed out.
    package private(set) var profile: ColourProfile?
    /// The numbers of packets whose damage or absence was noticed.
    private var noticed: Set<Int> = []
    private var notices = NoticeList()

    /// Opens a track, by its position in the file from 1. `overrides` stand in for its frames' tags, `matrixOfUntagged`
    /// for a matrix that they do not tag. With `keepsHighlights` floats may show more than reference white, as HDR. A
    /// still is handed out reduced by `reduction`, see `Frame.reducedByArea`.
    package init(
        _ source: any MediaSource, track: Int, deinterlacing: Deinterlacing? = nil, overrides: ColourOverrides? = nil,
        matrixOfUntagged: ColourMatrix? = nil, keepsHighlights: Bool = false, reduction: Int = 1
    ) throws {
        self.overrides = overrides
        self.matrixOfUntagged = matrixOfUntagged
        self.reduction = reduction
        index = try FileIndex.of(source)
        let stream = track - 1
        (self.source, self.stream) = (source, stream)
        subject = "\(source.name), track \(track)"
        self.track = try index.track(track, of: source)
        conversion = SourceConversion(subject: subject, keepsHighlights: keepsHighlights)
        converted = try Frame()
        let opened = try PictureFiles.finder(source, stream: stream, index: index, subject: subject)
        timeBase = opened.timeBase
        let isSaid = overrides?.primaries != nil || overrides?.transfer != nil
        colourOfFilm = isSaid || index.isImage ? nil : (opened as? FrameFinder)?.colourOfFilm
        framesTellAspect = !index.isImage && (opened as? FrameFinder)?.framesTellAspect == true
        // Whether H.264 says that a frame is interlaced may follow from what it said of the one before.
        (opened as? FrameFinder)?.passesOver = deinterlacing?.order != .auto
        finder = index.isImage ? opened : try BackwardFinder(opened)
        let isFilm = deinterlacing?.order == .pulldown
        deinterlacer = try isFilm ? nil : deinterlacing.map { [subject] in try Deinterlacer($0, subject: subject) }
        pulldown = isFilm ? try PulldownRemover(track: self.track, base: timeBase, subject: subject) : nil
    }

    /// Hands out the frame that is held at `assetTime` as planar Y'CbCr(A), and the asset time that it is presented
    /// from; the frame is good inside `body` only (or by `reference()`). Returns nil more than 100 ms before the first
    /// frame; the last frame holds for ever; a still picture holds for any time. R'G'B' is converted with
    /// `matrixForRGB`. The same frame is neither decoded nor converted twice in a row.
    package func withFrame<R>(
        at assetTime: Rational, matrixForRGB: ColourMatrix = .bt709,
        _ body: (borrowing Frame, _ presentation: Rational) throws -> R
    ) throws -> R? {
        if index.isImage { return try withStill(matrixForRGB, body) }
        guard let (time, edit) = ownTime(at: assetTime), let place = place(at: time, in: edit) else { return nil }
        let finder = try openFinder()
        if let pulldown {
            let from = try removePulldown(place, at: time, in: edit, finder, matrixForRGB, pulldown)
            return try body(pulldown.output, placed(from, in: edit))
        }
        if let deinterlacer {
            let second = try secondField(of: place, at: time, deinterlacer)
            try deinterlace(place, isSecondField: second != nil, finder, matrixForRGB, deinterlacer)
            return try body(
                deinterlacer.output, placed(second ?? presentation(of: Int(track.display[place])), in: edit))
        }
        let number = try find(place, finder).number
        let shownFrom = placed(presentation(of: number), in: edit)
        tag(finder.held)
        guard isChanged(finder.held) else { return try body(finder.held, shownFrom) }
        if convertedFrom?.number != number || convertedFrom?.matrix != matrixForRGB {
            convertedFrom = nil
            try change(finder.held, matrixForRGB)
            convertedFrom = (number, matrixForRGB)
        }
        return try body(converted, shownFrom)
    }

    /// The places in the source, in bytes, of the packets from which the frames that are held from one asset time to
    /// another are decoded, in their order; empty for stills, and of packets of which the file does not tell.
    package func packetPlaces(from first: Rational, through last: Rational) -> [Range<Int>] {
        func shown(_ time: Rational) -> Int? { ownTime(at: time).flatMap { place(at: $0.time, in: $0.edit) } }
        guard !index.isImage, let end = shown(last) else { return [] }
        return track.packetPlaces(from: min(shown(first) ?? 0, end), through: end)
    }

    /// The times of the frame that is held at `assetTime` and of those beside it, asset times; nil for stills, and
    /// where nothing is shown. Fields count as frames where they are shown as such. No edit goes on into the next one.
    package func span(at assetTime: Rational) -> FrameSpan? {
        guard !index.isImage, let (time, edit) = ownTime(at: assetTime), let place = place(at: time, in: edit) else {
            return nil
        }
        var times: [Rational]
        if let clock = pulldown?.clock {
            let film = clock.film(at: (time + index.origin) / timeBase)
            let near = max(0, film - 2)...min(clock.count - 1, film + 1)
            times = near.map { clock.time(ofFilm: $0) * timeBase }
        } else {
            let before = track.place(heldAt: track.displayTime(place) &- 1)
            let near = [before, place, place + 1].compactMap(\.self)
            times = near.filter { track.display.indices.contains($0) }.flatMap { starts(ofPlace: $0) }
        }
        if let edit, let from = edit.media(at: edit.start) {
            // The edit may begin in the midst of a frame; what begins at its end is not in it.
            let first = times.last { $0 <= from.time } ?? times[0]
            times = times.filter { $0 == first || ($0 > first && $0 < from.limit) }
        }
        let held = times.lastIndex { $0 <= time + index.origin } ?? 0
        let placed = times.map { self.placed($0 - index.origin, in: edit) }
        return FrameSpan(
            start: placed[held], previous: held > 0 ? placed[held - 1] : nil,
            next: held + 1 < placed.count ? placed[held + 1] : nil)
    }

    /// The even times, in the track's own seconds, at which a picture, or each of its fields, begins.
    private func starts(ofPlace place: Int) -> [Rational] {
        let second = deinterlacer?.showsFields == true ? track.secondFieldTime(place, base: timeBase) : nil
        return [track.evenTime(place) * timeBase] + (second.map { [$0 * timeBase] } ?? [])
    }

    /// Whether other samples are handed out than were decoded.
    private func isChanged(_ frame: borrowing Frame) -> Bool {
        SourceConversion.isNeeded(frame) || isDivided(frame)
    }

    private func isDivided(_ frame: borrowing Frame) -> Bool {
        overrides?.isPremultiplied == true && AlphaDivision.isPossible(frame)
    }

    /// Makes `converted` the picture as planar Y'CbCr(A) with straight alpha.
    private func change(_ frame: borrowing Frame, _ matrix: ColourMatrix) throws {
        if SourceConversion.isNeeded(frame) {
            try conversion.convert(frame, matrix: matrix, into: converted)
        } else {
            try converted.copy(of: frame, subject: subject)
        }
        if isDivided(frame) { AlphaDivision.divide(converted) }
    }

    /// Hands out a still. Its file is there for one picture, so that only the picture that is handed out is kept.
    private func withStill<R>(
        _ matrix: ColourMatrix, _ body: (borrowing Frame, _ presentation: Rational) throws -> R
    ) throws -> R {
        if let still, still.matrix == nil || still.matrix == matrix {
            note(still.shown, 0)
            return try body(converted, presentation(of: still.shown.number))
        }
        still = nil
        converted.clear()
        let shown = try find(0, try openFinder())
        let decoded = try Frame()
        if let finder { decoded.take(from: finder.held) }
        finder = nil
        profile = decoded.identifyStill(source, overrides).profile
        if let matrixOfUntagged { decoded.tag(untagged: matrixOfUntagged) }
        let isPremultiplied = overrides?.isPremultiplied ?? TIFFDirectory(source)?.isAlphaAssociated ?? false
        let isDivided = isPremultiplied && AlphaDivision.isPossible(decoded)
        if SourceConversion.isNeeded(decoded) {
            try conversion.convert(
                decoded, matrix: matrix, into: converted, spendsSource: !decoded.isReferencedElsewhere)
            still = (shown, matrix)
        } else if isDivided {
            try converted.copy(of: decoded, subject: subject)
            still = (shown, nil)
        } else {
            converted.take(from: decoded)
            still = (shown, nil)
        }
        if isDivided { AlphaDivision.divide(converted) }
        // Many stills may be held, each once.
        source.rest()
        if reduction > 1 { converted.take(from: try converted.reducedByArea(reduction, subject: subject)) }
        return try body(converted, presentation(of: shown.number))
    }

    private func tag(_ frame: borrowing Frame) {
        if let colourOfFilm, frame.namesNoColours {
            if case .profile(let own) = colourOfFilm { profile = own }
            if let own = colourOfFilm.overrides { frame.tag(own) }
        } else if !index.isImage {
            profile = nil
        }
        if let overrides { frame.tag(overrides) }
        if let matrixOfUntagged { frame.tag(untagged: matrixOfUntagged) }
    }

    private func openFinder() throws -> any PictureFinder {
        if let finder { return finder }
        let made = try PictureFiles.finder(source, stream: stream, index: index, subject: subject)
        let shown: any PictureFinder = index.isImage ? made : try BackwardFinder(made)
        finder = shown
        return shown
    }

    /// The time on the track's own line in seconds, and the edit that shows it; nil in an edit that shows nothing.
    private func ownTime(at assetTime: Rational) -> (time: Rational, edit: EditList.Edit?)? {
        guard let edits = track.edits else { return (assetTime, nil) }
        // A time up to 100 ms before the first picture shows it, as in tracks without edits.
        let time = assetTime + index.origin
        let isNear = time < edits.start && edits.start - time <= Rational(1, 10)
        guard let edit = edits.edit(at: isNear ? edits.start : time), let media = edit.media(at: time) else {
            return nil
        }
        return (min(media.time, media.limit) - index.origin, edit)
    }

    private func placed(_ presentation: Rational, in edit: EditList.Edit?) -> Rational {
        edit.map { $0.presentation(of: presentation + index.origin) - index.origin } ?? presentation
    }

    /// The place of the picture at a time. An edit shows the pictures that are presented before its end, or the first
    /// one.
    private func place(at time: Rational, in edit: EditList.Edit?) -> Int? {
        guard let edit, let limit = edit.media(at: edit.start)?.limit else { return place(at: time) }
        let place = track.place(heldAt: (time + index.origin) / timeBase) ?? 0
        let isBeyond = place > 0 && Rational(Int(track.displayTime(place))) * timeBase >= limit
        return isBeyond ? place - 1 : place
    }

    private func place(at assetTime: Rational) -> Int? {
        let inTicks = (assetTime + index.origin) / timeBase
        if let place = track.place(heldAt: inTicks) { return place }
        let gap =
            Rational(numerator: Int128(track.displayTime(0)), denominator: 1) * timeBase - index.origin - assetTime
        return gap <= Rational(1, 10) ? 0 : nil
    }

    /// Makes the finder hold the frame of that place in presentation order.
    private func find(_ place: Int, _ finder: any PictureFinder) throws -> FrameFinder.Shown {
        let shown = try findQuietly(place, finder)
        note(shown, place)
        return shown
    }

    private func findQuietly(_ place: Int, _ finder: any PictureFinder) throws -> FrameFinder.Shown {
        guard let shown = try finder.find(place) else {
            throw SplitreelError(
                .decodeFailed, operation: "decoding", subject: subject,
                reason: Libav.takeLogLine() ?? "the decoder gave no frame",
                hint: "`splitreel probe` shows what can be read of the file")
        }
        return shown
    }

    private func note(_ shown: FrameFinder.Shown, _ place: Int) {
        let wanted = Int(track.display[place])
        let isWorth = shown.isDamaged || shown.isSubstitute || shown.followsLoss
        guard isWorth, noticed.insert(wanted).inserted else { return }
        let reason =
            shown.isSubstitute
            ? "frames cannot be decoded; the last good one before them is shown"
            : shown.isDamaged
                ? "the file is damaged; frames show what can be decoded of them"
                : "a part of the file cannot be read; frames may be missing, and those after it may show that"
        notices.add(
            Notice(
                shown.isSubstitute ? .framesSubstituted : .sourceDamaged, subject: subject, reason: reason,
                firstSeconds: presentation(of: wanted).double))
    }

    private func presentation(of number: Int) -> Rational {
        Rational(numerator: Int128(track.entries[number].pts), denominator: 1) * timeBase - index.origin
    }

    /// The notices of damage in the frames handed out since the last call; the counts are frames of the source.
    package func takeNotices() -> NoticeList {
        defer { (notices, noticed) = (NoticeList(), []) }
        return notices
    }
}

// MARK: - Interlaced film

extension VideoReader {
    /// The time in seconds that the place's second field is presented from; nil where fields are not shown, or the time
    /// is before it.
    private func secondField(of place: Int, at assetTime: Rational, _ deinterlacer: Deinterlacer) throws -> Rational? {
        guard deinterlacer.showsFields, let due = track.secondFieldTime(place, base: timeBase) else { return nil }
        let second = due * timeBase - index.origin
        return assetTime >= second ? second : nil
    }

    private func deinterlace(
        _ place: Int, isSecondField: Bool, _ finder: any PictureFinder, _ matrix: ColourMatrix,
        _ deinterlacer: Deinterlacer
    ) throws {
        if convertedFrom.map({ $0.matrix != matrix }) ?? false { deinterlacer.forget() }
        try deinterlacer.show(place, isSecondField: isSecondField, count: track.display.count) {
            try planar($0, finder, matrix)
        }
        noteDecoded(place, keeping: 3)
    }

    /// Makes the remover hold the film frame at a time, and returns the time that it is presented from.
    private func removePulldown(
        _ place: Int, at assetTime: Rational, in edit: EditList.Edit?, _ finder: any PictureFinder,
        _ matrix: ColourMatrix, _ pulldown: PulldownRemover
    ) throws -> Rational {
        if convertedFrom.map({ $0.matrix != matrix }) ?? false { pulldown.forget() }
        guard let clock = pulldown.clock else {
            try pulldown.show(place) { try planar($0, finder, matrix) }
            noteDecoded(place, keeping: 3)
            return presentation(of: Int(track.display[place]))
        }
        func time(_ film: Int) -> Rational { clock.time(ofFilm: film) * timeBase }
        var film = clock.film(at: (assetTime + index.origin) / timeBase)
        // An edit shows the pictures before its end, or the first one.
        if let edit, let limit = edit.media(at: edit.start)?.limit, film > 0, time(film) >= limit { film -= 1 }
        let own = try pulldown.show(film: film) { try planar($0, finder, matrix) }
        noteDecoded(own, keeping: 24)
        return time(film) - index.origin
    }

    /// Whether the frames are such as 2:3 pull-down makes of film, for a reader that is to remove it. Decodes some
    /// thirty frames.
    package func findsPulldown() throws -> Bool {
        guard let pulldown, !track.display.isEmpty else { return false }
        let finder = try openFinder()
        return try pulldown.findsRepeats { try planar($0, finder, .bt709) }
    }

    /// The place's own picture, planar, of which another one is to be made.
    private func planar(_ place: Int, _ finder: any PictureFinder, _ matrix: ColourMatrix) throws -> Frame {
        let shown = try findQuietly(place, finder)
        decoded[place] = shown
        tag(finder.held)
        guard isChanged(finder.held) else { return try finder.held.reference() }
        try change(finder.held, matrix)
        convertedFrom = (shown.number, matrix)
        return try converted.reference()
    }

    private func noteDecoded(_ place: Int, keeping reach: Int) {
        if let own = decoded[place] { note(own, place) }
        decoded = decoded.filter { abs($0.key - place) < reach }
    }
}
