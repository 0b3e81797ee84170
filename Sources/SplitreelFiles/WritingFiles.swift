package import Diagnostics
package import Foundation
import Glibc

// The one place where bytes go to the disk by our own hand. A refusal of the system is the disk's fault and is said in
// the system's words: `.diskFull`, or `.outputNotWritable`.

/// The error of a failed system call, for whoever writes.
package func writingFailure(_ call: String, _ path: String, errno number: Int32, hint: String = "") -> SplitreelError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(number)
    return SplitreelError(
        isFull ? .diskFull : .outputNotWritable, operation: call, subject: path, reason: systemReason(number),
        hint: isFull && hint.isEmpty ? fullDiskHint : openFilesHint(errno: number) ?? hint)
}

/// The error about a folder of ours that was made and cannot be locked.
package func lockingFailure(_ path: String, errno number: Int32) -> SplitreelError {
    let knowsNoLocks = [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(number)
    return writingFailure(
        "flock", path, errno: number, hint: knowsNoLocks ? "choose a folder on a file system that knows flock" : "")
}

/// The hint for a person about an error number that means too many open files; nil for any other.
package func openFilesHint(errno number: Int32) -> String? {
    [EMFILE, ENFILE].contains(number) ? "raise the limit (ulimit -n)" : nil
}

/// The hint for a person about `.diskFull`.
package let fullDiskHint =
    "make room on that disk, or name an output on another one: a render needs about twice the film's size"

/// The system's words for an error number.
package func systemReason(_ number: Int32) -> String { String(cString: strerror(number)) }

/// Writes all of the bytes, in as many calls as it takes; `path` names the file in an error.
package func writeWhole(_ bytes: Data, to descriptor: Int32, path: String) throws {
    try bytes.withUnsafeBytes { try writeWhole($0, to: descriptor, path: path) }
}

package func writeWhole(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws {
    var done = 0
    while done < buffer.count {
        let count = write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count < 0 && errno == EINTR { continue }
        // No file system should answer with nothing written and no error; trying for ever would not help.
        guard count > 0 else { throw writingFailure("write", path, errno: count < 0 ? errno : EIO) }
        done += count
    }
}

/// The flags of open(2) for a file that is written anew, and those for a path that no person chose.
let newFileFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
let newFileCaution = O_NOFOLLOW | O_NONBLOCK

/// Makes the file, or empties it, and fills it; with `durably` it is on the disk when this returns. A file that could
/// not be filled is removed. Links are followed only where a person chose the path.
package func writeFile(
    _ bytes: some ContiguousBytes, to path: String, permissions: mode_t = 0o644, durably: Bool = true,
    followingLinks: Bool = false
) throws {
    let descriptor = HandedFiles.open(path, newFileFlags | (followingLinks ? 0 : newFileCaution), permissions)
    guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
    var isOpen = true
    do {
        try bytes.withUnsafeBytes { try writeWhole($0, to: descriptor, path: path) }
        if durably, DiskDuty.synchronize(descriptor) != 0 { throw writingFailure("fsync", path, errno: errno) }
        isOpen = false
        // Some file systems tell only now that there was no room.
        guard close(descriptor) == 0 || errno == EINTR else { throw writingFailure("close", path, errno: errno) }
    } catch {
        if isOpen { close(descriptor) }
        removeRegular(path)
        throw error
    }
}

/// Puts the bytes at `path` in one step: a file of that name is the old one or the new one, never a part. A link of
/// that name is replaced, not followed.
package func replaceFile(_ bytes: Data, at path: String, permissions: mode_t = 0o644) throws {
    let temporary = temporaryPath(beside: path)
    try writeFile(bytes, to: temporary, permissions: permissions)
    do {
        try renameFile(temporary, to: path)
    } catch {
        unlink(temporary)
        throw error
    }
    // The name is visible already; a folder that cannot be synchronized changes nothing about that.
    try? synchronize(parentFolder(of: path))
}

/// The path at which this process writes a file before it gets its name. A name has 255 bytes at most: of a long one
/// only the beginning is taken, with a number that stands for the rest.
private func temporaryPath(beside path: String) -> String {
    let ending = ".\(getpid()).part"
    guard let name = path.split(separator: "/").last, name.utf8.count > 200 else { return path + ending }
    let start = String(decoding: name.utf8.prefix(150), as: UTF8.self)
    return "\(parentFolder(of: path))/\(start).\(UInt(bitPattern: name.hashValue))\(ending)"
}

package func renameFile(_ from: String, to: String) throws {
    guard rename(from, to) == 0 else { throw writingFailure("rename", to, errno: errno) }
}

/// Brings a file's or folder's content to the disk, where that is this process's duty (`DiskDuty`).
package func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
    defer { close(descriptor) }
    guard DiskDuty.synchronize(descriptor) == 0 else { throw writingFailure("fsync", path, errno: errno) }
}

/// The path without its last component; `.` for a bare name.
package func parentFolder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Removes a file, or a link that stands for one; devices that were written to by their own name, such as /dev/full,
/// stay.
private func removeRegular(_ path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0, [S_IFREG, S_IFLNK].contains(facts.st_mode & S_IFMT) else { return }
    unlink(path)
}
