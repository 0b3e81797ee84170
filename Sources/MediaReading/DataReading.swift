internal import Diagnostics
internal import Hashing
package import MediaFacts
package import SplitreelFiles

/// Reads all bytes of a source that is no media, with their SHA-256.
///
/// Throws `mediaCannotOpen`, or `mediaOverLimits` where it has more bytes than `DataFile.mostBytes`.
package func readData(_ source: any MediaSource) throws -> DataFile {
    let excess = SplitreelError(
        .mediaOverLimits, operation: "reading", subject: source.name,
        reason: "it has more than the \(DataFile.mostBytes >> 20) MiB that are read of such a file")
    guard source.byteCount <= DataFile.mostBytes else { throw excess }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.byteCount)
    // It may have grown since it was opened.
    while case let block = try source.read(at: bytes.count, count: 1 << 16), !block.isEmpty {
        bytes += block
        guard bytes.count <= DataFile.mostBytes else { throw excess }
    }
    return DataFile(sum: sha256(bytes), bytes: bytes)
}
