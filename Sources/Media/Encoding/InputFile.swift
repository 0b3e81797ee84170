internal import CFFmpeg
internal import Diagnostics

/// Owns one demuxer on a local file. Confined to one thread at a time.
@safe
final class InputFile {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let failure: ErrorCode

    /// `demuxer` nil lets libavformat find out; `failure` is what every error means.
    init(path: String, demuxer: String? = nil, failure: ErrorCode) throws {
        Libav.prepare()
        (self.path, self.failure) = (path, failure)
        var opened = unsafe avformat_alloc_context()
        // Timestamps as they are stored, nothing guessed.
        if demuxer != nil { unsafe opened?.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN }
        let options = try OptionDictionary([("protocol_whitelist", "file")])
        // Frees the context where it fails.
        let result = unsafe avformat_open_input(
            &opened, "file:" + path, demuxer.flatMap { unsafe av_find_input_format($0) }, &options.pointer)
        guard let opened = unsafe opened, result >= 0 else {
            throw Libav.error(result, "avformat_open_input", subject: path, as: failure)
        }
        unsafe context = opened
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&owned)
    }

    /// False at the end of the file.
    func read(into packet: borrowing Packet) throws -> Bool {
        let result = unsafe av_read_frame(context, packet.pointer)
        if result == SR_ERROR_EOF {
            let error = unsafe context.pointee.pb?.pointee.error ?? 0
            if error < 0 && error != SR_ERROR_EOF { throw Libav.error(error, "read", subject: path, as: failure) }
            return false
        }
        try check(result, "av_read_frame", subject: path, as: failure)
        return true
    }
}
