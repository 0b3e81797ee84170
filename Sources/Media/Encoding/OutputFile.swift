internal import CFFmpeg
internal import Diagnostics
import Glibc

/// Owns one muxer and the file that it writes. Confined to one thread at a time.
///
/// A file that was not closed by `finish` is unfinished and of no use.
final class OutputFile {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private var isOpen = false

    /// Creates or empties the file.
    init(path: String, muxer: String) throws {
        Libav.prepare()
        self.path = path
        var made: UnsafeMutablePointer<AVFormatContext>?
        let result = avformat_alloc_output_context2(&made, nil, muxer, path)
        guard let made, result >= 0 else {
            throw Libav.error(result, "avformat_alloc_output_context2", subject: path, as: .muxFailed)
        }
        context = made
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        // AVFMT_AVOID_NEG_TS_DISABLED: our timestamps are right as they are.
        context.pointee.avoid_negative_ts = 0
        try checkWrite(avio_open2(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, nil, nil), "avio_open2")
        isOpen = true
    }

    deinit {
        if isOpen { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
    }

    func addStream() throws -> UnsafeMutablePointer<AVStream> {
        try checkAllocated(avformat_new_stream(context, nil), "avformat_new_stream")
    }

    func writeHeader(_ options: [(String, String)]) throws {
        let dictionary = try OptionDictionary(options)
        try checkWrite(avformat_write_header(context, &dictionary.pointer), "avformat_write_header")
        try dictionary.checkAllUsed(by: path)
    }

    /// Timestamps in the stream's time base; the packet is left to its owner.
    func write(_ packet: borrowing Packet) throws {
        try checkWrite(av_write_frame(context, packet.pointer), "av_write_frame")
    }

    /// Writes the trailer, closes the file and waits until the disk has it.
    func finish() throws {
        try checkWrite(av_write_trailer(context), "av_write_trailer")
        if let io = context.pointee.pb, io.pointee.error < 0 { try checkWrite(io.pointee.error, "write") }
        isOpen = false
        try checkWrite(avio_closep(&context.pointee.pb), "avio_closep")
        try synchronize()
    }

    private func synchronize() throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return try checkWrite(-errno, "open") }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { try checkWrite(-errno, "fsync") }
    }

    /// Tells a full disk and a place that cannot be written from a muxer that refuses.
    func checkWrite(_ result: Int32, _ call: String) throws {
        guard result < 0 else { return }
        throw Libav.error(result, call, subject: path, as: writeFailure(result))
    }
}

/// What a negative return code of a writing call means; libav's codes are negated errno values.
func writeFailure(_ result: Int32) -> ErrorCode {
    switch -result {
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case EACCES, EPERM, EROFS, ENOENT, EISDIR, ENOTDIR, ETXTBSY, EIO, ENAMETOOLONG, ELOOP: .outputNotWritable
    default: .muxFailed
    }
}
