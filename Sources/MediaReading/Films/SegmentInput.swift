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
    private let source: ByteSource
    private var io: UnsafeMutablePointer<AVIOContext>?

    /// Opens a segment. Throws `.segmentInvalid` for a file that is no segment, for links and pipes, and for a file of
    /// another size before anything of it is read.
    init(path: String, byteCount: Int64) throws {
        Libav.prepare()
        self.path = path
        let file = try RegularFile(path: path, failure: .segmentInvalid)
        guard file.byteCount == byteCount else {
            throw invalidSegment(path, "\(file.byteCount) bytes, \(byteCount) promised")
        }
        source = ByteSource(file)
        // libavformat may put another buffer in the place of this one, and frees none of them.
        let buffer = try unsafe checkAllocated(av_malloc(Self.bufferLength), "av_malloc")
        let opaque = unsafe Unmanaged.passUnretained(source).toOpaque()
        let made = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferLength), 0, opaque, readSegment, nil, nil)
        guard let made = unsafe made else {
            unsafe av_free(buffer)
            throw SplitreelError(.internalFault, operation: "avio_alloc_context", subject: path, reason: "no memory")
        }
        unsafe made.pointee.seekable = 0
        var opened = unsafe avformat_alloc_context()
        unsafe opened?.pointee.pb = made
        // Timestamps as they are stored, nothing guessed.
        unsafe opened?.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN | AVFMT_FLAG_CUSTOM_IO
        // Frees the context where it fails.
        let result = unsafe avformat_open_input(&opened, nil, av_find_input_format("nut"), nil)
        guard let opened = unsafe opened, result >= 0 else {
            unsafe Self.close(made)
            if let error = source.error { throw error }
            throw Libav.error(result, "avformat_open_input", subject: path, as: .segmentInvalid)
        }
        unsafe (context, io) = (opened, made)
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&owned)
        if let io = unsafe io { unsafe Self.close(io) }
    }

    /// Reads the next packet; false at the end of the file.
    func read(into packet: borrowing Packet) throws -> Bool {
        let result = unsafe av_read_frame(context, packet.pointer)
        if let error = source.error { throw error }
        if result == SR_ERROR_EOF { return false }
        try check(result, "av_read_frame", subject: path, as: .segmentInvalid)
        return true
    }

    /// Reads the rest of the file; returns the SHA-256 (hex) and the number of all of the file's bytes.
    func digest() throws -> (hash: String, byteCount: Int64) { try source.file.digest() }

    private static let bufferLength = 1 << 16

    private static func close(_ io: UnsafeMutablePointer<AVIOContext>) {
        var owned: UnsafeMutablePointer<AVIOContext>? = unsafe io
        unsafe av_freep(&io.pointee.buffer)
        unsafe avio_context_free(&owned)
    }
}

/// The object that the demuxer's read callback reaches through its opaque pointer.
private final class ByteSource {
    let file: RegularFile
    /// The first failure; libavformat is only told that there was one.
    var error: (any Error)?

    init(_ file: RegularFile) { self.file = file }
}

private func readSegment(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, count > 0 else { return SR_ERROR_EOF }
    let source = unsafe Unmanaged<ByteSource>.fromOpaque(opaque).takeUnretainedValue()
    do {
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        let taken = try unsafe source.file.read(into: room)
        return taken > 0 ? Int32(taken) : SR_ERROR_EOF
    } catch {
        source.error = error
        return -EIO
    }
}
