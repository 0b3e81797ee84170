import Glibc
import Synchronization

/// The duty to bring files to the disk before anything is told of them. It is this process's own, unless another one
/// took it over: to wait for the disk twice makes nothing safer.
package enum DiskDuty {
    private static let isOthers = Atomic<Bool>(false)

    /// Leaves it to another process, for good, which brings to the disk what this one writes here; to be called before
    /// the first file is written.
    package static func leaveToOthers() { isOthers.store(true, ordering: .relaxed) }

    /// Brings an open file or folder to the disk, where that is this process's duty; what fsync(2) answers otherwise.
    static func synchronize(_ descriptor: Int32) -> Int32 {
        isOthers.load(ordering: .relaxed) ? 0 : fsync(descriptor)
    }
}
