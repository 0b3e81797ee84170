import Diagnostics
import Foundation
import Planning
import Scheduling

/// Names of segments, and the records beside them.
enum SegmentFile {
    /// The longest record that is read, in bytes.
    private static let longestRecord = 1 << 20

    /// One name per attempt: a late writer cannot touch what another attempt has published.
    static func name(_ holding: Holding, isAudio: Bool) -> String {
        let number = String(holding.task)
        let padded = String(repeating: "0", count: max(0, 6 - number.count)) + number
        return (isAudio ? "sound" : "chunk-\(padded)") + "-\(holding.epoch).nut"
    }

    /// What the worker wrote beside the segment. Throws `.segmentInvalid` where it is missing or not readable.
    static func record(of path: String) throws -> SegmentRecord {
        let sidecar = path + ".json"
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: sidecar))
            defer { try? handle.close() }
            let data = try handle.read(upToCount: longestRecord) ?? Data()
            let record = try JSONDecoder().decode(SegmentRecord.self, from: data)
            guard record.notices.isWithinBounds else {
                throw SplitreelError(
                    .segmentInvalid, operation: "reading the segment's record", subject: sidecar,
                    reason: "its notices make no sense")
            }
            return record
        } catch let error as SplitreelError {
            throw error
        } catch {
            throw SplitreelError(
                .segmentInvalid, operation: "reading the segment's record", subject: sidecar,
                reason: String(describing: error))
        }
    }
}
