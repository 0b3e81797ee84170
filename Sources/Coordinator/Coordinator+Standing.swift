import Hashing
import Planning
import Scheduling
import Threads

// Segments that came whole before their slots could say so: a machine that dies then costs no render.
extension Coordinator {
    nonisolated func stands(_ files: [Holding: Int]) {
        post { coordinator in
            for (holding, count) in files where coordinator.brain.isLeftBehind(holding) {
                coordinator.takeUp(holding, files: count)
            }
        }
    }

    /// Takes a segment for finished of which so many files are here, where these are all of them. Its records say what
    /// its slot would have said.
    private func takeUp(_ holding: Holding, files count: Int) {
        let job = holding.job
        guard let openJob = openJobs[job], let prepared = openJob.prepared, !openJob.standing.contains(holding),
            case let number = prepared.plan.fileCount(ofTask: holding.task), number > 0, count == 2 * number
        else { return }
        openJobs[job]?.standing.insert(holding)
        let name = SegmentFile.name(holding, prepared.plan.part(ofTask: holding.task))
        let path = prepared.folder.path + "/" + name
        let key = prepared.keys[holding.task]
        do {
            try verifiers.run(for: job) { [self] in
                guard let records = try? SegmentFile.records(of: path, count: number, key: key),
                    let hash = bytes(ofSHA256: SegmentSet.hash(of: records))
                else { return }
                post { $0.enqueue(.stands(holding, ReportedSegment(name: name, hash: hash))) }
            }
        } catch {
            // Too much is being checked: it is seen again in a second.
            openJobs[job]?.standing.remove(holding)
        }
    }
}
