import Diagnostics
package import MediaFacts
import MediaReading
import Planning
import SplitreelFiles

/// The files that a render reads: each must be the one that was planned with when it is first opened, and still be it
/// when all was read of it. Confined to one thread at a time.
final class WatchedSources {
    private var sources: [String: LocalFile] = [:]
    private let folder: String?

    /// `folder` holds the plan's indexes; nil for none.
    init(indexesIn folder: String? = nil) { self.folder = folder }

    /// Checks a file before it is first read; later calls cost nothing.
    func open(_ facts: AssetFacts) throws {
        guard sources[facts.path] == nil else { return }
        // Taken first, so that a change during the check is found afterwards.
        let source = try LocalFile(path: facts.path, asking: "open")
        try checkEdges(facts, of: source)
        if !hasTakenUpIndex(facts, of: source) { try checkContent(facts, of: source) }
        source.rest()
        sources[facts.path] = source
    }

    /// Reads all of a data asset.
    func read(_ facts: AssetFacts) throws -> DataFile {
        let source = try LocalFile(path: facts.path, asking: "open")
        let file = try readData(source)
        source.rest()
        guard file.sum == facts.contentSum else {
            throw changed(facts, "the file's content is not what was planned")
        }
        sources[facts.path] = source
        return file
    }

    /// Whether the file is still the very one that was planned with, and its index lies beside the plan.
    private func hasTakenUpIndex(_ facts: AssetFacts, of source: LocalFile) -> Bool {
        guard let folder, let name = facts.indexName, let sum = facts.contentSum, let mark = facts.mark else {
            return false
        }
        return takeUpIndex(of: source, sum: sum, mark: mark, from: folder + "/" + name)
    }

    /// Throws `mediaChanged` where a file is no longer the one that was opened; to be called after the last read of a
    /// task.
    func check() throws {
        for (_, source) in sources.sorted(by: { $0.key < $1.key }) { try source.checkUnchanged() }
    }
}

/// The file must be the one that was planned with: same packets at the same times. Reads all of it.
private func checkContent(_ facts: AssetFacts, of source: LocalFile) throws {
    guard let planned = facts.contentSum, try contentSum(source) != planned else { return }
    throw changed(facts, "the file's content is not what was planned")
}

/// The file must be the one that was planned with, as far as its size and its first and last MiB tell: quick, however
/// long the file is.
package func checkEdges(_ facts: AssetFacts) throws {
    try checkEdges(facts, of: LocalFile(path: facts.path, asking: "open", finding: "open"))
}

private func checkEdges(_ facts: AssetFacts, of source: LocalFile) throws {
    let now = try edgeHash(source)
    guard now.byteCount == facts.byteCount, now.hash == facts.edgeHash else {
        let isLength = now.byteCount != facts.byteCount
        throw changed(
            facts,
            isLength
                ? "the file has \(now.byteCount) bytes, \(facts.byteCount) were planned"
                : "the file's content is not what was planned")
    }
}

private func changed(_ facts: AssetFacts, _ reason: String) -> SplitreelError {
    let time = (try? LocalFile.identity(path: facts.path))?.changeTime
    return SplitreelError(
        .mediaChanged, operation: "opening", subject: facts.path,
        reason: reason + (time.map { "; it was last written at \($0)" } ?? ""),
        hint: "start the render again")
}
