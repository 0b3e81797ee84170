import Diagnostics
import Outputs
import Planning
import Scheduling
import SplitreelFiles
import Threads

// Long sounds: their parts lie in the work folder until the task that encodes all of them has read them.
extension Coordinator {
    /// Checks that a part's files have the length that the plan says and the bytes that their records say.
    func verifySoundPart(_ holding: Holding, _ segment: ReportedSegment, _ prepared: PreparedJob, _ number: Int) {
        let name = SegmentFile.name(holding, .soundPart(number))
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
                    try check.requireSoundPart(number, at: path, records: records)
                    return records
                }
                post { $0.verified(holding, result, parts: []) }
            }
        } catch {
            openJobs[holding.job]?.verifying[holding] = nil
            noteForCache(holding, error)
            enqueue(.verificationFailed(holding, asOurs(error, "verifying a part of the sound", holding.job)))
        }
    }
}
