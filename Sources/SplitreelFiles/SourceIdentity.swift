import Glibc

/// The identity of a source at one moment, which tells later whether it is still the same content. Two are equal where
/// their tokens are.
public struct SourceIdentity: Hashable, Sendable {
    /// A text that another content does not have: of a file its device, its inode, its length and its time.
    private let token: String
    /// The number of bytes of the content.
    public let byteCount: Int
    /// A text that is the same on every machine that sees the source, and changes with every change of it. It is nil
    /// while the clock that marks changes may not have moved on since the last one, so that a further change could go
    /// unseen.
    package let mark: String?
    /// The number of nanoseconds of the last change that nobody can set. It moves when bytes change though the file's
    /// own time was put back.
    package let change: Int
    /// The name under which this machine remembers the content of a file: of its device, its inode, its length and the
    /// times of its last change, also of that which nobody can set. nil as `mark` is.
    package var memoryName: String? { mark == nil ? nil : "\(token) \(change)" }
    /// The time of the content's last change, in seconds since 1970.
    private let seconds: Int

    package init(token: String, byteCount: Int, mark: String?, change: Int, seconds: Int) {
        self.token = token
        self.byteCount = byteCount
        self.mark = mark
        self.change = change
        self.seconds = seconds
    }

    /// The identity of a program's own source: its length, and a text that changes with every change of its bytes, such
    /// as a version, an ETag or a sum.
    public init(byteCount: Int, version: String) {
        let text = "\(byteCount) \(version)"
        self.init(token: text, byteCount: byteCount, mark: text, change: 0, seconds: 0)
    }

    /// The identity of the same content under a name of its own, which no other source's is equal to.
    func named(_ name: String) -> SourceIdentity {
        SourceIdentity(
            token: "\(name) \(token)", byteCount: byteCount, mark: mark.map { "\(name) \($0)" }, change: change,
            seconds: seconds)
    }

    public static func == (left: SourceIdentity, right: SourceIdentity) -> Bool { left.token == right.token }

    public func hash(into hasher: inout Hasher) { hasher.combine(token) }

    /// The time of the content's last change, written for people.
    package var changeTime: String {
        var parts = tm()
        var time = time_t(seconds)
        var text = [CChar](repeating: 0, count: 64)
        guard gmtime_r(&time, &parts) != nil, strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0 else {
            return "an unknown time"
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension SourceIdentity {
    /// The milliseconds within which two changes may have one time: ten on kernels of 100 Hz.
    static let clockStepMilliseconds = 12

    /// The identity of a file by its status.
    init(_ status: stat) {
        let changed = status.st_ctim
        let numbers = [
            Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
        ]
        self.init(
            token: numbers.map(String.init).joined(separator: " "), byteCount: Int(status.st_size),
            mark: Self.mark(status), change: changed.tv_sec &* 1_000_000_000 &+ changed.tv_nsec,
            seconds: status.st_mtim.tv_sec)
    }

    /// The mark of a file's status. The change time is the inode's, which nobody can set on a local file system of
    /// Linux.
    private static func mark(_ status: stat) -> String? {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
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
}
