import Glibc
import Synchronization

/// A file of another process's opening: a descriptor of it, or the reason why there is none.
package enum HandedFile: Sendable {
    case open(Int32)
    case refused(errno: Int32)

    /// The purposes for which a file is opened, each in a way of its own.
    package enum Purpose: Sendable {
        /// It is read as a `LocalFile` of this process would be.
        case source
        /// It is read as a `RegularFile`: links are refused.
        case ownFile
        /// It is made, or emptied, and written as `writeFile` does.
        case made
    }

    /// Opens the file here, for a process that may not; nil for a source that is none: whoever looks at it says why.
    /// Blocks for as long as its disk does.
    package init?(_ path: String, for purpose: Purpose) {
        let opened: Int32
        switch purpose {
        case .source:
            var status = stat()
            // Opening a device may do something to it.
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            opened = Glibc.open(path, RegularFile.openingFlags)
        case .ownFile: opened = Glibc.open(path, RegularFile.openingFlags | O_NOFOLLOW)
        case .made: opened = Glibc.open(path, newFileFlags | newFileCaution, 0o644)
        }
        self = opened >= 0 ? .open(opened) : .refused(errno: errno)
    }

    /// The descriptor, which is the caller's to close; nil where there is none.
    package var descriptor: Int32? {
        if case .open(let descriptor) = self { descriptor } else { nil }
    }

    /// The errno of the reason why there is no descriptor; nil where there is one.
    package var refusal: Int32? {
        if case .refused(let number) = self { number } else { nil }
    }
}

/// The files that this process was handed open, by their paths. They are opened here by being copied, whatever stands
/// at their paths now. Safe from any thread.
package enum HandedFiles {
    private static let files = Mutex<[String: HandedFile]>([:])

    /// Takes the files in the place of those before, whose descriptors are closed.
    package static func take(_ fresh: [String: HandedFile]) {
        let past = files.withLock { files -> [String: HandedFile] in
            let past = files
            files = fresh
            return past
        }
        for file in past.values { if let descriptor = file.descriptor { close(descriptor) } }
    }

    /// Opens a file as open(2) does: -1, with `errno` set, where that cannot be. Of one that was handed the answer is a
    /// descriptor that shares its place in the file.
    static func open(_ path: String, _ flags: Int32, _ permissions: mode_t = 0) -> Int32 {
        let handed = files.withLock { files -> Int32? in
            switch files[path] {
            case .open(let descriptor)?:
                return fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            case .refused(let number)?:
                errno = number
                return -1
            case nil:
                return nil
            }
        }
        return handed ?? Glibc.open(path, flags, permissions)
    }
}
