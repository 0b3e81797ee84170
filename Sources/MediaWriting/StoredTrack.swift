internal import CFFmpeg
internal import Diagnostics
internal import Glibc
package import Libav
internal import MediaReading
package import MediaTime
package import Outputs
package import Pictures
internal import SplitreelFiles

/// A packet of a stored track: its bytes' place in the track's file, and its times in ticks of the track's clock.
package struct StoredEntry: Sendable {
    /// The first byte's place in the file.
    package var place: Int64
    package var presentation: Int64
    package var decode: Int64
    package var duration: Int64
    package var byteCount: Int32
    /// The samples that decoders are to cut from the packet's end.
    package var endTrim: Int32
    package var isKey: Bool

    package init(
        place: Int64, byteCount: Int32, presentation: Int64, decode: Int64, duration: Int64, endTrim: Int32, isKey: Bool
    ) {
        (self.place, self.byteCount) = (place, byteCount)
        (self.presentation, self.decode, self.duration) = (presentation, decode, duration)
        (self.endTrim, self.isKey) = (endTrim, isKey)
    }
}

/// A track that is written into a film as it is stored elsewhere: its packets' bytes stand one after the other in a
/// file.
package struct StoredTrack: Sendable {
    package var format: StoredFormat
    /// The map by which players turn the picture; nil for the one that the format states.
    package var transform: Affine?
    /// The path of the file with the packets' bytes.
    package var path: String
    /// The ticks in a second in which the packets' times count, from 1 to 2³¹ − 1.
    package var clock: Int32
    /// The packets in decoding order; decode times rise, and none is after its presentation time.
    package var entries: [StoredEntry]

    package init(
        format: StoredFormat, transform: Affine?, path: String, clock: Int32, entries: [StoredEntry]
    ) {
        (self.format, self.transform, self.path) = (format, transform, path)
        (self.clock, self.entries) = (clock, entries)
    }

    /// The containers that stored tracks can be written into.
    package static let containers: [Container] = [.mp4, .mov, .mkv]
}

extension StoredTrack {
    /// The first presentation time in seconds of the film; nil without packets.
    var start: Rational? { entries.map(\.presentation).min().map(seconds) }

    /// The seconds by which a film of the container begins late for the track's sake: Matroska has no times below 0.
    package func lateness(in container: Container) -> Rational {
        container.isMatroska ? max(.zero, -StoredSource.earliest(of: self, container)) : .zero
    }

    /// Whether the format states a turn of the picture that the container has no place for.
    package func losesTurn(in container: Container) -> Bool {
        !container.isISO && transform == nil
            && format.sideData.contains { $0.type == AV_PKT_DATA_DISPLAYMATRIX && !$0.bytes.isIdentityMatrix }
    }

    /// The end of what is shown or heard, in seconds of the film; nil without packets.
    package var end: Rational? { entries.map { $0.presentation + $0.duration }.max().map(seconds) }

    /// The last presentation time in seconds of the film; nil without packets.
    package var lastStart: Rational? { entries.map(\.presentation).max().map(seconds) }

    func seconds(_ ticks: Int64) -> Rational { Rational(Int(ticks), Int(clock)) }

    /// An upper bound of the bytes that the track takes in an MP4's index. For each packet: size 4, decode and
    /// composition offset 16, sync sample 4, dependency 1, one chunk with offset 8 and map entry 12, and 3 to spare.
    var roomInIndex: Int {
        4096 + 2 * format.header.count + format.sideData.reduce(0) { $0 + $1.bytes.count + 64 } + 48 * entries.count
    }
}

extension StoredFormat {
    /// Whether libavformat's muxer of the container takes the codec.
    package func fits(_ container: Container) -> Bool {
        guard let muxer = unsafe av_guess_format(container.muxerName, nil, nil) else { return false }
        return unsafe avformat_query_codec(muxer, parameters.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 1
    }

    /// The samples of silence, or of no meaning, with which an Opus stream begins by its own header.
    fileprivate var opusPriming: Int? {
        guard unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS else { return nil }
        let header = header
        guard header.count >= 19, header.starts(with: "OpusHead".utf8) else { return nil }
        return Int(header[10]) | Int(header[11]) << 8
    }
}

/// The packets of a stored track, taken in decoding order while a film is written. Confined to one thread at a time.
final class StoredSource: PulledTrack {
    private let track: StoredTrack
    private let descriptor: Int32
    private var next = 0
    /// The seconds that are added to a packet's own time: Matroska's readers subtract what its header says of priming,
    /// but libavformat writes the times without it.
    private let packetOffset: Rational
    private let isISO: Bool
    private let isMatroska: Bool

    init(_ track: StoredTrack, container: Container) throws {
        self.track = track
        (isISO, isMatroska) = (container.isISO, container.isMatroska)
        packetOffset = Self.packetOffset(of: track, container)
        descriptor = unsafe open(track.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw writingFailure("open", track.path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// The film's earliest time in the file's own count, in seconds; below 0 where the track begins before the film.
    static func earliest(of track: StoredTrack, _ container: Container) -> Rational {
        (track.start ?? .zero) + packetOffset(of: track, container)
    }

    private static func packetOffset(of track: StoredTrack, _ container: Container) -> Rational {
        guard container.isMatroska, let priming = track.format.opusPriming else { return .zero }
        return Rational(priming, 48_000)
    }

    /// Adds the track's stream to the film; answers its place.
    func addStream(to file: OutputFile, _ container: Container) throws -> Int {
        let format = track.format
        let place = try file.addStream { stream, parameters in
            try unsafe check(
                avcodec_parameters_copy(&parameters, format.parameters), "avcodec_parameters_copy",
                subject: track.path, as: .muxFailed)
            parameters.codec_tag = unsafe file.tag(of: format.parameters.pointee)
            // Players of Apple's take HEVC only under this name, which says that the header has the parameter sets.
            if container.isISO, parameters.codec_id == AV_CODEC_ID_HEVC, parameters.extradata_size > 0 {
                parameters.codec_tag = fourCC("hvc1")
            }
            if let priming = format.opusPriming { parameters.initial_padding = Int32(clamping: priming) }
            stream.time_base = AVRational(num: 1, den: track.clock)
            guard format.isPicture else { return }
            (stream.avg_frame_rate, stream.r_frame_rate) = (format.frameRate, format.frameRate)
            let aspect = format.pixelAspect.num > 0 ? format.pixelAspect : parameters.sample_aspect_ratio
            (stream.sample_aspect_ratio, parameters.sample_aspect_ratio) = (aspect, aspect)
        }
        for data in format.sideData where data.type != AV_PKT_DATA_DISPLAYMATRIX || track.transform == nil {
            try unsafe data.bytes.withUnsafeBytes { try unsafe file.setSideData(data.type, $0, ofStream: place) }
        }
        if let transform = track.transform, transform != .identity {
            try unsafe transform.displayMatrix.withUnsafeBytes {
                try unsafe file.setSideData(AV_PKT_DATA_DISPLAYMATRIX, $0, ofStream: place)
            }
        }
        if let language = format.language { try file.setTags([("language", language)], ofStream: place) }
        return place
    }

    func nextStart() throws -> Rational? {
        guard next < track.entries.count else { return nil }
        return track.seconds(track.entries[next].decode)
    }

    func take(unit: AVRational, offset: Rational) throws -> Packet {
        let entry = track.entries[next]
        next += 1
        let packet = try Packet()
        try unsafe check(
            av_new_packet(packet.pointer, entry.byteCount), "av_new_packet", subject: track.path, as: .muxFailed)
        try fill(packet, from: entry)
        let offset = offset + packetOffset
        func ticks(_ time: Int64) -> Int64 { unit.ticks(track.seconds(time) + offset) }
        let (start, decode) = (ticks(entry.presentation), ticks(entry.decode))
        let length = isISO && next == track.entries.count ? lastDuration : entry.duration
        packet.update {
            ($0.pts, $0.dts) = (start, min(start, decode))
            $0.duration = max(0, ticks(entry.presentation + length) - start)
            $0.flags = entry.isKey ? AV_PKT_FLAG_KEY : 0
            $0.pos = -1
        }
        if isMatroska, entry.endTrim > 0 { try packet.markSamples(skipping: 0, padding: Int64(entry.endTrim)) }
        return packet
    }

    /// The length that the last packet states: MP4 and QuickTime take a track's length from its last packet, whichever
    /// picture it shows.
    private var lastDuration: Int64 {
        guard let first = track.entries.first, let last = track.entries.last else { return 0 }
        let end = track.entries.reduce(Int64.min) { max($0, $1.presentation + $1.duration) }
        let length = (end - first.presentation) - (last.decode - first.decode)
        return length > 0 ? length : last.duration
    }

    private func fill(_ packet: borrowing Packet, from entry: StoredEntry) throws {
        guard let data = unsafe packet.fields.data else { return }
        var done = 0
        while done < Int(entry.byteCount) {
            let count = unsafe pread(
                descriptor, data + done, Int(entry.byteCount) - done, off_t(entry.place) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw writingFailure("read", track.path, errno: count < 0 ? errno : EIO) }
            done += count
        }
    }

    func checkComplete() throws {
        guard next == track.entries.count else {
            throw invalidSegment(track.path, "\(next) of \(track.entries.count) packets were written")
        }
    }
}

extension [UInt8] {
    /// Whether they are libavutil's matrix that turns nothing.
    fileprivate var isIdentityMatrix: Bool {
        unsafe Affine.identity.displayMatrix.withUnsafeBytes { unsafe elementsEqual($0) }
    }
}

extension Affine {
    /// The map as libavutil has it: nine numbers, the third of each row in 2⁻³⁰, the others in 2⁻¹⁶.
    fileprivate var displayMatrix: [Int32] {
        [a, b, 0, c, d, 0, tx, ty].map { Int32(($0 * 65536).rounded()) } + [1 << 30]
    }
}
