internal import CFFmpeg
package import Composition
internal import Diagnostics
internal import MediaTime

/// All that planning needs to know of a media file. Reads every packet once (no decoding but the tracks' starts, and
/// tracks without times whole); a file's index is kept for the readers of the same process.
///
/// Throws `mediaNotFound`, or `mediaCannotOpen`/`decodeFailed` where nothing in the file can be shown or heard.
package func probe(path: String) throws -> AssetFacts {
    let index = try FileIndex.of(path: path)
    let demuxer = try Demuxer(path: path)
    guard demuxer.streamCount == index.tracks.count else {
        throw SplitreelError(.mediaChanged, operation: "probing", subject: path, reason: "the file changed meanwhile")
    }
    let hash = try edgeHash(path: path)
    var prober = Prober(demuxer: demuxer, index: index)
    let tracks = (0..<demuxer.streamCount).map { prober.track($0) }
    let usable = tracks.filter { $0.type == .video || $0.type == .audio }
    guard usable.contains(where: { prober.isReadable($0.id - 1) }) else {
        throw SplitreelError(
            usable.isEmpty ? .mediaUnsupported : .decodeFailed, operation: "probing", subject: path,
            reason: usable.isEmpty
                ? "the file has neither picture nor sound" : prober.warnings.first ?? "nothing decodes",
            hint: "the file may be damaged or encrypted")
    }
    let ends = usable.filter { !$0.isCoverPicture }.map { Rational($0.start) + Rational($0.duration) }
    return AssetFacts(
        kind: index.isImage ? .image : .media, path: path, byteCount: hash.byteCount, edgeHash: hash.hash,
        contentSum: index.contentSum, container: String(demuxer.formatName.prefix { $0 != "," }),
        duration: index.isImage ? .zero : (ends.max() ?? .zero).mediaTime, tracks: tracks,
        warnings: index.warnings + prober.warnings)
}

struct Prober {
    let demuxer: Demuxer
    let index: FileIndex
    private(set) var warnings: [String] = []
    private var unreadable: Set<Int> = []

    init(demuxer: Demuxer, index: FileIndex) { (self.demuxer, self.index) = (demuxer, index) }

    func isReadable(_ stream: Int) -> Bool { !unreadable.contains(stream) }

    mutating func track(_ stream: Int) -> TrackFacts {
        let fields = demuxer.stream(stream)
        let parameters = demuxer.parameters(stream)
        var facts = TrackFacts(
            id: stream + 1, type: Self.type(parameters),
            codec: parameters.codec_id == AV_CODEC_ID_NONE
                ? "" : parameters.codec_id.name,
            isCoverPicture: fields.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            language: unsafe entry("language", of: fields.metadata))
        switch facts.type {
        case .video: fillVideo(&facts, stream)
        case .audio: fillAudio(&facts, stream)
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
        facts.start = (Rational(ticks: start, stream.time_base) - index.origin).mediaTime
        let duration = ticks(stream.duration) ?? 0
        facts.duration = Rational(ticks: max(0, duration), stream.time_base).mediaTime
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
        let decoder = unsafe Decoder.decoder(demuxer.pointer(toStream: stream))
        guard rate > 0, parameters.ch_layout.nb_channels > 0, let start = index.audioStarts[stream],
            let end = packets.displayEnd(lastDuration: 0), unsafe decoder != nil
        else { return reject(stream, "no sound can be decoded") }
        facts.start = (start - index.origin).mediaTime
        let length = Rational(ticks: end, base) - start - Rational(packets.endTrim, rate)
        facts.duration = max(length, .zero).mediaTime
        if AudioSeeking.isExact(base, rate: rate) { facts.count = sampleIndex(of: max(length, .zero), rate: rate) }
    }

    mutating func reject(_ stream: Int, _ reason: String) {
        unreadable.insert(stream)
        warnings.append("track \(stream + 1): \(reason)")
    }

    mutating func warn(_ stream: Int, _ text: String) { warnings.append("track \(stream + 1): \(text)") }
}
