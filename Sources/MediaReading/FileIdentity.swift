package import Diagnostics
internal import Glibc
internal import Libav

/// The identity of a file at one moment, which tells later whether it is still the same: where it lies, how long it is,
/// and when it was last written.
package struct FileIdentity: Hashable, Sendable {
    private let device, inode: UInt
    package let byteCount: Int
    private let seconds, nanoseconds: Int
    /// A text that is the same on every machine that sees the file, and changes with every change of the file. It is
    /// nil while the clock that marks changes may not have moved on since the last one, so that a further change could
    /// go unseen.
    package let mark: String?
    /// The time of the inode's last change, in nanoseconds. It moves when bytes change though the file's own time was
    /// put back.
    let change: Int

    package static func == (left: FileIdentity, right: FileIdentity) -> Bool { left.facts == right.facts }

    package func hash(into hasher: inout Hasher) { hasher.combine(facts) }

    private var facts: [Int] {
        [Int(bitPattern: device), Int(bitPattern: inode), byteCount, seconds, nanoseconds]
    }

    /// The identity of a file, read again after 24 ms where its last change was too short ago for a mark.
    static func settled(path: String) throws -> FileIdentity {
        let identity = try FileIdentity(path: path)
        guard identity.mark == nil else { return identity }
        usleep(UInt32(2 * clockStepMilliseconds * 1000))
        return try FileIdentity(path: path)
    }

    /// The milliseconds within which two changes may have one time: ten on kernels of 100 Hz.
    private static let clockStepMilliseconds = 12

    /// The mark of a file's status. The change time is the inode's, which nobody can set on a local file system of
    /// Linux.
    private static func mark(_ status: stat) -> String? {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        let change = status.st_ctim
        let age = (now.tv_sec - change.tv_sec) * 1000 + (now.tv_nsec - change.tv_nsec) / 1_000_000
        // Some file systems count in whole seconds.
        guard age >= (change.tv_nsec == 0 ? 2000 : clockStepMilliseconds) else { return nil }
        let numbers = [
            Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, change.tv_sec,
            change.tv_nsec,
        ]
        return numbers.map(String.init).joined(separator: " ")
    }

    /// The file's identity now. Throws `mediaNotFound` or `mediaCannotOpen` where there is no regular file.
    package init(path: String) throws {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw notFound(path, "stat") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SplitreelError(
                .mediaCannotOpen, operation: "stat", subject: path,
                reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "not a regular file",
                hint: "name a file")
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        byteCount = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        mark = Self.mark(status)
        change = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }

    /// Throws `mediaChanged`, with the time of the change, where the file at the path is another one by now.
    package func check(path: String) throws {
        guard let now = try? FileIdentity(path: path) else {
            throw Self.changed(path, "the file is no longer there")
        }
        guard now != self else { return }
        throw Self.changed(path, "the file was changed at \(now.changeTime) while it was read")
    }

    /// The time of the content's last change, written for people.
    package var changeTime: String {
        var parts = unsafe tm()
        var time = time_t(seconds)
        var text = [CChar](repeating: 0, count: 64)
        guard unsafe gmtime_r(&time, &parts) != nil,
            unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0
        else { return "an unknown time" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package static func changed(_ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .mediaChanged, operation: "reading", subject: path, reason: reason,
            hint: "render again once nothing writes to the file any more")
    }
}

/// The error for a file that the last system call on this thread did not find.
func notFound(_ path: String, _ call: String) -> SplitreelError {
    SplitreelError(
        .mediaNotFound, operation: call, subject: path, reason: reasonOfErrno(),
        hint: "check the name, and that you may read it; a composition's relative URLs start at its own folder")
}
