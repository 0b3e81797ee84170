import Diagnostics
import Foundation
import Glibc
internal import Hashing
import Synchronization

/// A file that comes from another machine, part after part. It grows under a hidden name beside its own, and has its
/// own only when it is whole, and on the disk where it is to last. From any thread; one call at a time, in the order of
/// the parts.
package final class ArrivingFile: Sendable {
    private struct State {
        /// The open file; -1 before the first part and after the end.
        var descriptor: Int32 = -1
        var sum = SHA256Sum()
    }

    private static let prefix = ".arriving-"
    private let path: String
    private let temporary: String
    private let isLasting: Bool
    private let state = Mutex(State())

    /// `path` is the name that the file gets in the end. A file that is not `lasting` is fetched again after a crash:
    /// its disk is not waited for. Nothing is made yet.
    package init(path: String, lasting: Bool = true) {
        self.path = path
        isLasting = lasting
        temporary = "\(parentFolder(of: path))/\(Self.prefix)\(fileName(of: path))"
    }

    deinit { closeFile() }

    /// Makes the hidden file, or empties it: parts come from the start. Throws as writing does.
    package func begin() throws {
        try state.withLock { state in
            if state.descriptor < 0 {
                let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
                state.descriptor = open(temporary, flags, 0o644)
                guard state.descriptor >= 0 else { throw writingFailure("open", temporary, errno: errno) }
            } else {
                guard ftruncate(state.descriptor, 0) == 0, lseek(state.descriptor, 0, SEEK_SET) == 0 else {
                    throw writingFailure("ftruncate", temporary, errno: errno)
                }
            }
            state.sum = SHA256Sum()
        }
    }

    /// Opens the hidden file that an earlier process left, or makes it, and sums what is there: parts go on behind it.
    /// A file of more than `most` bytes is emptied. Answers the bytes that are there. Reads all of them. Throws as
    /// writing does, and `.outputInUse` where another process writes the file.
    package func resume(most: Int64) throws -> Int64 {
        try state.withLock { state in
            if state.descriptor < 0 { state.descriptor = try openAgain() }
            let descriptor = state.descriptor
            var size = Int64(lseek(descriptor, 0, SEEK_END))
            if size < 0 || size > most {
                guard ftruncate(descriptor, 0) == 0 else { throw writingFailure("ftruncate", temporary, errno: errno) }
                size = 0
            }
            state.sum = SHA256Sum()
            var place: Int64 = 0
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while place < size {
                let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(place)) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw writingFailure("pread", temporary, errno: count < 0 ? errno : EIO) }
                state.sum.update(buffer[..<count])
                place += Int64(count)
            }
            guard lseek(descriptor, off_t(place), SEEK_SET) >= 0 else {
                throw writingFailure("lseek", temporary, errno: errno)
            }
            return place
        }
    }

    /// The descriptor of the hidden file, locked, so that no other process writes it too.
    private func openAgain() throws -> Int32 {
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw writingFailure("open", temporary, errno: errno) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            throw SplitreelError(
                .outputInUse, operation: "flock", subject: path, reason: "another process receives it",
                hint: "wait until that has ended")
        }
        return descriptor
    }

    /// Writes the next bytes.
    package func append(_ bytes: ArraySlice<UInt8>) throws {
        try state.withLock { state in
            let descriptor = state.descriptor
            try bytes.withUnsafeBytes { try writeWhole($0, to: descriptor, path: temporary) }
            state.sum.update(bytes)
        }
    }

    /// The SHA-256 of what has come, 32 bytes.
    package var sum: [UInt8] { state.withLock { $0.sum.bytes } }

    /// Brings the file to the disk, where it is to last, and gives it its name; one of that name is replaced.
    package func place() throws {
        try state.withLock { state in
            guard !isLasting || fsync(state.descriptor) == 0 else {
                throw writingFailure("fsync", temporary, errno: errno)
            }
            let number = state.descriptor
            state.descriptor = -1
            // Some file systems tell only now that there was no room.
            guard close(number) == 0 || errno == EINTR else { throw writingFailure("close", temporary, errno: errno) }
        }
        try renameFile(temporary, to: path)
        if isLasting { try synchronize(parentFolder(of: path)) }
    }

    /// Closes the hidden file, which stays for `resume` in this process or another.
    package func rest() { closeFile() }

    /// Removes what has come; harmless where there is nothing.
    package func remove() {
        closeFile()
        unlink(temporary)
    }

    /// Removes what has come, under the name that it has in the end, too; harmless where there is nothing.
    package func discard() {
        remove()
        unlink(path)
    }

    private func closeFile() {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = -1
        }
    }

    /// Removes all that an earlier process left in that folder of files that were arriving.
    package static func removeAll(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) { unlink("\(folder)/\(name)") }
    }
}

/// The number of files and folders that users can make on the disk of a folder; nil where the system does not say, as
/// on file systems that make room for them as they come.
package func freeFiles(in folder: String) -> Int64? {
    var space = statvfs()
    guard statvfs(folder, &space) == 0, space.f_files > 0 else { return nil }
    return Int64(clamping: space.f_favail)
}

/// The bytes that are free for users on the disk of a folder; nil where the system does not say.
package func freeBytes(in folder: String) -> Int64? {
    var space = statvfs()
    guard statvfs(folder, &space) == 0 else { return nil }
    return Int64(clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).partialValue)
}
