internal import Diagnostics
internal import Glibc
internal import Synchronization

extension FileIndex {
    private struct Key: Hashable {
        var path: String
        var identity: FileIdentity
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
        let identity = try FileIdentity(path: path)
        guard unsafe access(path, R_OK) == 0 else {
            throw notFound(path, "access")
        }
        let key = Key(path: path, identity: identity)
        if let known = cache.withLock({ $0.byKey[key] }) { return known }
        let built = try build(path: path)
        try identity.check(path: path)
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

/// A checksum over all packets of a file, which is indexed where it is not yet.
package func contentSum(path: String) throws -> String { try FileIndex.of(path: path).contentSum }
