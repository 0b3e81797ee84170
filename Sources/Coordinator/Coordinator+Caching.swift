import Diagnostics
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
        tellCacheNews()
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

    /// Fetches a segment of a cache that is far away, several at a time in the order in which they are asked for; other
    /// chunks are rendered meanwhile. Where it does not come its task is rendered, too.
    func fetch(_ holding: Holding, _ wanted: JobCaching.Wanted, into folder: String) {
        guard let caching = openJobs[holding.job]?.caching else { return }
        let stop = WorkStop()
        openJobs[holding.job]?.verifying[holding] = stop
        caching.keeping.enter()
        do {
            try fetchers.run(for: holding.job, stop: stop) { [self] in
                defer { caching.keeping.leave() }
                guard !stop.isStopped else { return }
                // Its time begins anew with each byte, and not before it has its turn: those before it may be long.
                let signs = SignsOfLife { [self] in post { $0.enqueue(.workBegan(.verifying(holding))) } }
                let segment = caching.take(wanted, in: folder, stop: stop, goesOn: signs.give)
                caching.cache.counts.add(hits: segment == nil ? 0 : 1, misses: segment == nil ? 1 : 0)
                post { $0.fetched(holding, wanted, segment) }
            }
        } catch {
            caching.keeping.leave()
            fetched(holding, wanted, nil)
        }
    }

    private func fetched(_ holding: Holding, _ wanted: JobCaching.Wanted, _ segment: ReportedSegment?) {
        tellCacheNews()
        // No entry: it took too long, or its job has ended.
        guard openJobs[holding.job]?.verifying.removeValue(forKey: holding) != nil else { return }
        openJobs[holding.job]?.caching?.came(wanted, segment)
        if let segment { return enqueue(.fetched(holding, segment)) }
        let error = SplitreelError(
            .segmentInvalid, operation: "fetching a chunk of the cache", subject: wanted.name,
            reason: "it did not come, or was not right")
        enqueue(.verificationFailed(holding, error))
    }

    /// Takes the error of a check before the brain does: where it proves nothing against the segment, an entry of the
    /// cache stays.
    func noteForCache(_ holding: Holding, _ error: any Error) {
        if !JobCaching.isProof(error) { openJobs[holding.job]?.caching?.spare(holding.task) }
    }

    /// Takes the news of a change that is stored.
    func noteForCache(_ transition: Transition) {
        guard case .task(let job, let task, let row) = transition.change, openJobs[job]?.caching != nil else { return }
        switch row.state {
        case .done: keep(job, task, row)
        case .pending, .failed:
            // A check that takes too long proves nothing; that of a key which was caught does not matter.
            let isBeingChecked = openJobs[job]?.verifying.keys.contains { $0.task == task } == true
            if isBeingChecked, brain.jobs[job]?.distrustsNobody != false { openJobs[job]?.caching?.spare(task) }
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
                if !cache.keep(key, files, madeBy: row.worker) { post { $0.tellCacheNews() } }
            }
        } catch {
            keeping.leave()
        }
    }

    /// Waits until the entries that are being made of a job's segments are made, and none is being got for it any more,
    /// for some seconds at most.
    /// Blocking; from any thread but the loop's.
    nonisolated static func waitForEntries(of caching: JobCaching?) {
        _ = caching?.keeping.wait(timeout: .now() + .seconds(SegmentCache.patience))
    }

    /// Tells what is wrong with the cache: a fault of it once, entries that somebody else made each time.
    private func tellCacheNews() {
        guard let cache = configuration.chunkCache else { return }
        for remark in cache.takeRemarks() {
            logger.error(
                "a chunk of the shared cache is not one of ours, and is rendered: who else can write there?",
                metadata: ["entry": "\(remark)"])
        }
        guard !hasToldCacheFault, let fault = cache.fault else { return }
        hasToldCacheFault = true
        logger.warning("the cache of chunks cannot be used as it should", metadata: ["error": "\(fault)"])
    }
}
