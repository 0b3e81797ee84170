import Foundation
import Glibc
import SplitreelFiles

/// An entry as the folder has it.
struct CacheEntry: Sendable {
    /// Its folder, its bytes and its last use.
    let item: CachedItem

    /// The key, as its folder is named.
    var name: String { fileName(of: item.path) }

    /// All entries of a cache's folder. One that is removed meanwhile may be missing.
    static func all(in folder: String) -> [CacheEntry] {
        CachedItem.names(in: folder).filter { $0.utf8.count == 2 }.flatMap { part in
            CachedItem.names(in: "\(folder)/\(part)").compactMap { CacheEntry(path: "\(folder)/\(part)/\($0)") }
        }
    }

    private init?(path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        let files = CachedItem.names(in: path).compactMap { CachedItem(file: "\(path)/\($0)") }
        // One without its document was spoiled: it is the first to go.
        let document = files.first { fileName(of: $0.path) == "entry" }
        item = CachedItem(
            path: path, byteCount: files.reduce(0) { $0 + $1.byteCount }, lastUse: document?.lastUse ?? 0)
    }
}
