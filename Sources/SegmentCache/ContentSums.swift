import Foundation
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
    private let file: LineFile
    private let state = Mutex(State())

    /// The most bytes of the file: the sums of some 100,000 files.
    private static let mostBytes = 1 << 24

    init(path: String) { file = LineFile(path: path, mostBytes: Self.mostBytes) }

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
            if file.append("\(name) \(sum)") { forgetOldest() }
        }
    }

    private func refresh(_ state: inout State) {
        let count = CachedItem(file: file.path)?.byteCount ?? 0
        guard count != state.byteCount else { return }
        state.sums = read()
        state.byteCount = count
    }

    private func read() -> [String: String] {
        file.lines.reduce(into: [:]) { sums, line in
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 7, let sum = words.last, isSHA256(sum) else { return }
            sums[words.dropLast().joined(separator: " ")] = sum
        }
    }

    private func forgetOldest() {
        let lines = file.lines
        file.replace(by: lines.suffix(lines.count / 2))
    }
}
