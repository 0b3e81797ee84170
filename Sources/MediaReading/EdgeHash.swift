internal import Diagnostics
internal import Glibc
internal import Hashing
internal import Libav
package import MediaFacts

/// The file's length with a SHA-256 of its first and last MiB, or of all of it up to 2 MiB. Throws `mediaNotFound` or
/// `mediaCannotOpen`.
package func edgeHash(path: String) throws -> FileEdges {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw notFound(path, "open") }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    let edge = 1 << 20
    var hash = SHA256Sum()
    let ranges = size <= 2 * edge ? [0..<max(0, size)] : [0..<edge, (size - edge)..<size]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for range in ranges {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = unsafe pread(file, &buffer, min(buffer.count, range.upperBound - offset), off_t(offset))
            guard count > 0 else {
                throw SplitreelError(
                    .mediaCannotOpen, operation: "pread", subject: path,
                    reason: count < 0 ? reasonOfErrno() : "the file got shorter while it was read")
            }
            hash.update(buffer[..<count])
            offset += count
        }
    }
    return FileEdges(byteCount: Int64(size), hash: hash.text)
}
