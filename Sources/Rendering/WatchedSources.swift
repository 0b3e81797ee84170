import Diagnostics
package import MediaFacts
import MediaReading
import Planning
import SplitreelFiles

/// The files that a render reads: each must be the one that was planned with when it is first opened, and still be it
/// when all was read of it. Confined to one thread at a time.
final class WatchedSources {
    private struct Reading: Hashable {
        var path: String
        var kind: SourceReading
    }

    /// The files that are opened under the plan's paths, by these.
    private var sources: [String: LocalFile] = [:]
    /// The sources that were opened otherwise, each for all its readers.
    private var others: [Reading: any MediaSource] = [:]
    private let folder: String?
    private let opener: (any SourceOpener)?

    /// `folder` holds the plan's indexes; nil for none. Without an opener all files are opened under the plan's paths.
    init(indexesIn folder: String? = nil, opener: (any SourceOpener)? = nil) {
        self.folder = folder
        self.opener = opener
    }

    /// Whether some sources may lie elsewhere: only these want to know what is read next.
    var mayReadFromAfar: Bool { opener != nil }

    /// Whether the source is no file of this machine.
    func isElsewhere(_ source: any MediaSource) -> Bool { !(source is LocalFile) }

    /// A source for a reader of a file, which is checked before it is first read; later calls cost next to nothing.
    func open(_ facts: AssetFacts, for kind: SourceReading) throws -> any MediaSource {
        let reading = Reading(path: facts.path, kind: kind)
        if let known = others[reading] {
            // Where many indexes are held, this one may have had to go.
            _ = hasTakenUpIndex(facts, of: known)
            return known
        }
        if sources[facts.path] == nil, let other = try opener?.source(of: facts, for: kind) {
            try takeUp(facts, of: other)
            others[reading] = other
            return other
        }
        if facts.path.isRemoteName {
            let other = try openSource(facts.path)
            try checkEdges(facts, of: other)
            try takeUp(facts, of: other)
            others[reading] = other
            return other
        }
        try watch(facts)
        return try LocalFile(path: facts.path)
    }

    private func watch(_ facts: AssetFacts) throws {
        guard sources[facts.path] == nil else { return }
        // Taken first, so that a change during the check is found afterwards.
        let source = try LocalFile(path: facts.path, asking: "open")
        try checkEdges(facts, of: source)
        try takeUp(facts, of: source)
        source.rest()
        sources[facts.path] = source
    }

    /// Reads all of a data asset.
    func read(_ facts: AssetFacts) throws -> DataFile {
        if let other = try opener?.source(of: facts, for: .pictures) {
            let file = try data(facts, of: other)
            others[Reading(path: facts.path, kind: .pictures)] = other
            return file
        }
        let source = try openSource(facts.path, asking: "open")
        let file = try data(facts, of: source)
        others[Reading(path: facts.path, kind: .pictures)] = source
        return file
    }

    private func data(_ facts: AssetFacts, of source: any MediaSource) throws -> DataFile {
        source.expect([0..<source.byteCount])
        let file = try readData(source)
        source.rest()
        guard file.sum == facts.contentSum else {
            throw changed(facts, of: source, "the file's content is not what was planned")
        }
        return file
    }

    /// Takes up the index beside the plan, which is brought where it is missing; without one all of the file is read.
    private func takeUp(_ facts: AssetFacts, of source: any MediaSource) throws {
        if hasTakenUpIndex(facts, of: source) { return }
        if let folder, let name = facts.indexName, source.identity.mark == facts.mark {
            opener?.bringIndex(of: facts, to: folder + "/" + name)
            if hasTakenUpIndex(facts, of: source) { return }
        }
        try checkContent(facts, of: source)
    }

    /// Whether the file is still the very one that was planned with, and its index lies beside the plan.
    private func hasTakenUpIndex(_ facts: AssetFacts, of source: any MediaSource) -> Bool {
        guard let folder, let name = facts.indexName, let sum = facts.contentSum, let mark = facts.mark else {
            return false
        }
        return takeUpIndex(of: source, sum: sum, mark: mark, from: folder + "/" + name)
    }

    /// Throws `mediaChanged` where a file is no longer the one that was opened; to be called after the last read of a
    /// task.
    func check() throws {
        for (_, source) in sources.sorted(by: { $0.key < $1.key }) { try source.checkUnchanged() }
        for (_, source) in others.sorted(by: { $0.key.path < $1.key.path }) { try source.checkUnchanged() }
    }
}

/// The file must be the one that was planned with: same packets at the same times. Reads all of it.
private func checkContent(_ facts: AssetFacts, of source: any MediaSource) throws {
    guard let planned = facts.contentSum, try contentSum(source) != planned else { return }
    throw changed(facts, of: source, "the file's content is not what was planned")
}

/// The file must be the one that was planned with, as far as its size and its first and last MiB tell: quick, however
/// long the file is.
package func checkEdges(_ facts: AssetFacts) throws {
    try checkEdges(facts, of: openSource(facts.path, asking: "open", finding: "open"))
}

private func checkEdges(_ facts: AssetFacts, of source: any MediaSource) throws {
    let now = try edgeHash(source)
    guard now.byteCount == facts.byteCount, now.hash == facts.edgeHash else {
        let isLength = now.byteCount != facts.byteCount
        throw changed(
            facts, of: source,
            isLength
                ? "the file has \(now.byteCount) bytes, \(facts.byteCount) were planned"
                : "the file's content is not what was planned")
    }
}

private func changed(_ facts: AssetFacts, of source: any MediaSource, _ reason: String) -> SplitreelError {
    let time = source is LocalFile ? (try? source.identityNow())?.changeTime : nil
    return SplitreelError(
        .mediaChanged, operation: "opening", subject: facts.path,
        reason: reason + (time.map { "; it was last written at \($0)" } ?? ""),
        hint: "start the render again; a plan folder is exported again")
}
