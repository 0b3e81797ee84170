internal import CFFmpeg
internal import Diagnostics
import Glibc
package import Libav
internal import MediaFacts
package import MediaReading
internal import MediaTime
package import Outputs
package import Pictures

/// Writes the film: stamps every packet anew with its frame's time in the output and interleaves the sounds by time.
///
/// Confined to one thread at a time. Memory does not grow but for the index that libavformat keeps (some tens of bytes
/// per packet). The file appears at `path` as it grows and is whole only after `finish`.
package final class FilmWriter: FilmSink {
    private let file: OutputFile
    private let video: FilmVideoTrack?
    /// The picture's place in the file; nil without a picture.
    private let videoStream: Int?
    /// The sounds, each with its place in the file.
    private let sounds: [(source: SoundSource, stream: Int)]
    /// The tracks that are pulled by time, sounds and stored ones, each with its place in the file.
    private let pulled: [(source: any PulledTrack, stream: Int)]
    private var texts: [FilmTextTrack] = []
    private let container: Container
    /// The seconds by which everything is moved; see `startOffset`.
    private let offset: Rational
    private var videoPackets = 0
    private var buffer: DecoderBuffer?
    /// The cover's place in the file; nil without a cover.
    private let posterStream: Int?
    private let isFragmented: Bool
    /// The places, among the tracks, of text that an MP4 or QuickTime file does not show by itself.
    private let hiddenTracks: [Int]
    /// The cover, where it is written after everything is finished.
    private var attachedPoster: [UInt8]?
    private let going: () throws -> Void

    package init(
        path: String, container: Container, video: FilmVideoTrack?, audio: [FilmAudioTrack], tags: FilmTags? = nil,
        texts: [FilmText] = [], chapters: [FilmChapter] = [], isFragmented: Bool = false,
        hasPoster: Bool = false, stored: [StoredTrack] = [], going: @escaping () throws -> Void = {}
    ) throws {
        (self.video, self.going) = (video, going)
        buffer = video.flatMap { DecoderBuffer($0) }
        let file = try OutputFile(path: path, muxer: container.muxerName, interleaving: container == .mxf)
        self.file = file
        offset = startOffset(container: container, audio: audio, stored: stored)
        videoStream = try video.map { track in
            try file.addStream {
                try track.describe(&$0, &$1, container: container)
                $0.disposition |= tags?.video?.flags ?? 0
            }
        }
        (self.container, self.isFragmented) = (container, isFragmented)
        if let videoStream, let settings = video?.settings {
            let isLater = settings.measuresLight == true && (container.isMatroska || isFragmented)
            try Self.describe(settings, videoStream, file, isLater: isLater)
        }
        let first = (video == nil ? 0 : 1) + audio.count + stored.count
        // The picture comes first, whoever made it.
        let shown = try Self.add(stored.filter(\.format.isPicture), to: file, container)
        hiddenTracks =
            container.isISO
            ? texts.indices.filter { !texts[$0].dispositions.contains(.default) }.map { first + $0 } : []
        sounds = try audio.map { track in
            let source = try SoundSource(track: track, container: container)
            let stream = try file.addStream {
                try source.describe(&$0, &$1)
                $0.disposition |= track.tags?.flags ?? 0
            }
            return (source, stream)
        }
        let heard = try Self.add(stored.filter { !$0.format.isPicture }, to: file, container)
        pulled = shown + sounds.map { ($0.source, $0.stream) } + heard
        if let tags { try file.setTags(tags.sortedItems(in: container)) }
        let isNamed = tags.map { !$0.hidesTrackName(in: container) } ?? true
        for (stream, track) in [(videoStream, tags?.video)] + zip(sounds, audio).map({ ($0.stream, $1.tags) }) {
            guard let stream, let track else { continue }
            try file.setTags(track.items(in: container, isNamed: isNamed), ofStream: stream)
        }
        posterStream = try video.flatMap { hasPoster ? try $0.addPoster(to: file, container) : nil }
        let clocks =
            [try video.map { Int(try $0.scale()) }, audio.first?.settings.sampleRate].compactMap { $0 }
            + stored.map { Int($0.clock) }
        let end = isFragmented ? video.map { $0.timing.time(ofFrame: $0.frameCount) } : nil
        self.texts = try texts.map {
            try FilmTextTrack($0, in: file, container: container, clocks: clocks, offset: offset, end: end)
        }
        try file.setChapters(container.isISO ? chapters.withoutGaps : chapters, offset: offset)
        let room =
            (tags?.roomInHeader ?? 0) + texts.reduce(0) { $0 + $1.roomInHeader } + chapters.roomInHeader
            + (hasPoster ? VideoSettings.mostPosterBytes + 512 : 0)
            + audio.dropFirst().reduce(0) { $0 + 2 * ($1.tags?.name?.utf8.count ?? 0) + 512 }
        try file.writeHeader(
            try headerOptions(
                container: container, video: video, audio: audio, stored: stored, tagRoom: room,
                isFragmented: isFragmented, chapters: container.isISO ? chapters.withoutGaps : chapters))
    }

    /// Takes the next packet of the picture in decoding order; `frame` is the output frame that it shows.
    package func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        guard let video, let videoStream else { preconditionFailure("the film was opened without a picture") }
        let decodeIndex = videoPackets - video.settings.reorderDepth
        guard frame >= decodeIndex, frame < video.frameCount else {
            throw SplitreelError(
                .muxFailed, operation: "stitching", subject: file.path,
                reason: "frame \(frame) came as packet \(videoPackets) of \(video.frameCount)")
        }
        if video.settings.hasBlockAdditions { try packet.splitBlockAddition(of: file.path) }
        if let filler = try buffer?.filler(afterBytes: packet.byteCount) { try packet.append(filler) }
        let decodeTime = video.decodeTime(decodeIndex) + offset
        let length = video.packetDuration(ofFrame: frame, isLast: videoPackets == video.frameCount - 1)
        try appendPulled(until: decodeTime)
        let tick = file.timeBase(ofStream: videoStream)
        packet.update {
            $0.stream_index = Int32(videoStream)
            $0.pts = tick.ticks(video.timing.time(ofFrame: frame) + offset)
            $0.dts = tick.ticks(decodeTime)
            $0.duration = tick.ticks(length)
            $0.pos = -1
        }
        try file.write(packet)
        videoPackets += 1
    }

    private static func describe(
        _ settings: VideoSettings, _ place: Int, _ file: OutputFile, isLater: Bool
    ) throws {
        let light = isLater ? MatroskaLight.placeholder : settings.hdrMetadata?.light
        if let metadata = HDRMetadata(mastering: settings.hdrMetadata?.mastering, light: light) {
            try file.setHDRMetadata(metadata, ofStream: place)
        }
    }

    /// Writes the rest of the sound and the film's index, and waits until the disk has it all. `light` is the measured
    /// light of the frames, where the settings want it.
    package func finish(light: ContentLight?) throws {
        if let video, videoPackets != video.frameCount {
            throw SplitreelError(
                .muxFailed, operation: "stitching", subject: file.path,
                reason: "\(videoPackets) of \(video.frameCount) frames were appended")
        }
        try appendPulled(until: nil)
        for track in pulled { try track.source.checkComplete() }
        try writeFinalHeader()
        // MP4 and QuickTime have the light in their index, which comes last.
        if let light, !isFragmented, let videoStream, let metadata = HDRMetadata(mastering: nil, light: light) {
            try file.setHDRMetadata(metadata, ofStream: videoStream)
        }
        try file.finish()
        if let light, container.isMatroska { try MatroskaLight.write(light, path: file.path) }
        if let light, isFragmented { try MovieBoxes.write(light, path: file.path) }
        if !hiddenTracks.isEmpty { try MovieBoxes.hide(hiddenTracks, path: file.path) }
        if let attachedPoster { try MatroskaCover.write(attachedPoster, path: file.path) }
    }

    package func setPoster(_ picture: [UInt8]) throws {
        guard let posterStream else { preconditionFailure("the film was opened without a cover") }
        if container.isMatroska {
            attachedPoster = picture
            return
        }
        let packet = try Packet()
        try packet.append(picture)
        packet.update {
            $0.stream_index = Int32(posterStream)
            ($0.pts, $0.dts) = (0, 0)
            $0.flags |= AV_PKT_FLAG_KEY
        }
        try file.write(packet)
    }

    /// Writes FLAC's header anew with the sum of all samples; libavformat takes it from a packet without data.
    private func writeFinalHeader() throws {
        guard container == .flac, let sound = sounds.first, let header = sound.source.finalHeader else { return }
        let packet = try Packet()
        try packet.setNewExtradata(header)
        packet.update { $0.stream_index = Int32(sound.stream) }
        try file.write(packet)
    }

    package func remove() { _ = unsafe unlink(file.path) }

    private static func add(
        _ tracks: [StoredTrack], to file: OutputFile, _ container: Container
    ) throws -> [(source: any PulledTrack, stream: Int)] {
        try tracks.map { track in
            let source = try StoredSource(track, container: container)
            return (source, try source.addStream(to: file, container))
        }
    }

    /// Writes the packets of sound, of stored tracks and of text that begin at or before `time`, in seconds; all that
    /// are left for nil.
    private func appendPulled(until time: Rational?) throws {
        while let (start, track) = try nextPulled() {
            try going()
            if let time, time < start + offset { break }
            try appendTexts(until: start + offset)
            let packet = try track.source.take(unit: file.timeBase(ofStream: track.stream), offset: offset)
            packet.update { $0.stream_index = Int32(track.stream) }
            try file.write(packet)
        }
        try appendTexts(until: time)
    }

    /// The track whose next packet begins first, and that packet's time in seconds. Of several that begin at once it is
    /// the one before the others in the film. nil at the end of all.
    private func nextPulled() throws -> (start: Rational, track: (source: any PulledTrack, stream: Int))? {
        var next: (start: Rational, track: (source: any PulledTrack, stream: Int))?
        for track in pulled {
            guard let start = try track.source.nextStart() else { continue }
            if next.map({ start < $0.start }) ?? true { next = (start, track) }
        }
        return next
    }

    private func appendTexts(until time: Rational?) throws {
        for index in texts.indices { try texts[index].append(until: time, to: file) }
    }
}

/// The seconds by which the film starts late. Matroska has no negative times and no way to say that AAC or MP3 begins
/// with priming: there the whole film moves, so that picture and sounds stay together.
private func startOffset(container: Container, audio: [FilmAudioTrack], stored: [StoredTrack]) -> Rational {
    guard container.isMatroska else { return .zero }
    let late = audio.filter { $0.settings.codec.untoldPriming > 0 }
    let own = late.map { Rational($0.record.priming, $0.settings.sampleRate) }
    return (own + stored.map { $0.lateness(in: container) }).reduce(.zero, max)
}

extension Container {
    var muxerName: String {
        switch self {
        case .mp4: "mp4"
        case .mov: "mov"
        case .mkv: "matroska"
        case .webm: "webm"
        case .mxf: "mxf"
        case .m4a: "ipod"
        case .wav: "wav"
        case .flac: "flac"
        case .ogg: "ogg"
        case .mp3: "mp3"
        case .m3u8: "hls"
        case .mpd: "dash"
        case .gif: "gif"
        // This container is written without a muxer of libavformat's.
        case .webp: "webp"
        case .waveform: "waveform"
        case .png, .jpg, .tiff, .exr: "image2"
        case .y4m: "yuv4mpegpipe"
        case .nut: "nut"
        }
    }
}
