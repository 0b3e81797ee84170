import Glibc

/// The placing of a file under a second name: by a link, or by a copy where the file system has no links between the
/// two places.
enum FileCopy {
    /// A call that failed.
    struct Failure: Error {
        var call: String
        var path: String
        var number: Int32
        /// Whether it is the first file that cannot be read.
        var isOfSource: Bool
    }

    /// Puts the file at a path at which nothing is; links are not followed. Throws where it cannot, and leaves nothing.
    static func place(_ from: String, at to: String) throws(Failure) {
        var facts = stat()
        guard lstat(from, &facts) == 0 else { throw Failure(call: "stat", path: from, number: errno, isOfSource: true) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(call: "stat", path: from, number: EINVAL, isOfSource: true)
        }
        if link(from, to) == 0 { return }
        switch errno {
        // No links there, none of another user's files, or too many of this one.
        case EXDEV, EPERM, EACCES, EMLINK, EOPNOTSUPP, ENOSYS: try copy(from, to)
        case let number:
            // It may have been removed since.
            let isGone = lstat(from, &facts) != 0
            throw Failure(call: "link", path: isGone ? from : to, number: number, isOfSource: isGone)
        }
    }

    private static func copy(_ from: String, _ to: String) throws(Failure) {
        let source = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw Failure(call: "open", path: from, number: errno, isOfSource: true) }
        defer { close(source) }
        let target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard target >= 0 else { throw Failure(call: "open", path: to, number: errno, isOfSource: false) }
        do throws(Failure) {
            try copy(from, source, to, target)
            guard close(target) == 0 || errno == EINTR else {
                throw Failure(call: "close", path: to, number: errno, isOfSource: false)
            }
        } catch {
            if error.call != "close" { close(target) }
            unlink(to)
            throw error
        }
    }

    private static func copy(_ from: String, _ source: Int32, _ to: String, _ target: Int32) throws(Failure) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { block.deallocate() }
        while true {
            let count = read(source, block.baseAddress, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(call: "read", path: from, number: errno, isOfSource: true) }
            if count == 0 { return }
            var done = 0
            while done < count {
                let more = write(target, block.baseAddress.map { $0 + done }, count - done)
                if more < 0, errno == EINTR { continue }
                guard more > 0 else {
                    throw Failure(call: "write", path: to, number: more < 0 ? errno : EIO, isOfSource: false)
                }
                done += more
            }
        }
    }
}
