internal import CFFmpeg
internal import Diagnostics
internal import Glibc
internal import Hashing
internal import Libav

/// A file that a muxer writes from its first byte to its last, in order, hashed on the way, so that it need not be read
/// again. Confined to one thread at a time.
@safe
final class ByteSink {
    let io: UnsafeMutablePointer<AVIOContext>
    private let destination: Destination

    private static let bufferLength = 1 << 16

    /// Creates or empties the file; nil, with the reason in errno, where that cannot be.
    init?(path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return nil }
        let destination = Destination(descriptor)
        let buffer = try unsafe checkAllocated(av_malloc(Self.bufferLength), "av_malloc")
        let opaque = unsafe Unmanaged.passUnretained(destination).toOpaque()
        let made = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferLength), 1, opaque, nil, writeBytes, nil)
        guard let made = unsafe made else {
            unsafe av_free(buffer)
            throw SplitreelError(.internalFault, operation: "avio_alloc_context", subject: path, reason: "no memory")
        }
        unsafe made.pointee.seekable = 0
        unsafe io = made
        self.destination = destination
    }

    deinit {
        var owned: UnsafeMutablePointer<AVIOContext>? = unsafe io
        unsafe av_freep(&io.pointee.buffer)
        unsafe avio_context_free(&owned)
    }

    /// The SHA-256 (hex) of all bytes that have come so far; `byteCount` is their number.
    var hash: String { destination.hash.text }
    var byteCount: Int64 { destination.byteCount }

    /// Closes the file after its last byte; returns 0, or a negated errno where something was not written.
    func finish() -> Int32 {
        unsafe avio_flush(io)
        let failure = unsafe io.pointee.error
        let closing = destination.close()
        return failure < 0 ? failure : closing
    }
}

/// The object that the muxer's write callback reaches through its opaque pointer.
private final class Destination {
    private var descriptor: Int32?
    private(set) var hash = SHA256Sum()
    private(set) var byteCount: Int64 = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close() }

    /// Writes all bytes; returns 0, or a negated errno.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let descriptor else { return -EBADF }
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? -errno : -EIO }
            done += count
        }
        unsafe hash.update(bytes)
        byteCount += Int64(bytes.count)
        return 0
    }

    /// Closes the file; returns 0, or a negated errno. Some file systems tell only now that there was no room.
    func close() -> Int32 {
        guard let open = descriptor else { return 0 }
        descriptor = nil
        return Glibc.close(open) == 0 || errno == EINTR ? 0 : -errno
    }
}

private func writeBytes(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, count >= 0 else { return -EINVAL }
    let destination = unsafe Unmanaged<Destination>.fromOpaque(opaque).takeUnretainedValue()
    let failure = unsafe destination.write(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    return failure < 0 ? failure : count
}
