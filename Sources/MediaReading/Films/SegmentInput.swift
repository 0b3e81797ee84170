internal import CFFmpeg
internal import Diagnostics
internal import Foundation
internal import Libav
internal import SplitreelFiles

/// Owns a NUT demuxer that reads a segment from its first byte to its last, in order, so that the hash is of the very
/// bytes that the demuxer saw. Confined to one thread at a time.
@safe
final class SegmentInput {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let file: RegularFile
    private let bytes: InputBytes

    /// Opens a segment. Throws `.segmentInvalid` for a file that is no segment, for links and pipes, and for a file of
    /// another size before anything of it is read.
    init(path: String, byteCount: Int64) throws {
        Libav.prepare()
        self.path = path
        let file = try RegularFile(path: path, failure: .segmentInvalid)
        guard file.byteCount == byteCount else {
            throw invalidSegment(path, "\(file.byteCount) bytes, \(byteCount) promised")
        }
        self.file = file
        bytes = try unsafe InputBytes(inOrder: { try unsafe file.read(into: $0) }, subject: path)
        do {
            // Timestamps as they are stored, nothing guessed.
            unsafe context = try bytes.open(
                named: nil, format: av_find_input_format("nut"), flags: AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN,
                options: [], failure: .segmentInvalid, subject: path)
        } catch {
            throw bytes.error ?? error
        }
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&owned)
    }

    /// Reads the next packet; false at the end of the file.
    func read(into packet: borrowing Packet) throws -> Bool {
        let result = unsafe av_read_frame(context, packet.pointer)
        if let error = bytes.error { throw error }
        if result == SR_ERROR_EOF { return false }
        try check(result, "av_read_frame", subject: path, as: .segmentInvalid)
        return true
    }

    /// Reads the rest of the file; returns the SHA-256 (hex) and the number of all of the file's bytes.
    func digest() throws -> (hash: String, byteCount: Int64) { try file.digest() }
}
