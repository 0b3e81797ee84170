import Dispatch
import Glibc
import Hashing
import Logging
import MediaFacts
import Outputs
import Planning
import Scheduling
import SegmentCache
import SplitreelFiles
import Threads

// The cache of segments: tasks are looked for when their plan stands, and accepted ones are kept.
extension Coordinator {
    /// The niceness of summing. A tenth of a core is left for it where renders take all: at the lowest priority the
    /// sums of a short film's files come too late.
    private static let niceness: Int32 = 10

    /// Begins to sum those of a job's files whose content is not known: no render waits for that.
    func beginSums(_ job: String) {
        guard let caching = openJobs[job]?.caching, let stop = openJobs[job]?.permit.stop else { return }
        for (place, file) in caching.unknownFiles {
            let cache = caching.cache
            _ = try? summers.run(for: job, stop: stop) { [self] in
                // The render goes first. 0 stands for this thread alone.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                guard let sum = JobCaching.sum(of: file, in: cache, stop: stop) else { return }
                post { $0.learn(sum, of: job, file: place) }
            }
        }
    }

    private func learn(_ sum: String, of job: String, file place: Int) {
        for (task, row) in openJobs[job]?.caching?.learn(sum, ofFile: place) ?? [:] { keep(job, task, row) }
    }

    /// Takes the news of a change that is stored.
    func noteForCache(_ transition: Transition) {
        guard case .task(let job, let task, let row) = transition.change, openJobs[job]?.caching != nil else { return }
        switch row.state {
        case .done: keep(job, task, row)
        case .pending, .failed:
            guard let key = openJobs[job]?.caching?.takenBack(task), let cache = openJobs[job]?.caching?.cache else {
                return
            }
            _ = try? keepers.run(for: job) { cache.drop(key) }
        case .leased, .running, .verifying: break
        }
    }

    /// Makes an entry of a task that is done; where it cannot be made, nothing is lost but the entry.
    private func keep(_ job: String, _ task: Int, _ row: TaskRow) {
        guard let prepared = openJobs[job]?.prepared, let segment = row.segment,
            let key = openJobs[job]?.caching?.accepted(task, row), let caching = openJobs[job]?.caching
        else { return }
        let (cache, keeping) = (caching.cache, caching.keeping)
        let path = prepared.folder.path + "/" + segment.name
        let (count, taskKey) = (prepared.plan.fileCount(ofTask: task), prepared.keys[task])
        keeping.enter()
        do {
            try keepers.run(for: job) { [self] in
                defer { keeping.leave() }
                guard let records = try? SegmentFile.records(of: path, count: count, key: taskKey),
                    (try? requireHash(segment, records)) != nil
                else { return }
                let files = records.enumerated().map { number, record in
                    SegmentCache.Segment(
                        path: SegmentSet.path(path, file: number), hash: record.fileHash, byteCount: record.byteCount)
                }
                if !cache.keep(key, files, madeBy: row.worker), let fault = cache.fault {
                    post { $0.tellCacheFault("\(fault)") }
                }
            }
        } catch {
            keeping.leave()
        }
    }

    /// Waits until the entries that are being made of a job's segments are made, for ten seconds at most. Blocking;
    /// from any thread but the loop's.
    nonisolated static func waitForEntries(of caching: JobCaching?) {
        _ = caching?.keeping.wait(timeout: .now() + .seconds(10))
    }

    private func tellCacheFault(_ fault: String) {
        guard !hasToldCacheFault else { return }
        hasToldCacheFault = true
        logger.warning("the cache of chunks cannot keep a chunk", metadata: ["error": "\(fault)"])
    }
}
