internal import Diagnostics
internal import Glibc
internal import Synchronization

extension FileIndex {
    private struct Key: Hashable {
        var path: String
        var device, inode: UInt
        var size, seconds, nanoseconds: Int
    }

    private struct Cache {
        var byKey: [Key: FileIndex] = [:]
        var order: [Key] = []

        var packetCount: Int { byKey.values.reduce(0) { $0 + $1.packetCount } }
    }

    private static let cache = Mutex(Cache())
    private static let limit = 24

    /// The file's index, built at most once per process while the file stays as it is. Two threads that ask at once
    /// may both build it. Throws `mediaNotFound` where there is no regular file.
    static func of(path: String) throws -> FileIndex {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw SplitreelError(
                .mediaNotFound, operation: "stat", subject: path, reason: reasonOfErrno())
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SplitreelError(.mediaCannotOpen, operation: "stat", subject: path, reason: "not a regular file")
        }
        guard unsafe access(path, R_OK) == 0 else {
            throw SplitreelError(
                .mediaNotFound, operation: "access", subject: path, reason: reasonOfErrno())
        }
        let key = Key(
            path: path, device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        if let known = cache.withLock({ $0.byKey[key] }) { return known }
        let built = try build(path: path)
        cache.withLock { cache in
            if cache.byKey.updateValue(built, forKey: key) == nil { cache.order.append(key) }
            // The one just built stays, however large it is: whoever asked reads on with it.
            while cache.order.count > limit || (cache.order.count > 1 && cache.packetCount > ReadLimits.keptPackets) {
                cache.byKey[cache.order.removeFirst()] = nil
            }
        }
        return built
    }
}
