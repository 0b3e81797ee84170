internal import CFFmpeg
internal import Diagnostics
internal import Libav
package import MediaFacts
internal import MediaTime
package import SplitreelFiles

/// All facts of a media file that planning needs. Reads every packet once, decoding only the tracks' starts, and tracks
/// without times whole. The file's index is kept for the readers of the same process.
///
/// Throws `mediaNotFound` or `mediaCannotOpen`; `mediaUnsupported`, `mediaOverLimits` or `decodeFailed` where nothing
/// in the file can be shown or heard. One track of several that cannot be decoded says so in its `fault`.
package func probe(_ source: any MediaSource) throws -> AssetFacts {
    let (index, beginning) = try FileIndex.opening(source)
    if let pictures = try PictureFiles.open(source) { return try facts(pictures, index, source) }
    let demuxer = try beginning?.demuxer ?? Demuxer(source)
    guard demuxer.streamCount == index.tracks.count else {
        throw SplitreelError(
            .mediaChanged, operation: "probing", subject: source.name, reason: "the file changed meanwhile")
    }
    let hash = try edgeHash(source)
    var prober = Prober(demuxer: demuxer, index: index, beginning: beginning)
    let tracks = (0..<demuxer.streamCount).map { prober.track($0) }
    let usable = tracks.filter { $0.type == .video || $0.type == .audio }
    guard usable.contains(where: { $0.fault == nil }) else {
        let lack = index.isImage ? nil : UnfinishedFile(opened: source)
        throw lack?.error(path: source.name) ?? nothingReadable(usable, source)
    }
    let shortage = FilmEnd.shortage(source).map { "the file is \($0); what is whole of it is shown" }
    guard tracks.allSatisfy({ $0.start.isNumeric && $0.duration.isNumeric }) else {
        throw SplitreelError(
            .mediaCannotOpen, operation: "probing", subject: source.name,
            reason: "its times are not such as films have",
            hint: "the file may be damaged")
    }
    let ends = usable.filter { !$0.isCoverPicture }.map { Rational($0.start) + Rational($0.duration) }
    let plays = index.isImage ? nil : AnimatedImage.plays(source, format: demuxer.formatName)
    return AssetFacts(
        kind: index.isImage ? .image : plays == nil ? .media : .animatedImage, path: source.name,
        byteCount: hash.byteCount, edgeHash: hash.hash, contentSum: index.contentSum, mark: source.identity.mark,
        container: String(demuxer.formatName.prefix { $0 != "," }),
        duration: index.isImage ? .zero : (ends.max() ?? .zero).mediaTime, plays: plays, tracks: tracks,
        remarks: prober.findings.warnings + prober.warnings + (shortage.map { [$0] } ?? []))
}

/// The facts of a file that libav does not read.
private func facts(
    _ pictures: any PictureFile, _ index: FileIndex, _ source: any MediaSource
) throws -> AssetFacts {
    let hash = try edgeHash(source)
    let (track, warnings) = try pictures.track(source)
    let isStill = pictures.plays == nil
    return AssetFacts(
        kind: isStill ? .image : .animatedImage, path: source.name, byteCount: hash.byteCount, edgeHash: hash.hash,
        contentSum: index.contentSum, mark: source.identity.mark, container: type(of: pictures).name.container,
        duration: track.duration, plays: pictures.plays, tracks: [track], remarks: warnings)
}

/// The format of a file that holds media, by libavformat's name such as `mov` and a look at the file's beginning; nil
/// for other files, and where there is none.
package func mediaFormat(_ source: any MediaSource) -> String? {
    if let kind = PictureFiles.kind(of: source) { return kind.name.container }
    return (try? Demuxer(source)).map { String($0.formatName.prefix { $0 != "," }) }
}

/// The error for a file in which nothing can be read: the first track's fault stands for it.
private func nothingReadable(_ usable: [TrackFacts], _ source: any MediaSource) -> SplitreelError {
    guard let first = usable.first, let fault = first.fault else {
        return SplitreelError(
            .mediaUnsupported, operation: "probing", subject: source.name,
            reason: "the file has neither picture nor sound")
    }
    let codec = first.codec.isEmpty ? "" : ", \(first.codec)"
    return SplitreelError(
        fault.code, operation: "probing", subject: "\(source.name), track \(first.id) (\(first.type.rawValue)\(codec))",
        reason: fault.reason,
        hint: fault.code == .decodeFailed
            ? CutPicture.isCut(source)
                ? "the picture is cut off: copy or download the file again" : "the file may be damaged or encrypted"
            : "`splitreel error \(fault.code.number)` tells what is read")
}

struct Prober {
    let demuxer: Demuxer
    let index: FileIndex
    let beginning: FileBeginning?
    let findings: FileIndex.Findings
    private(set) var warnings: [String] = []

    init(demuxer: Demuxer, index: FileIndex, beginning: FileBeginning?) {
        (self.demuxer, self.index, self.beginning) = (demuxer, index, beginning)
        findings = index.findings ?? FileIndex.Findings(audioStarts: [:], audioFaults: [:], warnings: [])
    }

    mutating func track(_ stream: Int) -> TrackFacts {
        let fields = demuxer.stream(stream)
        let parameters = demuxer.parameters(stream)
        var facts = TrackFacts(
            id: stream + 1, type: Self.type(parameters),
            codec: ReadableMedia.codecName(parameters),
            isCoverPicture: fields.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            language: unsafe entry("language", of: fields.metadata))
        switch facts.type {
        case .video: fillVideo(&facts, stream)
        case .audio:
            facts.isDefault = fields.disposition & AV_DISPOSITION_DEFAULT != 0
            fillAudio(&facts, stream)
        default: fillOther(&facts, fields)
        }
        return facts
    }

    private static func type(_ parameters: AVCodecParameters) -> MediaType {
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO: .video
        case AVMEDIA_TYPE_AUDIO: .audio
        case AVMEDIA_TYPE_SUBTITLE: parameters.codec_id == AV_CODEC_ID_EIA_608 ? .closedCaption : .subtitle
        default: .metadata
        }
    }

    private func fillOther(_ facts: inout TrackFacts, _ stream: AVStream) {
        guard let start = ticks(stream.start_time) else { return }
        let time = Rational(ticks: start, stream.time_base) - index.origin
        let duration = Rational(ticks: ticks(stream.duration) ?? 0, stream.time_base)
        guard max(time.magnitude, duration) <= Rational(ReadLimits.span) else { return }
        (facts.start, facts.duration) = (time.mediaTime, duration.mediaTime)
    }

    private mutating func fillAudio(_ facts: inout TrackFacts, _ stream: Int) {
        let parameters = demuxer.parameters(stream)
        let base = demuxer.stream(stream).time_base
        let rate = Int(parameters.sample_rate)
        var name = [CChar](repeating: 0, count: 128)
        var layout = parameters.ch_layout
        if unsafe sr_layout_is_unspecified(&layout) != 0 {
            unsafe av_channel_layout_default(&layout, parameters.ch_layout.nb_channels)
        }
        unsafe av_channel_layout_describe(&layout, &name, name.count)
        facts.audio = AudioFacts(
            sampleRate: rate, channels: Int(parameters.ch_layout.nb_channels),
            layout: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        let packets = index.tracks[stream]
        if let fault = findings.audioFaults[stream] { return reject(&facts, fault) }
        guard ReadLimits.sampleRates.contains(rate), ReadLimits.channels.contains(facts.audio?.channels ?? 0) else {
            let isSilent = rate <= 0 || (facts.audio?.channels ?? 0) <= 0
            return reject(
                &facts,
                isSilent
                    ? .init(.decodeFailed, "the file does not say its sample rate or its channels")
                    : .init(
                        .mediaOverLimits,
                        "\(rate) Hz in \(facts.audio?.channels ?? 0) channels is more than is read "
                            + "(\(ReadLimits.sampleRates.upperBound) Hz, \(ReadLimits.channels.upperBound) channels)"))
        }
        guard let start = findings.audioStarts[stream], let end = packets.displayEnd(lastDuration: 0) else {
            return reject(&facts, .init(.decodeFailed, "the file holds no sound of it"))
        }
        let edits = packets.edits
        facts.start = ((edits?.start ?? start) - index.origin).mediaTime
        let length =
            edits.map { $0.end - $0.start } ?? Rational(ticks: end, base) - start - Rational(packets.endTrim, rate)
        facts.duration = max(length, .zero).mediaTime
        if SoundEntry.isExact(base, rate: rate) { facts.count = sampleIndex(of: max(length, .zero), rate: rate) }
    }

    mutating func reject(_ facts: inout TrackFacts, _ fault: TrackFacts.Fault) {
        facts.fault = fault
        let codec = facts.codec.isEmpty ? "" : " (\(facts.codec))"
        warnings.append("track \(facts.id)\(codec) cannot be used: \(fault.reason)")
    }

    mutating func warn(_ stream: Int, _ text: String) { warnings.append("track \(stream + 1): \(text)") }
}
