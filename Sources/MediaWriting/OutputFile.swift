internal import CFFmpeg
internal import Diagnostics
import Glibc
internal import Libav
internal import SplitreelFiles

/// Owns one muxer and the file that it writes. Confined to one thread at a time.
///
/// A file that was not closed by `finish` is unfinished and of no use.
@safe
final class OutputFile {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private var isOpen = false
    /// The sink that hashes the bytes on their way; nil without hashing.
    private let sink: ByteSink?

    private let interleaves: Bool

    /// Creates or empties the file. With `hashing` the muxer cannot go back in it. With `interleaving` the muxer puts
    /// the packets into its own order and keeps some of them for it.
    init(path: String, muxer: String, hashing: Bool = false, interleaving: Bool = false) throws {
        interleaves = interleaving
        Libav.prepare()
        self.path = path
        var made: UnsafeMutablePointer<AVFormatContext>?
        let result = unsafe avformat_alloc_output_context2(&made, nil, muxer, path)
        guard let made = unsafe made, result >= 0 else {
            throw Libav.error(result, "avformat_alloc_output_context2", subject: path, as: .muxFailed)
        }
        unsafe context = made
        unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
        // AVFMT_AVOID_NEG_TS_DISABLED: our timestamps are right as they are.
        unsafe context.pointee.avoid_negative_ts = 0
        guard hashing else {
            sink = nil
            try unsafe checkWrite(
                avio_open2(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, nil, nil), "avio_open2")
            isOpen = true
            return
        }
        guard let opened = try ByteSink(path: path) else {
            let number = errno
            sink = nil
            throw Libav.error(-number, "open", subject: path, as: writeFailure(-number))
        }
        sink = opened
        unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        unsafe context.pointee.pb = opened.io
    }

    deinit {
        if isOpen { unsafe avio_closep(&context.pointee.pb) }
        unsafe avformat_free_context(context)
    }

    /// The SHA-256 (hex) and the number of the bytes, once the file is finished; nil where they are not hashed.
    var digest: (hash: String, byteCount: Int64)? { sink.map { ($0.hash, $0.byteCount) } }

    /// Adds a stream that `describe` fills in; returns its place in the file.
    func addStream(_ describe: (inout AVStream, inout AVCodecParameters) throws -> Void) throws -> Int {
        let stream = try unsafe checkAllocated(avformat_new_stream(context, nil), "avformat_new_stream")
        let parameters = try unsafe checkAllocated(stream.pointee.codecpar, "avformat_new_stream")
        try unsafe describe(&stream.pointee, &parameters.pointee)
        return unsafe Int(stream.pointee.index)
    }

    /// Sets tags of the file, or of one of its streams; comes before the header.
    func setTags(_ tags: [(key: String, value: String)], ofStream place: Int? = nil) throws {
        for (key, value) in tags {
            var result: Int32 = 0
            if let place {
                guard unsafe place < context.pointee.nb_streams, let stream = unsafe context.pointee.streams[place]
                else {
                    preconditionFailure("a file has no stream at that place")
                }
                result = unsafe av_dict_set(&stream.pointee.metadata, key, value, 0)
            } else {
                result = unsafe av_dict_set(&context.pointee.metadata, key, value, 0)
            }
            if result < 0 { throw Libav.error(result, "av_dict_set", subject: path, as: .muxFailed) }
        }
    }

    /// The code by which the container names the codec: the stream's own where the container knows it; 0 lets the muxer
    /// choose.
    func tag(of parameters: AVCodecParameters) -> UInt32 {
        let tags = unsafe context.pointee.oformat.pointee.codec_tag
        let isKnown = unsafe av_codec_get_id(tags, parameters.codec_tag) == parameters.codec_id
        return isKnown ? parameters.codec_tag : 0
    }

    /// A stream's time base: the muxer's own choice once the header is written.
    func timeBase(ofStream place: Int) -> AVRational {
        guard unsafe place < context.pointee.nb_streams, let stream = unsafe context.pointee.streams[place] else {
            preconditionFailure("a file has no stream at that place")
        }
        return unsafe stream.pointee.time_base
    }

    func writeHeader(_ options: [(String, String)]) throws {
        let dictionary = try OptionDictionary(options)
        try unsafe checkWrite(avformat_write_header(context, &dictionary.pointer), "avformat_write_header")
        try dictionary.checkAllUsed(by: path)
    }

    /// Writes a packet with timestamps in the stream's time base; the packet is left to its owner.
    func write(_ packet: borrowing Packet) throws {
        guard interleaves else {
            try unsafe checkWrite(av_write_frame(context, packet.pointer), "av_write_frame")
            return
        }
        let copy = try Packet()
        try unsafe check(
            av_packet_ref(copy.pointer, packet.pointer), "av_packet_ref", subject: path, as: .internalFault)
        // The muxer takes over the copy.
        try unsafe checkWrite(av_interleaved_write_frame(context, copy.pointer), "av_interleaved_write_frame")
    }

    /// Writes the trailer, closes the file and waits until the disk has it.
    func finish() throws {
        try unsafe checkWrite(av_write_trailer(context), "av_write_trailer")
        try unsafe checkWrite(context.pointee.pb?.pointee.error ?? 0, "write")
        if let sink {
            try checkWrite(sink.finish(), "write")
        } else {
            isOpen = false
            try unsafe checkWrite(avio_closep(&context.pointee.pb), "avio_closep")
        }
        try synchronize(path)
    }

    /// Throws for a negative result: a full disk, a place that cannot be written, or a muxer that refuses.
    func checkWrite(_ result: Int32, _ call: String) throws {
        guard result < 0 else { return }
        throw Libav.error(result, call, subject: path, as: writeFailure(result))
    }
}

/// The meaning of a negative return code of a writing call; libav's codes are negated errno values.
func writeFailure(_ result: Int32) -> ErrorCode {
    switch -result {
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case EACCES, EPERM, EROFS, ENOENT, EISDIR, ENOTDIR, ETXTBSY, EIO, ENAMETOOLONG, ELOOP: .outputNotWritable
    // A mount that is away for a while.
    case ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EREMOTEIO: .outputNotWritable
    default: .muxFailed
    }
}
