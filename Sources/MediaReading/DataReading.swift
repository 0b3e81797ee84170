internal import Diagnostics
internal import Glibc
internal import Hashing
internal import Libav
package import MediaFacts

/// Reads all bytes of a file that is no media, with their SHA-256.
///
/// Throws `mediaNotFound`, `mediaCannotOpen`, or `mediaOverLimits` where it has more bytes than `DataFile.mostBytes`.
package func readData(path: String) throws -> DataFile {
    // Opening a pipe or a device may take for ever.
    let size = try FileIdentity(path: path).byteCount
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw notFound(path, "open") }
    defer { close(file) }
    var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    bytes.reserveCapacity(min(size, DataFile.mostBytes))
    while true {
        let count = unsafe read(file, &block, block.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
            throw SplitreelError(.mediaCannotOpen, operation: "read", subject: path, reason: reasonOfErrno())
        }
        guard count > 0 else { break }
        bytes += block[..<count]
        guard size <= DataFile.mostBytes, bytes.count <= DataFile.mostBytes else {
            throw SplitreelError(
                .mediaOverLimits, operation: "reading", subject: path,
                reason: "it has more than the \(DataFile.mostBytes >> 20) MiB that are read of such a file")
        }
    }
    return DataFile(sum: sha256(bytes), bytes: bytes)
}
