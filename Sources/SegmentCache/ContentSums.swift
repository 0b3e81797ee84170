import Diagnostics
import Foundation
import Glibc
import Hashing
package import SplitreelFiles
import Synchronization

/// The memory of what files hold: the SHA-256 of all bytes of a file, by its device, inode, length and times. From any
/// thread; several processes may use one file, and see what others add.
///
/// A line each; those that were written first go when there are too many. A line that cannot be read is none.
package final class ContentSums: Sendable {
    private struct State {
        var sums: [String: String] = [:]
        /// The bytes of the file when it was read last; another process may have added to it since.
        var byteCount = -1
    }
    private let path: String
    private let state = Mutex(State())

    /// The most bytes of the file: the sums of some 100,000 files.
    private static let mostBytes = 1 << 24

    init(path: String) { self.path = path }

    /// The sum of a file's content, 64 hexadecimal digits; nil where it is not known, or where the file may have
    /// changed unseen.
    package func sum(of identity: SourceIdentity) -> String? {
        guard let name = identity.memoryName else { return nil }
        return state.withLock { state in
            if state.sums[name] == nil { refresh(&state) }
            return state.sums[name]
        }
    }

    /// Remembers the sum of a file's content.
    package func remember(_ sum: String, of identity: SourceIdentity) {
        guard let name = identity.memoryName, isSHA256(sum) else { return }
        state.withLock { state in
            refresh(&state)
            guard state.sums.updateValue(sum, forKey: name) != sum else { return }
            append("\(name) \(sum)\n")
        }
    }

    private func append(_ line: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        try? writeWhole(Data(line.utf8), to: file, path: path)
        var facts = stat()
        if fstat(file, &facts) == 0, facts.st_size > Self.mostBytes { forgetOldest() }
    }

    private func refresh(_ state: inout State) {
        let count = CachedItem(file: path)?.byteCount ?? 0
        guard count != state.byteCount else { return }
        state.sums = read()
        state.byteCount = count
    }

    private func read() -> [String: String] {
        lines().reduce(into: [:]) { sums, line in
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 7, let sum = words.last, isSHA256(sum) else { return }
            sums[words.dropLast().joined(separator: " ")] = sum
        }
    }

    private func lines() -> [Data] {
        let bytes = try? RegularFile.contents(of: path, limit: 2 * Self.mostBytes, failure: .outputNotWritable)
        return bytes?.split(separator: UInt8(ascii: "\n")) ?? []
    }

    private func forgetOldest() {
        let lines = lines()
        let kept = lines.suffix(lines.count / 2).reduce(into: Data()) { $0 += $1 + [UInt8(ascii: "\n")] }
        try? replaceFile(kept, at: path, permissions: 0o600)
    }
}
