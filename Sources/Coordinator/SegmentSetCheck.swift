import Diagnostics
import Foundation
package import Hashing
package import Outputs
package import Planning
import SplitreelFiles
package import Threads

/// The check of a segment set against the plan that its task is of. It is the same for sets that workers report and for
/// those that another engine had made. Blocking: for a dedicated thread.
package struct SegmentSetCheck: Sendable {
    private let plan: RenderPlan
    /// The plan as each of its outputs has it.
    private let views: [RenderPlan]
    /// The content keys of the plan's tasks, in their order.
    private let keys: [ContentKey]
    private let mediaWork: any MediaWork

    package init(plan: RenderPlan, views: [RenderPlan], keys: [ContentKey], mediaWork: any MediaWork) {
        self.plan = plan
        self.views = views
        self.keys = keys
        self.mediaWork = mediaWork
    }

    /// The records beside the files of a task's set, whose first file is at `path`. Throws `.segmentInvalid` where one
    /// is missing, cannot be a record, or was made for a task of another content.
    package func records(ofTask task: Int, at path: String) throws -> [SegmentRecord] {
        try SegmentFile.records(of: path, count: plan.fileCount(ofTask: task), key: keys[task])
    }

    /// Checks the files of a chunk or of the sound against their records and the plan.
    ///
    /// - Parameters:
    ///   - references: by output, the record of another picture segment whose parameter sets these must have.
    ///   - began: is called before each file.
    /// - Throws: `.segmentInvalid` for what does not fit.
    package func require(
        _ records: [SegmentRecord], ofTask task: Int, at path: String, references: [Int: SegmentRecord],
        stop: WorkStop, began: () -> Void = {}
    ) throws {
        let isAudio = plan.part(ofTask: task) == .audio
        for (number, (part, record)) in zip(plan.segmentParts(ofTask: task), records).enumerated() {
            began()
            try mediaWork.verify(
                segment: SegmentSet.path(path, file: number), record: record,
                plan: views[part.output].view(ofSound: part.sound), task: isAudio ? nil : task,
                reference: isAudio ? nil : references[part.output], stop: stop)
        }
    }

    /// Reads the analysis of a chunk. Throws `.segmentInvalid` where its bytes are not those of its record, or cannot
    /// be an analysis.
    package func analysis(at path: String, record: SegmentRecord) throws -> ChunkAnalysis {
        let bytes = try RegularFile.contents(of: path, limit: ChunkAnalysis.mostBytes, failure: .segmentInvalid)
        guard RenderPlan.hash(ofBytes: bytes) == record.fileHash else {
            throw SplitreelError(
                .segmentInvalid, operation: "verifying a chunk's analysis", subject: path,
                reason: "its SHA-256 is not its record's")
        }
        return try ChunkAnalysis.read(bytes, path: path, plan: plan)
    }

    /// Checks that the files of part `number` of the sound have the length that the plan says and the bytes that their
    /// records say. Throws `.segmentInvalid`.
    package func requireSoundPart(_ number: Int, at path: String, records: [SegmentRecord]) throws {
        for (file, (mix, record)) in zip(plan.soundMixes, records).enumerated() {
            try record.check(file: SegmentSet.path(path, file: file), of: mix, part: number, plan: plan)
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
