package import Diagnostics
import Glibc
import Synchronization

/// A source in a regular file of this machine. It has at most one descriptor, however many read it.
package final class LocalFile: MediaSource {
    package let name: String
    package let identity: SourceIdentity
    /// The descriptor; nil while the source rests. Whoever reads holds it for so long.
    private let open: Mutex<OpenFile?>

    /// Opens the file; links are followed. An error about a file that may not be read tells the operation `call`, one
    /// about a file that is not there `look`. Throws `mediaNotFound`, or `mediaCannotOpen` where there is no regular
    /// file or the system fails.
    package convenience init(path: String, asking call: String = "access", finding look: String = "stat") throws {
        try self.init(path: path) { Self.error(path, $0, asking: call, finding: look) }
    }

    /// Opens the file; where that fails, the error is the one that is told.
    package init(path: String, telling error: (Fault) -> SplitreelError) throws {
        do throws(Fault) {
            // Opening a device may do something to it.
            _ = try Self.status(path)
            let file = try Self.openFile(path)
            name = path
            identity = SourceIdentity(file.status)
            open = Mutex(file)
        } catch let fault {
            throw error(fault)
        }
    }

    /// Opens the file as `init` does, after 24 ms more where its last change was too short ago for a mark.
    package static func settled(path: String) throws -> LocalFile {
        let file = try LocalFile(path: path)
        guard file.identity.mark == nil else { return file }
        usleep(UInt32(2 * SourceIdentity.clockStepMilliseconds * 1000))
        return try LocalFile(path: path)
    }

    /// The identity of the file at a path now; the file is not opened. Throws as `init` does.
    package static func identity(path: String) throws -> SourceIdentity {
        do throws(Fault) { return SourceIdentity(try status(path)) } catch { throw Self.error(path, error, asking: "") }
    }

    package func identityNow() throws -> SourceIdentity { try Self.identity(path: name) }

    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let file = try opened()
        while true {
            let count = pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(place))
            if count >= 0 { return count }
            let fault = errno
            if fault == EINTR { continue }
            throw SplitreelError(
                .mediaCannotOpen, operation: "pread", subject: name, reason: systemReason(fault))
        }
    }

    package func rest() { open.withLock { $0 = nil } }

    private func opened() throws -> OpenFile {
        try open.withLock { held in
            if let held { return held }
            let file: OpenFile
            do throws(Fault) { file = try Self.openFile(name) } catch {
                throw Self.error(name, error, asking: "open")
            }
            let now = SourceIdentity(file.status)
            guard now == identity else {
                throw sourceChanged(name, "the file was changed at \(now.changeTime) while it was read")
            }
            held = file
            return file
        }
    }

    /// The reason why a path cannot be opened as a source.
    package enum Fault: Error {
        /// The system tells nothing of that name, mostly because there is nothing.
        case missing(errno: Int32)
        /// The system does not open it, mostly because it may not be read.
        case closed(errno: Int32)
        case folder
        /// It is a pipe, a device or a socket.
        case irregular
    }

    private static func status(_ path: String) throws(Fault) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .missing(errno: errno) }
        try check(status)
        return status
    }

    private static func check(_ status: stat) throws(Fault) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .folder
        default: throw .irregular
        }
    }

    private static func openFile(_ path: String) throws(Fault) -> OpenFile {
        guard let file = RegularFile.descriptor(path, flags: 0) else { throw .closed(errno: errno) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            let fault = errno
            close(file)
            throw .closed(errno: fault)
        }
        let opened = OpenFile(file, status)
        try check(status)
        return opened
    }

    /// The error that tells of the fault, with the operations as in `init`.
    package static func error(
        _ path: String, _ fault: Fault, asking call: String, finding look: String = "stat"
    ) -> SplitreelError {
        switch fault {
        case .missing(let number): failed(path, look, number)
        case .closed(let number): failed(path, call, number)
        case .folder: irregular(path, "it is a folder")
        case .irregular: irregular(path, "not a regular file")
        }
    }

    private static func failed(_ path: String, _ call: String, _ number: Int32) -> SplitreelError {
        // Whoever has too many open files, or a broken disk, has the right name.
        guard [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number) else {
            let ofPermission =
                number == EACCES ? "it is there, or its folder is: let yourself read it (`ls -l` shows who may)" : nil
            return SplitreelError(
                .mediaCannotOpen, operation: call, subject: path, reason: systemReason(number),
                hint: ofPermission ?? openFilesHint(errno: number) ?? "")
        }
        return SplitreelError(
            .mediaNotFound, operation: call, subject: path, reason: systemReason(number), hint: hint(forMissing: path))
    }

    private static func irregular(_ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(.mediaCannotOpen, operation: "stat", subject: path, reason: reason, hint: "name a file")
    }
}

/// Owns a descriptor, which is closed with it.
private final class OpenFile: Sendable {
    let descriptor: Int32
    let status: stat

    init(_ descriptor: Int32, _ status: stat) { (self.descriptor, self.status) = (descriptor, status) }

    deinit { close(descriptor) }
}
