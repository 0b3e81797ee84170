internal import Crypto
internal import Diagnostics
import Glibc
internal import Planning

/// SHA-256 of a file, read in blocks, and its length.
struct FileDigest {
    /// Lower-case hex.
    let hash: String
    let byteCount: Int64

    private static let blockLength = 1 << 20

    /// Every failure to read is a segment that is not valid.
    init(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open", path) }
        defer { close(descriptor) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        var hasher = SHA256()
        var total: Int64 = 0
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockLength, alignment: 64)
        defer { block.deallocate() }
        while true {
            let count = read(descriptor, block.baseAddress, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("read", path) }
            if count == 0 { break }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: block[..<count]))
            total += Int64(count)
        }
        hash = hexadecimal(hasher.finalize())
        byteCount = total
    }

    private static func failure(_ call: String, _ path: String) -> SplitreelError {
        SplitreelError(.segmentInvalid, operation: call, subject: path, reason: String(cString: strerror(errno)))
    }
}

/// SHA-256, lower-case hex.
func digest(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }
