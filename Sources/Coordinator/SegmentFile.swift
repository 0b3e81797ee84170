import Diagnostics
import Foundation
import Hashing
import Outputs
import Planning
import Scheduling
import SplitreelFiles

/// The names of segments, and the records beside them.
enum SegmentFile {
    /// The name of a segment. Each attempt has one: a late writer cannot touch what another attempt has published.
    static func name(_ holding: Holding, _ part: PlanPart?) -> String {
        (part ?? .chunk(holding.task)).segmentName(epoch: holding.epoch)
    }

    /// The records of all files of a segment set, which is named by its first and was made for a task of that content
    /// key.
    static func records(of path: String, count: Int, key: ContentKey) throws -> [SegmentRecord] {
        try (0..<count).map { try record(of: SegmentSet.path(path, file: $0), key: key) }
    }

    /// The record that the worker wrote beside the segment. Throws `.segmentInvalid` where it is missing, is not a
    /// regular file, says what no worker of ours can have written, or is of another content.
    static func record(of path: String, key: ContentKey) throws -> SegmentRecord {
        let sidecar = path + ".json"
        let bytes = try RegularFile.contents(of: sidecar, limit: SegmentRecord.mostBytes, failure: .segmentInvalid)
        let record = try SegmentRecord.read(bytes, path: sidecar)
        try record.require(key: key, path: sidecar)
        return record
    }
}
