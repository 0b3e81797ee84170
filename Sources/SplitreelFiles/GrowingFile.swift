import Glibc

/// A new file that is written from its start to its end; one of that name is emptied, a link is not followed. Every
/// failure is the disk's fault: see `writingFailure`. Confined to one thread at a time.
package final class GrowingFile {
    private var descriptor: Int32
    private let path: String

    /// `name` is the file's name in errors, where that is not its path.
    package init(path: String, named name: String? = nil, permissions: UInt32 = 0o644) throws {
        self.path = name ?? path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, permissions)
        guard descriptor >= 0 else { throw writingFailure("open", self.path, errno: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        try writeWhole(bytes, to: descriptor, path: path)
    }

    /// Finishes the file: all of it is on the disk when this returns; nothing can be written afterwards.
    package func finish() throws {
        guard DiskDuty.synchronize(descriptor) == 0 else { throw writingFailure("fsync", path, errno: errno) }
        let number = descriptor
        descriptor = -1
        // Some file systems tell only now that there was no room.
        guard close(number) == 0 || errno == EINTR else { throw writingFailure("close", path, errno: errno) }
    }
}
