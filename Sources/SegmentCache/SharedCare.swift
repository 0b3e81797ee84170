import Diagnostics
import Foundation
import Glibc
import Hashing
import ObjectStorage
import SplitreelFiles

/// The care of a shared cache: of the entries that its key has sealed. The time of an entry's last use is known to a
/// day. Throws as asking the store does.
struct SharedCare: ChunkCare {
    let cache: SegmentCache
    let shared: SharedSegments

    func sum() throws -> CacheSum { try shared.survey().reduce(into: CacheSum()) { $0.add(bytes: $1.byteCount) } }

    func prune(_ choice: CachePruning) throws -> CacheSum {
        let now = Date().timeIntervalSince1970
        let entries = try shared.survey().sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
        var left = entries.reduce(0) { $0 + $1.byteCount }
        var removed = CacheSum()
        for entry in entries {
            if let most = choice.bytes, left <= most { break }
            if let age = choice.age, now - entry.modified < age { continue }
            if let worker = choice.worker, try maker(of: entry) != worker { continue }
            try remove(entry)
            left -= entry.byteCount
            removed.add(bytes: entry.byteCount)
        }
        return removed
    }

    func verify() throws -> (good: CacheSum, removed: CacheSum) {
        var (good, removed) = (CacheSum(), CacheSum())
        for entry in try shared.survey() {
            switch try fetched(entry, { try SharedEntry(at: $0, of: $1, sealedBy: shared.key).unpack(to: nil) }) {
            case nil: continue
            case .success: good.add(bytes: entry.byteCount)
            case .failure:
                cache.counts.add(spoiled: 1)
                try remove(entry)
                removed.add(bytes: entry.byteCount)
            }
        }
        return (good, removed)
    }

    private func remove(_ entry: ListedObject) throws { try shared.storage.delete(shared.place.child(entry.name)) }

    /// The name of the worker that made an entry; nil for one that is not sealed.
    private func maker(of entry: ListedObject) throws -> String? {
        // No server sends a part of nothing.
        guard entry.byteCount > 0 else { return nil }
        let head = try fetched(entry, first: SharedEntry.mostHeadBytes) { path, key in
            try SharedEntry(at: path, of: key, sealedBy: shared.key).document.worker
        }
        return try? head?.get()
    }

    /// The answer of `body` to an entry, which is at a path as long as it runs; nil where the entry is gone.
    private func fetched<R>(
        _ entry: ListedObject, first: Int? = nil, _ body: (String, ContentKey) throws -> R
    ) throws -> Result<R, SharedEntry.Spoiled>? {
        guard let key = ContentKey(entry.name) else { return nil }
        let path = cache.newPart
        defer { unlink(path) }
        let most = max(entry.byteCount, shared.limit)
        do {
            let address = try shared.place.child(entry.name)
            guard try shared.storage.get(address, into: path, most: most, firstBytes: first) else { return nil }
        } catch is ObjectIsLonger {
            // It is another one than was listed.
            return nil
        }
        do { return .success(try body(path, key)) } catch let fault as SharedEntry.Spoiled { return .failure(fault) }
    }
}
