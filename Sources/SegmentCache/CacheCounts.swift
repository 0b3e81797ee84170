import Diagnostics
import Foundation
import Glibc
import SplitreelFiles

/// The hits and misses of a cache, of all processes that use it, in a file: a line is added for each job, and the lines
/// become one when they are many. A count that cannot be written is lost. From any thread.
package final class CacheCounts: Sendable {
    /// The counts since the cache was made.
    package struct Figures: Sendable, Hashable {
        /// The tasks whose segments were in the cache.
        package var hits = 0
        /// The tasks that were looked for and were not there.
        package var misses = 0
        /// The entries that were found to be wrong, and were removed.
        package var spoiled = 0
    }

    private let path: String
    private static let mostBytes = 1 << 16

    init(path: String) { self.path = path }

    /// Adds to the counts.
    package func add(hits: Int = 0, misses: Int = 0, spoiled: Int = 0) {
        guard hits > 0 || misses > 0 || spoiled > 0 else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        try? writeWhole(Data("\(hits) \(misses) \(spoiled)\n".utf8), to: file, path: path)
        var facts = stat()
        if fstat(file, &facts) == 0, facts.st_size > Self.mostBytes { compact() }
    }

    /// The counts so far.
    package var figures: Figures {
        guard let bytes = try? RegularFile.contents(of: path, limit: 2 * Self.mostBytes, failure: .outputNotWritable)
        else { return Figures() }
        return bytes.split(separator: UInt8(ascii: "\n")).reduce(into: Figures()) { figures, line in
            let numbers = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { UInt32($0) }
            guard numbers.count == 3 else { return }
            figures.hits += Int(numbers[0])
            figures.misses += Int(numbers[1])
            figures.spoiled += Int(numbers[2])
        }
    }

    /// Makes one line of all. What others add meanwhile is lost, which is a line or none.
    private func compact() {
        let all = figures
        try? replaceFile(Data("\(all.hits) \(all.misses) \(all.spoiled)\n".utf8), at: path, permissions: 0o600)
    }
}
