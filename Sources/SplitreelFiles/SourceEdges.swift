package import Diagnostics
import Hashing

extension MediaSource {
    /// The SHA-256 of the source's first and last MiB, or of all of it up to 2 MiB: 64 hexadecimal digits. Throws
    /// `mediaCannotOpen`, or as reading does.
    package func edgeSum() throws -> String {
        let size = byteCount
        let edge = 1 << 20
        var hash = SHA256Sum()
        let ranges = size <= 2 * edge ? [0..<max(0, size)] : [0..<edge, (size - edge)..<size]
        for range in ranges {
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
                let count = min(1 << 16, range.upperBound - place)
                let bytes = try read(at: place, count: count)
                guard bytes.count == count else { throw gotShorter(self) }
                hash.update(bytes[...])
            }
        }
        return hash.text
    }
}

/// The error for a source that ends before the end that it had.
package func gotShorter(_ source: any MediaSource) -> SplitreelError {
    SplitreelError(
        .mediaCannotOpen, operation: "pread", subject: source.name, reason: "the file got shorter while it was read")
}
