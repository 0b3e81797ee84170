import Diagnostics
import Glibc
import Hashing
import JSONText
import MediaReading
import Outputs
import Planning
import SplitreelFiles

/// A segment on its way to its name: written beside it, then renamed once it is on disk.
struct SegmentDraft {
    let path: String

    var temporaryPath: String { path + ".part" }
    /// The path of an encoding that may not be the last, by its number.
    func trialPath(_ number: Int) -> String { "\(path).trial\(number)" }
    private var recordPath: String { path + ".json" }
    private var temporaryRecordPath: String { path + ".json.part" }

    /// Removes the files that are not published; harmless afterwards.
    func discard() {
        unlink(temporaryPath)
        for number in 0..<VideoSettings.mostAnalysisFactors { unlink(trialPath(number)) }
        unlink(temporaryRecordPath)
    }

    /// Takes back the published files, where the rest of the set cannot be published.
    func withdraw() {
        unlink(path)
        unlink(recordPath)
    }

    /// Writes its record, renames both and syncs their folder. The record comes first: a segment that has its name has
    /// its record.
    func publish(_ facts: SegmentFacts, key: ContentKey) throws -> SegmentRecord {
        let record = facts.record(key: key)
        try writeFile(canonicalJSON(record), to: temporaryRecordPath)
        try renameFile(temporaryRecordPath, to: recordPath)
        try renameFile(temporaryPath, to: path)
        try synchronize(parentFolder(of: path))
        return record
    }
}
