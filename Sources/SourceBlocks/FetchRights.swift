import Glibc
import Synchronization

/// The rights to fetch units, each of which one has at a time of all that open the same file: a byte of the file is
/// locked for each unit that is being fetched. The locks of a process end with it, and nothing of them is on the disk.
/// From any thread.
package final class FetchRights: Sendable {
    package enum Answer: Sendable {
        case ours
        case anothers
        /// The file system knows no locks.
        case unknown
    }

    private let descriptor: Int32
    /// The places that are locked here: the kernel tells descriptors apart, not threads.
    private let held = Mutex<Set<Int>>([])

    /// `F_OFD_SETLK` of <fcntl.h>, which it shows only with _GNU_SOURCE: a lock of the descriptor, not of the process.
    private static let setLock: Int32 = 37

    /// Opens the file, or makes it; nil where it cannot be.
    package init?(path: String) {
        let opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Takes the right to fetch the unit of that sum; whoever has it lets go of it.
    package func take(_ sum: BlockSum) -> Answer {
        let place = Self.place(of: sum)
        return held.withLock { held in
            guard !held.contains(place) else { return .anothers }
            guard set(place, F_WRLCK) else {
                return [EAGAIN, EACCES].contains(errno) ? .anothers : .unknown
            }
            held.insert(place)
            return .ours
        }
    }

    /// Lets go of the right to fetch the unit of that sum; harmless where it is another's.
    package func letGo(of sum: BlockSum) {
        let place = Self.place(of: sum)
        held.withLock { held in
            if held.remove(place) != nil { _ = set(place, F_UNLCK) }
        }
    }

    /// Two sums with the same place would only wait for each other.
    private static func place(of sum: BlockSum) -> Int { sum.bytes.prefix(7).reduce(0) { $0 << 8 | Int($1) } }

    private func set(_ place: Int, _ kind: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(place)
        lock.l_len = 1
        return fcntl(descriptor, Self.setLock, &lock) == 0
    }
}
