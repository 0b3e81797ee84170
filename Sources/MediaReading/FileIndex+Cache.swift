internal import Diagnostics
internal import Foundation
internal import Hashing
internal import Libav
package import SplitreelFiles
internal import Synchronization

extension FileIndex {
    private struct Key: Hashable {
        var name: String
        var identity: SourceIdentity
        var change: Int

        init(_ source: any MediaSource) {
            name = source.name
            identity = source.identity
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
    /// was read without them is built anew. Two threads that ask at once may both build it. Throws `mediaChanged`
    /// where the source changes meanwhile.
    static func of(_ source: any MediaSource, withFindings needsFindings: Bool = false) throws -> FileIndex {
        try opening(source, withFindings: needsFindings).index
    }

    /// The index as `of` has it, with the file's beginning where the file was opened for it and libav reads it.
    static func opening(
        _ source: any MediaSource, withFindings needsFindings: Bool = true
    ) throws -> (index: FileIndex, beginning: FileBeginning?) {
        let key = Key(source)
        if let known = cache.withLock({ $0.byKey[key] }), !needsFindings || known.findings != nil {
            return (known, nil)
        }
        let built = try build(source)
        try source.checkUnchanged()
        cache.withLock { $0.keep(built.index, key) }
        return built
    }

    fileprivate static func known(_ source: any MediaSource) -> FileIndex? {
        let key = Key(source)
        return cache.withLock { $0.byKey[key] }
    }

    /// Keeps the index that is written in `file` for the source; false where its bytes have another sum.
    fileprivate static func takeUp(_ source: any MediaSource, sum: String, from file: String) -> Bool {
        let key = Key(source)
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
package func contentSum(_ source: any MediaSource) throws -> String { try FileIndex.of(source).contentSum }

/// Writes a source's index for others who will read the source; see `takeUpIndex`.
package func writeIndex(of source: any MediaSource, to file: String) throws {
    var bytes = Data()
    IndexBytes.write(try FileIndex.of(source)) { bytes.append(contentsOf: $0) }
    try writeFile(bytes, to: file, durably: false)
}

/// Takes up an index that was written beside a plan, so that the source need not be read through for one.
///
/// False, and nothing is taken, where the source no longer has that `mark`, or where the written index is not the one
/// of the plan's `sum`: the source's own packets are read then.
package func takeUpIndex(of source: any MediaSource, sum: String, mark: String, from file: String) -> Bool {
    guard source.identity.mark == mark else { return false }
    return FileIndex.takeUp(source, sum: sum, from: file)
}

/// Whether the index that this process has of a source, as the source was when it was opened, came from reading it
/// through; false where it was taken up, nil where there is none. For tests.
package func isIndexBuilt(of source: any MediaSource) -> Bool? {
    FileIndex.known(source).map { $0.findings != nil }
}

/// About how many bytes of memory a source's index takes. For tests.
package func indexMemory(of source: any MediaSource) throws -> Int { try FileIndex.of(source).byteCount }
