package import CFFmpeg
package import Diagnostics
internal import Glibc
package import SplitreelFiles

/// Owns an AVIOContext, through which libavformat reads bytes that Swift gives it. It must outlive whatever reads from
/// it; libavformat leaves it alone when an AVFormatContext with it is closed. Confined to one thread at a time.
@safe
package final class InputBytes {
    package let context: UnsafeMutablePointer<AVIOContext>
    private let feed: Feed

    /// The reason, for a person, why libavformat was given an end: it found nothing in as many bytes as `watch` allows.
    /// nil where it was not.
    package var barrenReason: String? {
        guard feed.isBarren else { return nil }
        return feed.countsAll
            ? "no frame ends within \(ReadLimits.rawStretchBytes) bytes of it"
            : "there are more than \(ReadLimits.zeroBytes) zeros in a row"
    }

    /// Whether a film is a bare stream, whose frames libavformat finds by parsing.
    package static func isRawStream(_ film: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        guard let format = unsafe film.pointee.iformat else { return false }
        let name = unsafe String(cString: format.pointee.name)
        let codec = unsafe format.pointee.raw_codec_id
        return name == "mp3" || (codec != 0 && !name.hasSuffix("pipe"))
    }

    /// Begins to count the bytes in which libavformat finds no packet: all that it reads of a raw stream, which it
    /// collects in memory until a frame ends, and zeros of any other file. Beyond the limit there is an end, up to the
    /// next seek.
    package func watch(rawStream: Bool) {
        guard !feed.isBarren else { return }
        feed.countsAll = rawStream
        feed.mostBarrenBytes = rawStream ? ReadLimits.rawStretchBytes : ReadLimits.zeroBytes
        feed.barrenBytes = 0
    }

    /// The first failure of reading; libavformat is only told that there was one.
    package var error: (any Error)? { feed.error }

    /// The bytes of a source, at any place.
    package convenience init(_ source: any MediaSource) throws {
        let feed = unsafe Feed(byteCount: Int64(source.byteCount)) { place, buffer in
            try unsafe source.read(at: place, into: buffer)
        }
        // The length of libavformat's own buffer for files.
        try self.init(feed, bufferLength: 1 << 15, subject: source.name)
    }

    /// Bytes in their order alone: `read` fills a buffer with the next ones and answers their number, 0 at the end.
    package convenience init(
        inOrder read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, subject: String
    ) throws {
        let feed = unsafe Feed(byteCount: nil) { _, buffer in try unsafe read(buffer) }
        try self.init(feed, bufferLength: 1 << 16, subject: subject)
    }

    private init(_ feed: Feed, bufferLength: Int, subject: String) throws {
        self.feed = feed
        // libavformat may put another buffer in the place of this one, and frees none of them.
        let buffer = try unsafe checkAllocated(av_malloc(bufferLength), "av_malloc")
        let opaque = unsafe Unmanaged.passUnretained(feed).toOpaque()
        let made = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferLength), 0, opaque, readFeed, nil,
            feed.byteCount == nil ? nil : seekFeed)
        guard let made = unsafe made else {
            unsafe av_free(buffer)
            throw SplitreelError(
                .internalFault, operation: "avio_alloc_context", subject: subject, reason: "no memory")
        }
        unsafe context = made
    }

    deinit {
        var owned: UnsafeMutablePointer<AVIOContext>? = unsafe context
        unsafe av_freep(&context.pointee.buffer)
        unsafe avio_context_free(&owned)
    }
}

extension InputBytes {
    /// The options with which somebody else's file is opened: formats that name further files are not among those that
    /// are read, and none may be opened by its name.
    package static let options = [
        ("protocol_whitelist", "file"), ("format_whitelist", ReadableMedia.formatList),
        ("codec_whitelist", ReadableMedia.decoderList), ("max_streams", "\(ReadLimits.streams)"),
    ]

    /// The address by which libavformat knows a source: its end helps to tell the format.
    package static func address(_ name: String) -> String { "file:" + name }

    /// Opens the bytes as a film; `format` is nil where libavformat is to find it out. The caller closes what is
    /// answered, by `avformat_close_input`, before the bytes go.
    package func open(
        named name: String?, format: UnsafePointer<AVInputFormat>?, flags: Int32 = 0, options: [(String, String)],
        failure: ErrorCode, subject: String? = nil
    ) throws(SplitreelError) -> UnsafeMutablePointer<AVFormatContext> {
        let subject = subject ?? name ?? ""
        do {
            let options = try OptionDictionary(options)
            var opened: UnsafeMutablePointer<AVFormatContext>? = try unsafe checkAllocated(
                avformat_alloc_context(), "avformat_alloc_context")
            unsafe opened?.pointee.pb = context
            unsafe opened?.pointee.flags |= flags | AVFMT_FLAG_CUSTOM_IO
            // Nothing that a file names is opened.
            unsafe opened?.pointee.io_open = refuseToOpen
            // Frees the context where it fails.
            let result = unsafe avformat_open_input(
                &opened, name.map(Self.address), format ?? Self.formatWithoutBytes(name), &options.pointer)
            try check(result, "avformat_open_input", subject: subject, as: failure)
            return try unsafe checkAllocated(opened, "avformat_open_input")
        } catch let error as SplitreelError {
            throw error
        } catch {
            throw SplitreelError(failure, operation: "avformat_open_input", subject: subject, reason: "\(error)")
        }
    }

    /// libavformat's name of the format that `open` takes the bytes for; nil where it knows none. Moves on in the
    /// bytes: a film is not to be opened in them after it.
    package func formatName(named name: String?, format: UnsafePointer<AVInputFormat>?) -> String? {
        var found = unsafe format ?? Self.formatWithoutBytes(name)
        if unsafe found == nil {
            // As many bytes as `avformat_open_input` looks at.
            _ = unsafe av_probe_input_buffer2(context, &found, name.map(Self.address), nil, 0, 0)
            // A guess of little weight is logged as an error would be.
            _ = Libav.takeLogLine()
        }
        return unsafe found.map { unsafe String(cString: $0.pointee.name) }
    }

    /// The format that the name alone tells, of those that open what they like themselves; nil for others. libavformat
    /// asks for it only where it opens a file itself, and the list of formats then refuses it by its name.
    private static func formatWithoutBytes(_ name: String?) -> UnsafePointer<AVInputFormat>? {
        guard let name else { return nil }
        return unsafe address(name).withCString { text in
            var data = unsafe AVProbeData()
            unsafe data.filename = text
            // The score that libavformat asks for there.
            var score: Int32 = 25
            return unsafe av_probe_input_format2(&data, 0, &score)
        }
    }
}

private func refuseToOpen(
    _ context: UnsafeMutablePointer<AVFormatContext>?, _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    _ address: UnsafePointer<CChar>?, _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 { -EACCES }

/// The object that libavformat's callbacks reach through their opaque pointer.
@safe
private final class Feed {
    /// The number of all bytes; nil where they come in their order alone.
    let byteCount: Int64?
    var place: Int64 = 0
    var error: (any Error)?
    /// Whether every byte counts as one in which nothing is found; else zeros do.
    var countsAll = false
    var barrenBytes = 0
    var mostBarrenBytes = ReadLimits.zeroBytes
    var isBarren: Bool { barrenBytes > mostBarrenBytes }
    let read: (_ place: Int, UnsafeMutableRawBufferPointer) throws -> Int

    init(byteCount: Int64?, read: @escaping (_ place: Int, UnsafeMutableRawBufferPointer) throws -> Int) {
        self.byteCount = byteCount
        unsafe self.read = unsafe read
    }
}

private func readFeed(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, count > 0 else { return SR_ERROR_EOF }
    let feed = unsafe Unmanaged<Feed>.fromOpaque(opaque).takeUnretainedValue()
    // A damaged file may send libavformat to a place that no system reads from: there is nothing, and no failure.
    guard feed.place <= Int64.max - Int64(count) else { return SR_ERROR_EOF }
    if feed.isBarren { return -EIO }
    do {
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        let taken = try unsafe feed.read(Int(feed.place), room)
        feed.place += Int64(taken)
        var isBarren = feed.countsAll
        if !isBarren, taken > 0 { isBarren = unsafe room.prefix(taken).allSatisfy { $0 == 0 } }
        feed.barrenBytes = isBarren ? feed.barrenBytes + max(0, taken) : 0
        if feed.isBarren { return -EIO }
        return taken > 0 ? Int32(taken) : SR_ERROR_EOF
    } catch {
        feed.error = feed.error ?? error
        return -EIO
    }
}

private func seekFeed(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(-EINVAL) }
    let feed = unsafe Unmanaged<Feed>.fromOpaque(opaque).takeUnretainedValue()
    let length = feed.byteCount ?? 0
    let start: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return length
    case SEEK_SET: start = 0
    case SEEK_CUR: start = feed.place
    case SEEK_END: start = length
    default: return Int64(-EINVAL)
    }
    let (place, isTooFar) = start.addingReportingOverflow(offset)
    // A place behind the end is one of the file's, where nothing is to be read.
    guard !isTooFar, place >= 0 else { return Int64(-EINVAL) }
    feed.place = place
    feed.barrenBytes = 0
    return place
}
