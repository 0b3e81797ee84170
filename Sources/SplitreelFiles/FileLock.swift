import Glibc
import Synchronization

/// An advisory lock on a file or a folder (`flock`), which the kernel lets go of when the process ends.
package final class FileLock: Sendable {
    package enum Failure: Error {
        /// Another holder has it.
        case taken
        /// The file cannot be opened, or its file system knows no locks; `errno`.
        case impossible(Int32)

        /// The system's number of the fault; nil where another holder is all there is to it.
        package var errorNumber: Int32? {
            if case .impossible(let number) = self { number } else { nil }
        }
    }

    package enum Kind: Sendable {
        case folder
        case file
        /// A file that is made, with these permissions, where there is none. Some network file systems lock only what
        /// is open for writing, which another user's file cannot be.
        case made(UInt32, forWriting: Bool)
    }

    private let path: String
    private let descriptor: Mutex<Int32?>

    /// Takes the lock at once or not at all. Links are not followed.
    package init(path: String, kind: Kind) throws(Failure) {
        self.path = path
        // Another holder may have removed it between our opening and our locking.
        for _ in 0..<8 {
            let opened = try Self.open(path, kind)
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                close(opened)
                throw number == EWOULDBLOCK ? .taken : .impossible(number)
            }
            if Self.isStill(opened, at: path) {
                descriptor = Mutex(opened)
                return
            }
            close(opened)
        }
        throw .taken
    }

    deinit { unlock() }

    /// Lets others have the lock; harmless when it is gone.
    package func unlock() {
        descriptor.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// Removes the file while it is locked, so that it cannot be another's, and lets go of the lock. False where the
    /// file stays.
    @discardableResult
    package func remove() -> Bool {
        descriptor.withLock { descriptor in
            guard let open = descriptor else { return false }
            let isRemoved = unlink(path) == 0
            close(open)
            descriptor = nil
            return isRemoved
        }
    }

    /// Keeps the lock from now on until the process ends.
    package func keep() { descriptor.withLock { $0 = nil } }

    private static func open(_ path: String, _ kind: Kind) throws(Failure) -> Int32 {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let opened =
            switch kind {
            case .folder: Glibc.open(path, flags | O_RDONLY | O_DIRECTORY)
            case .file: Glibc.open(path, flags | O_RDONLY)
            case .made(let permissions, let isForWriting):
                Glibc.open(path, flags | O_CREAT | (isForWriting ? O_RDWR : O_RDONLY), permissions)
            }
        guard opened >= 0 else { throw .impossible(errno) }
        return opened
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var (held, there) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &there) == 0 && held.st_ino == there.st_ino
            && held.st_dev == there.st_dev
    }
}
