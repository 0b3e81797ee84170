internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import SplitreelFiles

/// Owns one demuxer of a finished film. Formats, times and pictures have the same bounds as where sources are read.
///
/// Confined to one thread at a time.
@safe
final class InputFile {
    let name: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let bytes: InputBytes
    private let failure: ErrorCode
    private let isRaw: Bool

    /// Opens the film, whose format libavformat finds out. Every error has the code `failure`.
    init(_ source: any MediaSource, failure: ErrorCode) throws {
        Libav.prepare()
        (name, self.failure) = (source.name, failure)
        bytes = try InputBytes(source)
        let opened: UnsafeMutablePointer<AVFormatContext>
        do {
            unsafe opened = try bytes.open(
                named: source.name, format: StillFormat.demuxer(of: source), options: InputBytes.options,
                failure: failure)
        } catch {
            throw Demuxer.clarified(error, source)
        }
        unsafe context = opened
        isRaw = unsafe InputBytes.isRawStream(opened)
        bytes.watch(rawStream: isRaw)
        for index in unsafe 0..<Int(opened.pointee.nb_streams) {
            guard let stream = unsafe opened.pointee.streams[index]?.pointee, !ReadLimits.isClock(stream.time_base)
            else { continue }
            throw SplitreelError(
                failure, operation: "avformat_open_input", subject: name,
                reason: "stream \(index + 1) counts time in units of \(stream.time_base.num)/\(stream.time_base.den) s")
        }
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&owned)
    }

    /// Reads the next packet; false at the end of the file. Times that no film has come out as unknown.
    func read(into packet: borrowing Packet) throws -> Bool {
        bytes.watch(rawStream: isRaw)
        let result = unsafe av_read_frame(context, packet.pointer)
        if result < 0, let reason = bytes.barrenReason {
            throw SplitreelError(failure, operation: "av_read_frame", subject: name, reason: reason)
        }
        if result == SR_ERROR_EOF {
            let error = unsafe context.pointee.pb?.pointee.error ?? 0
            if error < 0 && error != SR_ERROR_EOF { throw Libav.error(error, "read", subject: name, as: failure) }
            return false
        }
        try check(result, "av_read_frame", subject: name, as: failure)
        if let stream = unsafe context.pointee.streams[packet.streamIndex]?.pointee {
            _ = packet.boundTimes(stream.time_base)
        }
        return true
    }
}
