internal import CFFmpeg
internal import Diagnostics
internal import Libav

/// Owns one demuxer on a local file. Formats, times and pictures have the same bounds as where sources are read.
///
/// Confined to one thread at a time.
@safe
final class InputFile {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let failure: ErrorCode

    /// Opens the file. `demuxer` is libavformat's name; with nil libavformat finds out. Every error has the code
    /// `failure`.
    init(path: String, demuxer: String? = nil, failure: ErrorCode) throws {
        Libav.prepare()
        (self.path, self.failure) = (path, failure)
        var opened = unsafe avformat_alloc_context()
        // Timestamps as they are stored, nothing guessed.
        if demuxer != nil { unsafe opened?.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN }
        let options = try OptionDictionary([
            ("protocol_whitelist", "file"), ("format_whitelist", ReadableMedia.formatList),
            ("codec_whitelist", ReadableMedia.decoderList), ("max_streams", "\(ReadLimits.streams)"),
        ])
        // Frees the context where it fails.
        let url = "file:" + path
        let format =
            if let demuxer { unsafe av_find_input_format(demuxer) } else {
                unsafe StillFormat.demuxer(forURL: url, path: path)
            }
        let result = unsafe avformat_open_input(&opened, url, format, &options.pointer)
        guard let opened = unsafe opened, result >= 0 else {
            let error = Libav.error(result, "avformat_open_input", subject: path, as: failure)
            throw demuxer == nil ? Demuxer.clarified(error) : error
        }
        unsafe context = opened
        for index in unsafe 0..<Int(opened.pointee.nb_streams) {
            guard let stream = unsafe opened.pointee.streams[index]?.pointee, !ReadLimits.isClock(stream.time_base)
            else { continue }
            throw SplitreelError(
                failure, operation: "avformat_open_input", subject: path,
                reason: "stream \(index + 1) counts time in units of \(stream.time_base.num)/\(stream.time_base.den) s")
        }
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&owned)
    }

    /// Reads the next packet; false at the end of the file. Times that no film has come out as unknown.
    func read(into packet: borrowing Packet) throws -> Bool {
        let result = unsafe av_read_frame(context, packet.pointer)
        if result == SR_ERROR_EOF {
            let error = unsafe context.pointee.pb?.pointee.error ?? 0
            if error < 0 && error != SR_ERROR_EOF { throw Libav.error(error, "read", subject: path, as: failure) }
            return false
        }
        try check(result, "av_read_frame", subject: path, as: failure)
        if let stream = unsafe context.pointee.streams[packet.streamIndex]?.pointee {
            _ = packet.boundTimes(stream.time_base)
        }
        return true
    }
}
