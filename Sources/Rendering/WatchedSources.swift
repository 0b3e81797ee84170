package import Composition
import Diagnostics
import Media

/// The files that a render reads: each must be the one that was planned with when it is first opened, and still be it
/// when all was read of it. Confined to one thread at a time.
final class WatchedSources {
    private var identities: [String: FileIdentity] = [:]

    /// Before a file is first read; later calls cost nothing.
    func open(_ facts: AssetFacts) throws {
        guard identities[facts.path] == nil else { return }
        // First, so that a change during the check is found afterwards.
        let identity = try FileIdentity(path: facts.path)
        try checkUnchanged(facts)
        identities[facts.path] = identity
    }

    /// After the last read of a task: throws `mediaChanged` where a file is no longer the one that was opened.
    func check() throws {
        for (path, identity) in identities.sorted(by: { $0.key < $1.key }) { try identity.check(path: path) }
    }
}

/// The file must be the one that was planned with: same size, same first and last MiB, same packets. Reads all of it.
package func checkUnchanged(_ facts: AssetFacts) throws {
    try checkEdges(facts)
    guard let planned = facts.contentSum, try contentSum(path: facts.path) != planned else { return }
    throw changed(facts, "the file's content is not what was planned")
}

/// The same as far as the file's size and its first and last MiB tell: quick, however long the file is.
package func checkEdges(_ facts: AssetFacts) throws {
    let now = try edgeHash(path: facts.path)
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
    let time = (try? FileIdentity(path: facts.path))?.changeTime
    return SplitreelError(
        .mediaChanged, operation: "opening", subject: facts.path,
        reason: reason + (time.map { "; it was last written at \($0)" } ?? ""),
        hint: "start the render again")
}
