internal import Diagnostics
internal import Foundation
internal import Glibc
internal import Hashing
internal import Libav
internal import SplitreelFiles
internal import Synchronization

extension FileIndex {
    private struct Key: Hashable {
        var path: String
        var identity: FileIdentity
        var change: Int

        init(_ path: String, _ identity: FileIdentity) {
            self.path = path
            self.identity = identity
            change = identity.change
        }
    }

    private struct Cache {
        var byKey: [Key: FileIndex] = [:]
        var order: [Key] = []
        var byteCount = 0

        mutating func keep(_ index: FileIndex, _ key: Key) {
            if let old = byKey.updateValue(index, forKey: key) {
                byteCount -= old.byteCount
            } else {
                order.append(key)
            }
            byteCount += index.byteCount
            // The newest stays, however large it is: whoever asked reads on with it.
            while order.count > 1, byteCount > ReadLimits.keptIndexBytes {
                byteCount -= byKey.removeValue(forKey: order.removeFirst())?.byteCount ?? 0
            }
        }
    }

    private static let cache = Mutex(Cache())

    /// The file's index, built at most once per process while the file stays as it is. With `findings` an index that
    /// was read without them is built anew. Two threads that ask at once may both build it. Throws `mediaNotFound`
    /// where there is no regular file.
    static func of(path: String, withFindings needsFindings: Bool = false) throws -> FileIndex {
        let identity = try FileIdentity(path: path)
        guard unsafe access(path, R_OK) == 0 else {
            throw notFound(path, "access")
        }
        let key = Key(path, identity)
        if let known = cache.withLock({ $0.byKey[key] }), !needsFindings || known.findings != nil { return known }
        let built = try build(path: path)
        try identity.check(path: path)
        cache.withLock { $0.keep(built, key) }
        return built
    }

    fileprivate static func known(path: String) throws -> FileIndex? {
        let key = Key(path, try FileIdentity(path: path))
        return cache.withLock { $0.byKey[key] }
    }

    /// Keeps the index that is written in `file` for the file at `path`; false where its bytes have another sum.
    fileprivate static func takeUp(path: String, identity: FileIdentity, sum: String, from file: String) -> Bool {
        let key = Key(path, identity)
        if cache.withLock({ $0.byKey[key]?.contentSum == sum }) { return true }
        guard let bytes = try? RegularFile.contents(of: file, limit: IndexBytes.most, failure: .mediaChanged),
            sha256(bytes) == sum,
            let index = unsafe bytes.withUnsafeBytes({ unsafe IndexBytes.read($0, sum: sum) })
        else { return false }
        cache.withLock { $0.keep(index, key) }
        return true
    }
}

/// The SHA-256 of everything in a file's index that readers go by. The file is indexed where it is not yet.
package func contentSum(path: String) throws -> String { try FileIndex.of(path: path).contentSum }

/// Writes a file's index for others who will read the file; see `takeUpIndex`.
package func writeIndex(of path: String, to file: String) throws {
    var bytes = Data()
    IndexBytes.write(try FileIndex.of(path: path)) { bytes.append(contentsOf: $0) }
    try writeFile(bytes, to: file, durably: false)
}

/// Takes up an index that was written beside a plan, so that the file need not be read through for one.
///
/// False, and nothing is taken, where the file no longer has that `mark`, or where the written index is not the one of
/// the plan's `sum`: the file's own packets are read then.
package func takeUpIndex(of path: String, sum: String, mark: String, from file: String) -> Bool {
    guard let identity = try? FileIdentity(path: path), identity.mark == mark else { return false }
    return FileIndex.takeUp(path: path, identity: identity, sum: sum, from: file)
}

/// Whether the index that this process has of a file, as the file is now, came from reading it through; false where it
/// was taken up, nil where there is none. For tests.
package func isIndexBuilt(of path: String) throws -> Bool? {
    try FileIndex.known(path: path).map { $0.findings != nil }
}

/// About how many bytes of memory a file's index takes. For tests.
package func indexMemory(of path: String) throws -> Int { try FileIndex.of(path: path).byteCount }
