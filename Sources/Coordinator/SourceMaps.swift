import Diagnostics
import Hashing
import MediaFacts
import Planning
import SourceBlocks
import SplitreelFiles
import Synchronization
import Threads

/// The map of a planned source's blocks, in a file beside the plan.
struct SourceMap: Sendable {
    /// The job whose plan reads it.
    let job: String
    /// The source as it was planned with.
    let facts: AssetFacts
    /// The path at which the map is kept.
    let file: String

    init(of facts: AssetFacts, job: String, in folder: String) {
        self.job = job
        self.facts = facts
        // Without a mark the reader holds the whole content against the plan.
        let name = facts.blockMapName ?? sha256(Array(facts.path.utf8)) + ".blocks"
        file = "\(folder)/\(name)"
    }

    /// Makes the map where it is not there. Throws `mediaChanged` where the source is no longer the file that was
    /// planned with, `refused` where it lies outside of the roots, `cancelled` once the work is stopped, and as reading
    /// and writing do.
    func make(_ access: MediaAccess, stop: WorkStop) throws {
        try stop.check(facts.path)
        let source = try access.source(at: facts.path)
        if let mark = facts.mark, source.identity.mark != mark {
            throw sourceChanged(facts.path, "the file was written to after the film was planned")
        }
        // The map of an object was made when the object was first opened.
        if let served = (source as? any ServedInBlocks)?.served {
            guard served.map.edgeHash == facts.edgeHash else {
                throw sourceChanged(facts.path, "its content is not what was planned")
            }
            // One that is there may be on its way to another reader, for whom a new file would be a change.
            if let kept = try? BlockMap(keptIn: file), kept.sum == served.map.sum { return }
            return try served.map.write(to: file)
        }
        let map = try BlockMap.kept(in: file, of: source, edgeHash: facts.edgeHash, stop: stop)
        // It could not be written: said here, since a full disk is another fault than a missing file.
        if (try? LocalFile.identity(path: file)) == nil { try map.write(to: file) }
    }
}

/// The making of maps off the loop, on threads of its own: each reads a whole source, and must not keep those waiting
/// that serve bytes. What was begun goes on, whoever asked for it, until its job is let go of or this goes.
final class SourceMaps: Sendable {
    /// The maps of a job that are being made or wait.
    private struct Making {
        let stop = WorkStop()
        var count = 0
    }

    private let pool = ThreadPool(name: "blocks", size: 2, perAsker: 1, capacity: 4096)
    private let jobs = Mutex<[String: Making]>([:])

    deinit { for making in jobs.withLock({ Array($0.values) }) { making.stop.stop() } }

    /// Ends the making of a job's maps, which is answered with `.cancelled`. From any thread.
    func letGo(of job: String) {
        jobs.withLock { $0.removeValue(forKey: job)?.stop }?.stop()
    }

    /// Makes a map where it is not there, and answers on the thread that did. Who asks for one that is being made waits
    /// for it. Throws where too many wait.
    func make(
        _ map: SourceMap, _ access: MediaAccess, _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) throws {
        let stop = jobs.withLock { jobs in
            jobs[map.job, default: Making()].count += 1
            return jobs[map.job]?.stop ?? WorkStop()
        }
        do {
            try pool.run(for: map.file, stop: stop) { [weak self] in
                let result = Result { try map.make(access, stop: stop) }
                self?.ended(map.job, stop)
                answer(result)
            }
        } catch {
            ended(map.job, stop)
            throw error
        }
    }

    private func ended(_ job: String, _ stop: WorkStop) {
        jobs.withLock { jobs in
            // Another stop is that of the job when it was taken up again.
            guard jobs[job]?.stop === stop else { return }
            jobs[job]?.count -= 1
            if jobs[job]?.count == 0 { jobs[job] = nil }
        }
    }
}
