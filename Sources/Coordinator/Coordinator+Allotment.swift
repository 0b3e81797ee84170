import Diagnostics
import Foundation
import Outputs
import Planning
import Scheduling
import SplitreelFiles
import Threads

// Films of two passes: analyses are read and kept, and when all are there the film's bits are shared out.
extension Coordinator {
    func verifyAnalysis(_ holding: Holding, _ segment: ReportedSegment, _ prepared: PreparedJob, _ chunk: Int) {
        let name = SegmentFile.name(holding, .analysis(chunk))
        let path = prepared.folder.path + "/" + name
        let check = check(prepared)
        let stop = WorkStop()
        openJobs[holding.job]?.verifying[holding] = stop
        do {
            try verifiers.run(for: holding.job, stop: stop) { [self] in
                post { $0.enqueue(.workBegan(.verifying(holding))) }
                let result = Result {
                    try requireReported(segment, named: name)
                    let records = try check.records(ofTask: holding.task, at: path)
                    try requireHash(segment, records)
                    return try check.analysis(at: path, record: records[0])
                }
                post { $0.analysed(holding, chunk, result) }
            }
        } catch {
            openJobs[holding.job]?.verifying[holding] = nil
            noteForCache(holding, error)
            enqueue(.verificationFailed(holding, asOurs(error, "verifying a chunk's analysis", holding.job)))
        }
    }

    private func analysed(_ holding: Holding, _ chunk: Int, _ result: Result<ChunkAnalysis, any Error>) {
        // No entry: the brain has given this check up, since it took too long or its job has ended.
        guard openJobs[holding.job]?.verifying.removeValue(forKey: holding) != nil else { return }
        switch result {
        case .success(let analysis):
            openJobs[holding.job]?.analyses[chunk] = analysis
            enqueue(.verified(holding))
        case .failure(let error):
            noteForCache(holding, error)
            enqueue(.verificationFailed(holding, asOurs(error, "verifying a chunk's analysis", holding.job)))
        }
    }

    /// Works the allotment out and writes it beside the plan; one that an earlier life wrote is the same.
    func allot(_ job: String) {
        guard let openJob = openJobs[job], let prepared = openJob.prepared else { return }
        let (analyses, permit) = (openJob.analyses, openJob.permit)
        do {
            try verifiers.run(for: job, stop: permit.stop) { [self] in
                post { $0.enqueue(.workBegan(.allotting(job: job))) }
                let result = Result {
                    let allotment = try Allotment(
                        plan: prepared.plan, planHash: prepared.hash,
                        analyses: prepared.plan.chunks.indices.compactMap { analyses[$0] })
                    let bytes = try allotment.bytes()
                    let path = prepared.folder.path + "/" + Allotment.fileName
                    try permit.make(path, { try replaceFile(bytes, at: path) }, remove: { _ in })
                    return RenderPlan.hash(ofBytes: bytes)
                }
                post { $0.allotted(job, result) }
            }
        } catch {
            allotted(job, .failure(error))
        }
    }

    private func allotted(_ job: String, _ result: Result<String, any Error>) {
        switch result {
        case .success(let hash):
            openJobs[job]?.allotmentHash = hash
            enqueue(.allotted(job: job))
        case .failure(let error): enqueue(.allotted(job: job, asOurs(error, "allotting bits", job)))
        }
    }
}
