import Foundation

/// The hits and misses of a cache, of all processes that use it, in a file: a line is added for each job, and for each
/// entry that comes from afar. The lines become one when they are many. A count that cannot be written is lost. From
/// any thread.
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

    private let file: LineFile

    init(path: String) { file = LineFile(path: path, mostBytes: 1 << 16) }

    /// Adds to the counts.
    package func add(hits: Int = 0, misses: Int = 0, spoiled: Int = 0) {
        guard hits > 0 || misses > 0 || spoiled > 0 else { return }
        if file.append("\(hits) \(misses) \(spoiled)") { compact() }
    }

    /// The counts so far.
    package var figures: Figures {
        file.lines.reduce(into: Figures()) { figures, line in
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
        file.replace(by: [Data("\(all.hits) \(all.misses) \(all.spoiled)".utf8)])
    }
}
