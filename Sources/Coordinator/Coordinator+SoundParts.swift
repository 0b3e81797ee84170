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
        let plan = prepared.plan
        let key = prepared.keys[holding.task]
        let stop = WorkStop()
        openJobs[holding.job]?.verifying[holding] = stop
        do {
            try verifiers.run(for: holding.job, stop: stop) { [self] in
                post { $0.enqueue(.workBegan(.verifying(holding))) }
                let result = Result {
                    try requireReported(segment, named: name)
                    let mixes = plan.soundMixes
                    let records = try SegmentFile.records(of: path, count: mixes.count, key: key)
                    try requireHash(segment, records)
                    for (file, (mix, record)) in zip(mixes, records).enumerated() {
                        try record.check(file: SegmentSet.path(path, file: file), of: mix, part: number, plan: plan)
                    }
                    return records
                }
                post { $0.verified(holding, result, parts: []) }
            }
        } catch {
            openJobs[holding.job]?.verifying[holding] = nil
            enqueue(.verificationFailed(holding, asOurs(error, "verifying a part of the sound", holding.job)))
        }
    }
}

extension SegmentRecord {
    fileprivate func check(file path: String, of mix: SoundMix, part: Int, plan: RenderPlan) throws {
        func invalid(_ reason: String) -> SplitreelError {
            SplitreelError(
                .segmentInvalid, operation: "verifying a part of the sound", subject: path, reason: reason)
        }
        let samples = plan.samples(
            ofSoundPart: part, sampleRate: mix.settings.sampleRate, sampleCount: mix.sampleCount)
        guard media == .samples, count == samples.count else {
            throw invalid("its record is of something else")
        }
        let found = try RegularFile(path: path, failure: .segmentInvalid).digest()
        guard found.byteCount == byteCount, byteCount == Int64(samples.count) * Int64(4 * mix.settings.channels) else {
            throw invalid("it has \(found.byteCount) bytes for \(samples.count) samples")
        }
        guard found.hash == fileHash else { throw invalid("its SHA-256 is not its record's") }
    }
}
