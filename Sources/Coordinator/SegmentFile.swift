import Diagnostics
import Files
import Foundation
import Planning
import Scheduling

/// Names of segments, and the records beside them.
enum SegmentFile {
    /// One name per attempt: a late writer cannot touch what another attempt has published.
    static func name(_ holding: Holding, isAudio: Bool) -> String {
        let number = String(holding.task)
        let padded = String(repeating: "0", count: max(0, 6 - number.count)) + number
        return (isAudio ? "sound" : "chunk-\(padded)") + "-\(holding.epoch).nut"
    }

    /// Of all files of a segment set, which is named by its first.
    static func records(of path: String, count: Int) throws -> [SegmentRecord] {
        try (0..<count).map { try record(of: SegmentSet.path(path, file: $0)) }
    }

    /// What the worker wrote beside the segment. Throws `.segmentInvalid` where it is missing, is not a regular file,
    /// or says what no worker of ours can have written.
    static func record(of path: String) throws -> SegmentRecord {
        let sidecar = path + ".json"
        let bytes = try RegularFile.contents(of: sidecar, limit: SegmentRecord.mostBytes, failure: .segmentInvalid)
        return try SegmentRecord.read(bytes, path: sidecar)
    }
}
