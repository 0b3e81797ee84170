import Foundation
import Glibc

/// Something in the folder of a cache that is kept and removed as a whole.
package struct CachedItem: Sendable {
    package let path: String
    package let byteCount: Int
    /// The time of its last use, in nanoseconds since 1970.
    package let lastUse: Int

    package init(path: String, byteCount: Int, lastUse: Int) {
        self.path = path
        self.byteCount = byteCount
        self.lastUse = lastUse
    }

    /// A regular file, whose own time tells its last use; nil where there is none.
    package init?(file path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(
            path: path, byteCount: Int(facts.st_size),
            lastUse: facts.st_mtim.tv_sec &* 1_000_000_000 &+ facts.st_mtim.tv_nsec)
    }

    /// Removes what was not used for longest, where there is more than `limit` bytes, until an eighth of them is free
    /// and `count` have room.
    package static func remove(
        from items: inout [CachedItem], until limit: Int, leavingRoomFor count: Int,
        by remove: (CachedItem) -> Void = { unlink($0.path) }
    ) {
        var total = items.reduce(0) { $0 + $1.byteCount }
        guard total + count > limit else { return }
        let goal = max(0, min(limit - limit / 8, limit - count))
        items.sort { ($0.lastUse, $0.path) > ($1.lastUse, $1.path) }
        while total > goal, let oldest = items.popLast() {
            remove(oldest)
            total -= oldest.byteCount
        }
    }

    /// The names in a folder; none where it cannot be read.
    package static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

/// Whether a disk has room for so many bytes, and `spare` more that stay free for others; true where nobody knows.
package func hasRoom(for count: Int, sparing spare: Int, in folder: String) -> Bool {
    guard spare > 0 else { return true }
    var facts = statvfs()
    guard statvfs(folder, &facts) == 0 else { return true }
    let free = facts.f_bavail.multipliedReportingOverflow(by: UInt(facts.f_frsize))
    return free.overflow || free.partialValue / 2 > UInt(spare) / 2 + UInt(count) / 2
}
