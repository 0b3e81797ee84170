import Diagnostics
import Glibc
import Outputs
import Planning
import SplitreelFiles
import SplitreelProject

/// The place where a film goes, and the one moment at which it appears there; or where the images of a sequence go.
struct OutputPlace: Sendable {
    let path: String
    let overwrite: Bool
    /// The number of a sequence's first image.
    var firstNumber = 1

    init(path: String, overwrite: Bool) { (self.path, self.overwrite) = (path, overwrite) }

    init(_ request: OutputRequest) {
        self.init(path: request.path, overwrite: request.overwrite)
        firstNumber = request.stills.startNumber ?? 1
    }

    /// Refuses a place before any work that would be refused after it: `.outputExists`, `.outputNotWritable`, `.usage`.
    func check() throws {
        guard path.hasPrefix("/"), !fileName(of: path).isEmpty, !path.utf8.contains(0) else {
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
    func publish(_ film: String) throws {
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
        if link(film, path) == 0 {
            unlink(film)
            return
        }
        switch errno {
        case EEXIST: throw exists
        case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: break
        default: throw notWritable(path, systemReason(errno))
        }
        // A file system without links: the name is taken by an empty file, which the film then replaces.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw errno == EEXIST ? exists : notWritable(path, systemReason(errno)) }
        close(descriptor)
        guard rename(film, path) == 0 else {
            let reason = systemReason(errno)
            unlink(path)
            throw notWritable(path, reason)
        }
    }

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

/// The identity of a file, whatever its name: `device:inode:size`; that of a folder of images, of which some may have
/// been moved already, is its place alone.
func fileIdentity(_ path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    let size = facts.st_mode & S_IFMT == S_IFDIR ? "images" : "\(facts.st_size)"
    return "\(facts.st_dev):\(facts.st_ino):\(size)"
}
