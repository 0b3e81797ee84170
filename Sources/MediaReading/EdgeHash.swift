internal import Diagnostics
internal import Hashing
package import MediaFacts
package import SplitreelFiles

/// The source's length with a SHA-256 of its first and last MiB, or of all of it up to 2 MiB. Throws
/// `mediaCannotOpen`, or as reading does.
package func edgeHash(_ source: any MediaSource) throws -> FileEdges {
    let size = source.byteCount
    let edge = 1 << 20
    var hash = SHA256Sum()
    let ranges = size <= 2 * edge ? [0..<max(0, size)] : [0..<edge, (size - edge)..<size]
    for range in ranges {
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
            let count = min(1 << 16, range.upperBound - place)
            let bytes = try source.read(at: place, count: count)
            guard bytes.count == count else { throw gotShorter(source) }
            hash.update(bytes[...])
        }
    }
    return FileEdges(byteCount: Int64(size), hash: hash.text)
}

/// The error for a source that ends before the end that it had.
func gotShorter(_ source: any MediaSource) -> SplitreelError {
    SplitreelError(
        .mediaCannotOpen, operation: "pread", subject: source.name, reason: "the file got shorter while it was read")
}
