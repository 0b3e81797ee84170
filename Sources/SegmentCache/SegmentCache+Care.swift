import Diagnostics
import Foundation
import Glibc
import Hashing
import SplitreelFiles

/// The choice of entries that are to go.
package struct CachePruning: Sendable {
    /// The name of the worker whose entries go; nil for those of all workers.
    package var worker: String?
    /// The age in seconds from which entries go, counted from their last use; nil for any age.
    package var age: Double?
    /// The bytes that may stay: of the entries chosen above, those that were not used for longest go until no more is
    /// left; nil where all that are chosen go.
    package var bytes: Int?

    package init(worker: String? = nil, age: Double? = nil, bytes: Int? = nil) {
        (self.worker, self.age, self.bytes) = (worker, age, bytes)
    }
}

/// The numbers of entries and of their bytes.
package struct CacheSum: Sendable, Hashable {
    package var entries = 0
    package var bytes = 0

    package init() {}

    mutating func add(_ entry: CacheEntry) { add(bytes: entry.item.byteCount) }

    mutating func add(bytes count: Int) {
        entries += 1
        bytes += count
    }
}

/// The care of a cache by a person: looking, removing, checking. What is in a store may fail, as asking it does.
package protocol ChunkCare {
    /// The entries there are.
    func sum() throws -> CacheSum
    /// Removes the entries of that choice; answers what went.
    func prune(_ choice: CachePruning) throws -> CacheSum
    /// Reads all entries through and removes those that are not what they say; answers the good ones and those that
    /// went.
    func verify() throws -> (good: CacheSum, removed: CacheSum)
}

extension SegmentCache: ChunkCare {
    /// The care of wherever its entries are.
    package var care: any ChunkCare { shared.map { SharedCare(cache: self, shared: $0) } ?? self }

    package func prune(_ choice: CachePruning) -> CacheSum { prune(choice, now: Date().timeIntervalSince1970) }
    package func verify() -> (good: CacheSum, removed: CacheSum) { verify(goesOn: { true }) }

    /// The entries there are.
    package func sum() -> CacheSum { entries().reduce(into: CacheSum()) { $0.add($1) } }

    /// Removes the entries of that choice; answers what went.
    package func prune(_ choice: CachePruning, now: Double) -> CacheSum {
        var removed = CacheSum()
        var left = sum().bytes
        for entry in entries().sorted(by: { ($0.item.lastUse, $0.name) < ($1.item.lastUse, $1.name) }) {
            if let most = choice.bytes, left <= most { break }
            if let age = choice.age, now - Double(entry.item.lastUse) / 1e9 < age { continue }
            if let worker = choice.worker, !isOf(worker, entry) { continue }
            remove(entry.item.path)
            left -= entry.item.byteCount
            removed.add(entry)
        }
        return removed
    }

    /// Whether a worker of that name made the entry.
    private func isOf(_ worker: String, _ entry: CacheEntry) -> Bool {
        guard case .success(let document?) = EntryDocument.read(entry.item.path) else { return false }
        return document.worker == worker
    }

    /// Reads all entries through and removes those that are not what they say; answers the good ones and those that
    /// went. `goesOn` is asked before each entry.
    package func verify(goesOn: () -> Bool) -> (good: CacheSum, removed: CacheSum) {
        var (good, removed) = (CacheSum(), CacheSum())
        for entry in entries() {
            guard goesOn() else { break }
            guard access(entry.item.path, F_OK) == 0 else { continue }
            if isGood(entry) {
                good.add(entry)
            } else if !isUnreadable(entry.item.path) {
                counts.add(spoiled: 1)
                remove(entry.item.path)
                removed.add(entry)
            }
        }
        return (good, removed)
    }

    private func isGood(_ entry: CacheEntry) -> Bool {
        guard case .success(let document?) = EntryDocument.read(entry.item.path), document.key.text == entry.name,
            !document.files.isEmpty
        else { return false }
        return document.files.enumerated().allSatisfy { number, file in
            let path = "\(entry.item.path)/\(number)"
            return digest(path) == file.hash && digest(path + ".json") == file.record
        }
    }

    /// Whether a file of an entry cannot be read now, which says nothing of it.
    func isUnreadable(_ entry: String) -> Bool {
        CachedItem.names(in: entry).contains { EntryFile.isUnreadable("\(entry)/\($0)") }
    }

    private func digest(_ path: String) -> String? {
        try? RegularFile(path: path, failure: .segmentInvalid).digest().hash
    }
}
