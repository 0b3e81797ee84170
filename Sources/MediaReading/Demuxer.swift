internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import SplitreelFiles

/// One open source: files of known formats only, no playlists, no external references.
///
/// Input is hostile. This is where a file's numbers enter: a track's clock is checked when the file is opened, its
/// fields and every packet's times as they are handed out, so that arithmetic on them further in cannot overflow.
/// Confined to one thread at a time.
@safe
final class Demuxer {
    let source: any MediaSource
    private(set) var context: UnsafeMutablePointer<AVFormatContext>
    /// The bytes that `context` reads; nil while the demuxer is asleep.
    private var bytes: InputBytes?
    /// The edit lists by the file's own track numbers; empty where libavformat may apply the file's edit lists itself.
    private let edits: [Int: EditList.Stated]

    init(_ source: any MediaSource) throws {
        self.source = source
        edits = EditList.stated(in: source)
        let input = try InputBytes(source)
        unsafe context = try Self.open(source, input, appliesEdits: edits.isEmpty)
        bytes = input
    }

    /// A sleeping demuxer of the same source, with the tracks of `other` as they are now.
    init(asleep other: Demuxer) throws {
        (source, edits) = (other.source, other.edits)
        unsafe (context, isAsleep) = (try other.shell(), true)
    }

    deinit { letGo() }

    /// Whether only the streams' facts are kept of the file: then it has to be reopened to be read.
    private(set) var isAsleep = false

    /// Lets go of the file's structure. libavformat's knowledge of an hour of sound in MP4 takes 4 MB.
    func sleep() throws {
        guard !isAsleep else { return }
        let shell = try unsafe shell()
        letGo()
        unsafe (context, isAsleep) = (shell, true)
    }

    private func shell() throws -> UnsafeMutablePointer<AVFormatContext> {
        let shell = try unsafe checkAllocated(avformat_alloc_context(), "avformat_alloc_context")
        do {
            for index in 0..<streamCount { try unsafe copyStream(index, to: shell) }
        } catch {
            unsafe avformat_free_context(shell)
            throw error
        }
        unsafe shell.pointee.iformat = context.pointee.iformat
        return unsafe shell
    }

    /// Copies the facts of a stream that probing asks for and decoders are made from.
    private func copyStream(_ index: Int, to shell: UnsafeMutablePointer<AVFormatContext>) throws {
        let copy = try unsafe checkAllocated(avformat_new_stream(shell, nil), "avformat_new_stream")
        let own = unsafe pointer(toStream: index)
        unsafe (copy.pointee.id, copy.pointee.time_base) = (own.pointee.id, own.pointee.time_base)
        unsafe (copy.pointee.start_time, copy.pointee.duration) = (own.pointee.start_time, own.pointee.duration)
        unsafe (copy.pointee.disposition, copy.pointee.discard) = (own.pointee.disposition, own.pointee.discard)
        try unsafe check(
            avcodec_parameters_copy(copy.pointee.codecpar, own.pointee.codecpar), "avcodec_parameters_copy",
            subject: source.name)
        unsafe copy.pointee.sample_aspect_ratio = own.pointee.sample_aspect_ratio
        try unsafe check(
            av_dict_copy(&copy.pointee.metadata, own.pointee.metadata, 0), "av_dict_copy", subject: source.name)
        for place in unsafe 0..<Int(own.pointee.nb_side_data) {
            let side = unsafe own.pointee.side_data[place]
            let memory = unsafe av_stream_new_side_data(copy, side.type, side.size)
            try unsafe checkAllocated(memory, "av_stream_new_side_data").update(from: side.data, count: side.size)
        }
    }

    private func letGo() {
        if isAsleep { unsafe avformat_free_context(context) } else { unsafe Self.close(context) }
        bytes = nil
    }

    var formatName: String { unsafe context.pointee.iformat.map { unsafe String(cString: $0.pointee.name) } ?? "" }
    var formatFlags: Int32 { unsafe context.pointee.iformat?.pointee.flags ?? 0 }
    var streamCount: Int { unsafe Int(context.pointee.nb_streams) }

    /// The streams that go by one clock: those of each program, or all where the file has no programs.
    var programs: [[Int]] {
        var left = Set(0..<streamCount)
        let count = unsafe Int(context.pointee.nb_programs)
        guard count > 1 else { return [Array(0..<streamCount)] }
        return unsafe (0..<count).compactMap { unsafe context.pointee.programs[$0]?.pointee }.map { program in
            unsafe (0..<Int(program.nb_stream_indexes)).map { unsafe Int(program.stream_index[$0]) }.filter {
                left.remove($0) != nil
            }
        }
    }

    /// Whether the format's clock may begin again in the middle of a file.
    var mayChangeClock: Bool { roundOfClock > 0 }
    /// The ticks after which the format's clock begins again by itself, a power of two beyond all times where it does
    /// not; 0 where the format has one clock for a whole file.
    var roundOfClock: Int64 {
        switch formatName {
        case "mpegts", "mpeg": 1 << 33
        case "ogg", "matroska,webm", "flv": 1 << 62
        default: 0
        }
    }
    /// Whether a clock of the format begins again only where another file follows, whose times count from about 0.
    /// Other steps and leaps are the film's own, or damage.
    var partsBeginAtZero: Bool { formatName == "matroska,webm" || formatName == "flv" }

    /// A stream of the file. The index must be below `streamCount`, here and below. The stream lives until the demuxer
    /// is reopened or put to sleep.
    func pointer(toStream index: Int) -> UnsafeMutablePointer<AVStream> {
        guard index < streamCount, let stream = unsafe context.pointee.streams[index] else {
            preconditionFailure("a file has no stream at that position")
        }
        return unsafe stream
    }

    /// The stream's fields; its times and rates are within `ReadLimits`, or unknown.
    func stream(_ index: Int) -> AVStream { unsafe pointer(toStream: index).pointee.bounded }
    func parameters(_ index: Int) -> AVCodecParameters { unsafe stream(index).codecpar.pointee }
    /// The stream's edit list that libavformat does not apply; nil where there is none.
    func edits(_ index: Int) -> EditList.Stated? { edits[Int(stream(index).id)] }
    func type(_ index: Int) -> AVMediaType { parameters(index).codec_type }

    /// Keeps the packets of these streams; the demuxer drops those of all others.
    func select(_ streams: Set<Int>) {
        for index in 0..<streamCount {
            let discard = streams.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
            unsafe pointer(toStream: index).pointee.discard = discard
        }
    }

    /// Reads the next packet; false at the end of the file. A fault of the file's own ends the file too and stands in
    /// `readError`. Throws what the source threw since the file was opened: many demuxers take that for the end, and
    /// hand out the part of a packet that was read.
    func read(into packet: borrowing Packet) throws -> Bool {
        precondition(!isAsleep, "a file that was let go of is reopened before it is read")
        packet.clear()
        bytes?.watch(rawStream: isRaw)
        for _ in 0..<1000 {
            let result = unsafe av_read_frame(context, packet.pointer)
            if let failure = bytes?.error { throw failure }
            if result >= 0 {
                if isOgg, isHeader(packet) {
                    packet.clear()
                    continue
                }
                if packet.streamIndex < streamCount, !bound(packet) { impossibleTimes += 1 }
                return true
            }
            let barren = bytes?.barrenReason
            if result == SR_ERROR_AGAIN, barren == nil { continue }
            if let barren {
                readError = barren
            } else if result != SR_ERROR_EOF {
                readError = Libav.text(result)
            }
            return false
        }
        readError = "the demuxer makes no progress"
        return false
    }
    private(set) var readError: String?
    /// The number of packets so far whose times no film has; they were handed out without times.
    private(set) var impossibleTimes = 0

    private lazy var isOgg = formatName == "ogg"
    private lazy var isRaw = unsafe InputBytes.isRawStream(context)

    private func isHeader(_ packet: borrowing Packet) -> Bool {
        packet.streamIndex < streamCount
            && OggHeader.isHeader(packet.fields, codec: parameters(packet.streamIndex).codec_id)
    }

    private func bound(_ packet: borrowing Packet) -> Bool {
        packet.boundTimes(unsafe pointer(toStream: packet.streamIndex).pointee.time_base)
    }

    /// Goes to a packet at or before that time, in the stream's ticks; false where the file cannot be entered there.
    func seek(stream: Int, to ticks: Int64) -> Bool {
        unsafe av_seek_frame(context, Int32(stream), ticks, AVSEEK_FLAG_BACKWARD) >= 0
    }

    func seek(toByte position: Int64) -> Bool { unsafe av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE) >= 0 }

    /// Opens the file again, back to the state after `init`.
    func reopen() throws {
        let input = try InputBytes(source)
        let fresh = try unsafe Self.open(source, input, appliesEdits: edits.isEmpty)
        letGo()
        unsafe (context, isAsleep) = (fresh, false)
        bytes = input
    }

    private static func close(_ context: UnsafeMutablePointer<AVFormatContext>) {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&owned)
    }

    private static func open(
        _ source: any MediaSource, _ bytes: InputBytes, appliesEdits: Bool
    ) throws -> UnsafeMutablePointer<AVFormatContext> {
        if source.byteCount == 0 { throw UnfinishedFile.empty.error(path: source.name) }
        Libav.prepare()
        Libav.opening(source.name)
        defer { Libav.opening("") }
        _ = Libav.takeLogLine()
        let still = unsafe StillFormat.demuxer(of: source)
        var wanted = InputBytes.options
        wanted.append(("skip_estimate_duration_from_pts", "1"))
        if !appliesEdits { wanted.append(("ignore_editlist", "1")) }
        if let still = unsafe still, unsafe StillFormat.isOfStills(still) { wanted.append(("fflags", "noparse")) }
        let opened: UnsafeMutablePointer<AVFormatContext>
        do {
            unsafe opened = try bytes.open(
                named: source.name, format: still, options: wanted, failure: .mediaCannotOpen)
        } catch {
            if let own = bytes.error as? SplitreelError, own.code != .mediaCannotOpen { throw own }
            throw clarified(error, source)
        }
        do {
            bytes.watch(rawStream: unsafe InputBytes.isRawStream(opened))
            try unsafe findStreams(opened, source.name)
            // One that has begun is read up to there.
            let hasBegun = unsafe hasKnownTrack(opened)
            if !hasBegun, let reason = bytes.barrenReason {
                throw SplitreelError(
                    .mediaOverLimits, operation: "opening", subject: source.name, reason: reason,
                    hint: "the file may be damaged, or its name's ending that of another format")
            }
        } catch {
            unsafe close(opened)
            if let own = bytes.error as? SplitreelError, own.code != .mediaCannotOpen { throw own }
            throw UnfinishedFile(source)?.error(path: source.name) ?? error
        }
        return unsafe opened
    }

    private static func hasKnownTrack(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        for index in unsafe 0..<Int(context.pointee.nb_streams) {
            guard let stream = unsafe context.pointee.streams[index]?.pointee else { continue }
            let parameters = unsafe stream.codecpar.pointee
            if parameters.width > 0 || parameters.sample_rate > 0 { return true }
        }
        return false
    }

    /// The error in plain words where a file is not complete, where libavformat takes the bytes for a format that is
    /// not read, or for none while they are text. It looks at them once more: its own error only says that something
    /// was invalid.
    static func clarified(_ error: SplitreelError, _ source: any MediaSource) -> SplitreelError {
        let path = error.subject.description
        if let lack = UnfinishedFile(source) { return lack.error(error.code, path: path) }
        let still = unsafe StillFormat.demuxer(of: source)
        let format = try? unsafe InputBytes(source).formatName(named: source.name, format: still)
        if let format, !ReadableMedia.isFormat(format) { return ReadableMedia.refusal(ofFormat: format, path: path) }
        return ReadableMedia.isText(source.head(4096)) ? ReadableMedia.refusal(ofFormat: "", path: path) : error
    }

    private static func findStreams(_ context: UnsafeMutablePointer<AVFormatContext>, _ path: String) throws {
        let count = unsafe Int(context.pointee.nb_streams)
        let places = 0..<max(count, 1)
        var options: [OpaquePointer?] = unsafe places.map { _ in nil }
        defer { for place in places { unsafe av_dict_free(&options[place]) } }
        for index in places {
            unsafe av_dict_set(&options[index], "max_pixels", "\(ReadLimits.pixels)", 0)
            unsafe av_dict_set(&options[index], "max_samples", "\(ReadLimits.samplesPerFrame)", 0)
            unsafe av_dict_set(&options[index], "threads", "1", 0)
        }
        let result = unsafe options.withUnsafeMutableBufferPointer {
            unsafe avformat_find_stream_info(context, count == 0 ? nil : $0.baseAddress)
        }
        try check(result, "avformat_find_stream_info", subject: path, as: .mediaCannotOpen)
        guard unsafe context.pointee.nb_streams > 0 else {
            throw SplitreelError(
                .mediaCannotOpen, operation: "avformat_find_stream_info", subject: path,
                reason: "the file has no tracks")
        }
        // Complaints about tracks that nobody may ever ask for.
        _ = Libav.takeLogLine()
        for index in unsafe 0..<Int(context.pointee.nb_streams) {
            guard let stream = unsafe context.pointee.streams[index]?.pointee else { continue }
            guard ReadLimits.isClock(stream.time_base) else {
                let base = stream.time_base
                throw SplitreelError(
                    .mediaCannotOpen, operation: "avformat_find_stream_info", subject: path,
                    reason: "track \(index + 1) counts time in units of \(base.num)/\(base.den) s, which no film does",
                    hint: "the file may be damaged")
            }
        }
    }
}
