import Synchronization
import Threads

/// The kills for want of memory in this process's control group, each of which is taken for one child's end. From any
/// thread.
package final class MemoryKills: Sendable {
    private let count: @Sendable () -> Int?
    /// The kills that are explained, by a child's end or by having been there before; nil where nobody counts.
    private let explained: Mutex<Int?>

    /// `count` is the number of kills so far; nil where the system does not count them.
    package init(count: @escaping @Sendable () -> Int? = MemoryKills.counter()) {
        self.count = count
        explained = Mutex(count())
    }

    /// Whether there was a kill that no child's end has explained yet; it is explained then.
    package func takeOne() -> Bool {
        explained.withLock { explained in
            guard let known = explained, let latest = count(), latest > known else { return false }
            explained = known + 1
            return true
        }
    }

    /// The count of this process's group; nil at each call where the system does not count.
    package static func counter() -> @Sendable () -> Int? {
        let groups = ControlGroups()
        return { groups.memoryKills }
    }
}
