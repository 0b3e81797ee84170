internal import CFFmpeg
internal import Libav
internal import MediaFacts
internal import MediaTime
internal import Pictures

extension TrackFacts {
    /// Fills in the facts of time that a video track's index tells; `timeBase` is the unit of the index's times in
    /// seconds.
    mutating func fillTimes(_ video: inout VideoFacts, _ packets: PacketIndex, origin: Rational, timeBase: Rational) {
        guard !packets.display.isEmpty else { return }
        func time(_ ticks: Int64) -> Rational {
            Rational(numerator: Int128(ticks), denominator: 1) * timeBase
        }
        video.nominalFrameRate = packets.rate?.nominal
        video.isVariableFrameRate = packets.rate?.isVariable ?? false
        if let clock = packets.filmClock(base: timeBase), clock.isFlagged {
            video.filmRate = clock.rate(timeBase).mediaTime
        }
        let first = time(packets.displayTime(0))
        start = (first - origin).mediaTime
        let end = packets.displayEnd(lastDuration: packets.rate?.ticks ?? 0) ?? packets.displayTime(0)
        duration = max(.zero, time(end) - first).mediaTime
        let shown = packets.keys.filter { packets.entries[Int($0)].flags.isDisjoint(with: [.discard, .silent]) }
        let step = max(1, (shown.count + ReadLimits.keyFrames - 1) / ReadLimits.keyFrames)
        let times = shown.map { packets.entries[Int($0)].pts }.sorted()
        if let edits = packets.edits {
            // The rate is the media's own.
            (start, duration) = ((edits.start - origin).mediaTime, (edits.end - edits.start).mediaTime)
            video.keyFrames = edits.edits.filter { $0.media != nil }.map { ($0.start - origin).mediaTime }
            return
        }
        video.keyFrames = stride(from: 0, to: times.count, by: step).map { (time(times[$0]) - origin).mediaTime }
    }
}

extension Prober {
    mutating func fillVideo(_ facts: inout TrackFacts, _ stream: Int) {
        let pointer = unsafe demuxer.pointer(toStream: stream)
        let parameters = demuxer.parameters(stream)
        let packets = index.tracks[stream]
        let base = demuxer.stream(stream).time_base
        let (first, fault) = firstPicture(stream)
        let hasAlphaLayer = unsafe Decoder.hasAlphaLayer(pointer)
        var format = first?.format ?? AVPixelFormat(parameters.format)
        if index.isImage, parameters.codec_id == AV_CODEC_ID_AV1, AvifAlpha(demuxer.source) != nil {
            format = AlphaItem.joined(format) ?? format
        } else if hasAlphaLayer, first == nil {
            format = AV_PIX_FMT_YUVA420P
        }
        let description = format.descriptor
        let aspect = unsafe pixelAspect(pointer)
        // The container's size may be anything where nothing decodes.
        let size = PixelSize(
            width: first?.width ?? max(0, Int(parameters.width)),
            height: first?.height ?? max(0, Int(parameters.height)))
        var video = VideoFacts(
            codedSize: size, pixelAspectNumerator: Int(aspect.num), pixelAspectDenominator: Int(aspect.den),
            pixelFormat: format.name ?? "",
            bitDepth: Int(description?.comp.0.depth ?? 8),
            hasAlpha: hasAlphaLayer || (description?.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0)
        video.isFullRange =
            parameters.color_range == AVCOL_RANGE_JPEG || (PlanarLayout(format)?.isFullRangeByName ?? false)
        video.isInterlaced =
            parameters.field_order != AV_FIELD_UNKNOWN && parameters.field_order != AV_FIELD_PROGRESSIVE
        let tags = ColourTags(
            primaries: parameters.color_primaries, transfer: parameters.color_trc, matrix: parameters.color_space)
        video.colour = tags.triple
        video.guessesPrimaries = tags.triple != nil && !tags.namesPrimaries ? true : nil
        if let still = first?.still {
            if still.isTagged, let tags = first?.tags {
                video.colour = tags.triple
                video.guessesPrimaries = tags.triple != nil && !tags.namesPrimaries ? true : nil
            }
            video.hasProfile = still.profile == nil ? nil : true
            if let reason = still.fault {
                warn(stream, "\(AssetFacts.profileRemark) \(reason); its colours are taken for sRGB's")
            }
        }
        if !index.isImage, first?.namesNoColours == true, let colour = unsafe StillColour(ofFilm: pointer) {
            take(colour, for: &video, stream)
        }
        let said = unsafe HDRMetadata(stream: pointer)
        video.hdrMetadata = HDRMetadata(
            mastering: first?.hdr?.mastering ?? said?.mastering, light: first?.hdr?.light ?? said?.light)
        let orientation = unsafe DisplayMatrix(stream: pointer) ?? first?.orientation
        if let orientation {
            let display = video.displaySize
            video.preferredTransform = orientation.transform(width: display.width, height: display.height)
            video.rotation = orientation.degrees
        }
        facts.count = packets.display.count
        if let fault { reject(&facts, fault) }
        if packets.areTimesEstimated, !facts.isCoverPicture {
            warn(stream, "the file lacks presentation times; they were worked out")
        }
        if !index.isImage, !facts.isCoverPicture {
            facts.fillTimes(&video, packets, origin: index.origin, timeBase: Rational(base))
        }
        facts.video = video
    }

    private func pixelAspect(_ stream: UnsafeMutablePointer<AVStream>) -> AVRational {
        let aspect = unsafe av_guess_sample_aspect_ratio(demuxer.context, stream, nil)
        guard aspect.num > 0, aspect.den > 0 else { return AVRational(num: 1, den: 1) }
        var reduced = AVRational(num: 1, den: 1)
        unsafe av_reduce(&reduced.num, &reduced.den, Int64(aspect.num), Int64(aspect.den), 1 << 30)
        // Beyond 1:64 it is a mistake in the file.
        return reduced.num > 0 && reduced.den > 0 && reduced.num / reduced.den < 64 && reduced.den / reduced.num < 64
            ? reduced : AVRational(num: 1, den: 1)
    }

    /// Takes the colours of a film's profile, about which the tags say nothing.
    private mutating func take(_ colour: StillColour, for video: inout VideoFacts, _ stream: Int) {
        switch colour {
        case .named:
            video.colour = colour.overrides?.colour(over: video.colour, guessesPrimaries: true)
            video.guessesPrimaries = nil
        case .profile: video.hasProfile = true
        case .unusable(let reason): warn(stream, "\(AssetFacts.profileRemark) \(reason); it counts as untagged")
        }
    }

    private struct FirstPicture {
        var width: Int
        var height: Int
        var format: AVPixelFormat
        var orientation: DisplayMatrix?
        var hdr: HDRMetadata?
        var tags: ColourTags
        var namesNoColours: Bool
        var still: (profile: ColourProfile?, isTagged: Bool, fault: String?)?
    }

    private func firstPicture(_ stream: Int) -> (picture: FirstPicture?, fault: TrackFacts.Fault?) {
        do {
            let frame = try FirstFrame.decode(
                demuxer.source, stream: stream, index: index.tracks[stream], beginning: beginning,
                isAlone: index.beginsAlone(stream))
            let still = index.isImage ? frame.identifyStill(demuxer.source) : nil
            let fields = frame.fields
            let picture = FirstPicture(
                width: frame.width, height: frame.height, format: frame.pixelFormat,
                orientation: index.isImage ? DisplayMatrix(exifOf: frame, in: demuxer.source) : nil,
                hdr: HDRMetadata(frame: frame),
                tags: ColourTags(
                    primaries: fields.color_primaries, transfer: fields.color_trc, matrix: fields.colorspace),
                namesNoColours: frame.namesNoColours, still: still)
            return (picture, nil)
        } catch {
            return (nil, TrackFacts.Fault(error))
        }
    }
}
