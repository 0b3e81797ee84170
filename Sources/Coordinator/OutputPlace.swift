import Diagnostics
import Glibc
import Outputs
package import Planning
package import RemoteMedia
import SplitreelFiles
import SplitreelProject

/// The place where a film goes, and the one moment at which it appears there; or where the images of a sequence go.
package struct OutputPlace: Sendable {
    let path: String
    let overwrite: Bool
    /// The number of a sequence's first image.
    var firstNumber = 1
    /// The way to an address; nil for a file.
    var remote: RemoteMedia?
    /// A call while a film is sent to an address, which ends that by throwing.
    var going: @Sendable () throws -> Void = {}
    /// Whether its file system is taken for one without links, for tests.
    package var hasNoLinks = false

    package init(path: String, overwrite: Bool) { (self.path, self.overwrite) = (path, overwrite) }

    package init(_ request: OutputRequest, _ remote: RemoteMedia? = nil) {
        self.init(path: request.path, overwrite: request.overwrite)
        self.remote = remote
        firstNumber = request.stills.startNumber ?? 1
    }

    /// Refuses a place before any work that would be refused after it: `.outputExists`, `.outputNotWritable`, `.usage`.
    package func check() throws {
        if path.isRemoteName { return try checkAddress() }
        guard path.isAbsolutePath, !fileName(of: path).isEmpty, !path.utf8.contains(0) else {
            throw SplitreelError(
                .usage, operation: "checking the output", subject: path, reason: "it is not an absolute file path")
        }
        let folder = parentFolder(of: path)
        var facts = stat()
        guard stat(folder, &facts) == 0 else { throw notWritable(folder, systemReason(errno)) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { throw notWritable(folder, "it is not a folder") }
        guard access(folder, W_OK | X_OK) == 0 else { throw notWritable(folder, systemReason(errno)) }
        if let pattern, pattern.hasNumber { return try checkImages(pattern, folder) }
        guard lstat(path, &facts) == 0 else {
            if errno == ENAMETOOLONG {
                throw notWritable(path, systemReason(errno), hint: "a name has 255 bytes at most: choose a shorter one")
            }
            return
        }
        let kind = facts.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw notWritable(path, "it is a folder") }
        guard kind == S_IFREG || kind == S_IFLNK else {
            throw notWritable(path, "it is a device, a pipe or a socket", hint: "name a file")
        }
        if !overwrite { throw exists }
    }

    /// Moves the finished film here in one step and makes that durable. Without `overwrite` a file that has appeared
    /// meanwhile stays: `.outputExists`.
    package func publish(_ film: String) throws {
        if path.isRemoteName { return try publishAtAddress(film) }
        if let pattern { return try publishImages(pattern, film) }
        try synchronize(film)
        if overwrite {
            guard rename(film, path) == 0 else { throw notWritable(path, systemReason(errno)) }
        } else {
            try moveWithoutReplacing(film)
        }
        // The name is visible already; a folder that cannot be synchronized changes nothing about that.
        try? synchronize(parentFolder(of: path))
    }

    func moveWithoutReplacing(_ film: String) throws {
        // A second name never replaces; the first one goes with the work folder.
        if !hasNoLinks {
            if link(film, path) == 0 {
                unlink(film)
                return
            }
            switch errno {
            case EEXIST: if !isTaken(for: film) { throw exists }
            case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: break
            default: throw notWritable(path, systemReason(errno))
            }
        }
        if !isTaken(for: film) { try take(for: film) }
        guard rename(film, path) == 0 else {
            let reason = systemReason(errno)
            unlink(path)
            unlink(Self.mark(of: film))
            throw notWritable(path, reason)
        }
        unlink(Self.mark(of: film))
    }

    /// Takes the name by an empty file, which the film then replaces: the way of a file system without links. The mark
    /// beside the film, which is made before, tells whoever comes back after a crash in between.
    private func take(for film: String) throws {
        let mark = Self.mark(of: film)
        for (name, flags) in [(mark, O_CREAT), (path, O_CREAT | O_EXCL)] {
            let descriptor = open(name, O_WRONLY | O_CLOEXEC | flags, 0o666)
            guard descriptor >= 0 else {
                let number = errno
                unlink(mark)
                throw number == EEXIST ? exists : notWritable(name, systemReason(number))
            }
            close(descriptor)
            try? synchronize(parentFolder(of: name))
        }
    }

    /// Whether the name is taken by the empty file of an earlier try to put this film there.
    func isTaken(for film: String) -> Bool {
        var facts = stat()
        return access(Self.mark(of: film), F_OK) == 0 && lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
            && facts.st_size == 0
    }

    /// The path of the file that tells that a film's name is being taken.
    package static func mark(of film: String) -> String { film + ".taking" }

    var exists: SplitreelError {
        SplitreelError(
            .outputExists, operation: "checking the output", subject: "\(path)", reason: "a file of that name is there",
            hint: "name another, or say \(.overwrite)")
    }

    func notWritable(
        _ subject: String, _ reason: String, hint: String = "choose a folder that exists and that you may write to"
    ) -> SplitreelError {
        SplitreelError(
            .outputNotWritable, operation: "checking the output", subject: subject, reason: reason, hint: hint)
    }
}

/// The identity of a file within one folder, whatever its name: `inode:size`; that of a folder of images, of which some
/// may have been moved already, is its place alone. The device is no part of it: a network mount has another number
/// after a reboot.
package func fileIdentity(_ path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    let size = facts.st_mode & S_IFMT == S_IFDIR ? "images" : "\(facts.st_size)"
    return "\(facts.st_ino):\(size)"
}
