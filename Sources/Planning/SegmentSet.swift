import Foundation
import Hashing
package import Outputs

/// The output and the stream that one file of a task's segment set is of.
package struct SegmentPart: Hashable, Sendable {
    /// The output's index in the plan's outputs.
    package var output: Int
    /// The sound stream's index in that output's sound streams; 0 for a picture.
    package var sound = 0

    package init(output: Int, sound: Int = 0) { (self.output, self.sound) = (output, sound) }
}

/// The files that one task makes, and their records beside them: one for each output that has a picture,
/// or one for each sound stream of each output.
///
/// The set is named, reported and discarded as its first file is; the others' names follow from that one's.
package enum SegmentSet {
    /// The files that a task makes at most.
    package static let mostFiles = 64

    /// The path of file `number` of the set whose first file is at `path`: `chunk-000003-1.nut`,
    /// `chunk-000003-1.2.nut`.
    package static func path(_ path: String, file number: Int) -> String {
        guard number > 0 else { return path }
        return path.hasSuffix(".nut") ? "\(path.dropLast(4)).\(number + 1).nut" : "\(path).\(number + 1)"
    }

    /// All files that a set of that name can have, with their records.
    package static func allPaths(_ path: String) -> [String] {
        (0..<mostFiles).flatMap { number in
            let file = Self.path(path, file: number)
            return [file, file + ".json"]
        }
    }

    /// The sum that a worker reports of the set, 64 hexadecimal digits: the SHA-256 of its file, or of the files'
    /// SHA-256 in their order, a line each.
    package static func hash(of records: [SegmentRecord]) -> String {
        if records.count == 1 { return records[0].fileHash }
        return sha256(Data(records.map { $0.fileHash + "\n" }.joined().utf8))
    }
}

extension RenderPlan {
    /// The outputs and streams that the files of a task's segment set are of, in order. The task is a chunk's index, or
    /// the chunks' number for the sound.
    package func segmentParts(ofTask task: Int) -> [SegmentPart] {
        let isChunk = chunks.indices.contains(task)
        return outputs.enumerated().flatMap { index, output in
            let count = isChunk ? (output.video == nil ? 0 : 1) : output.sounds.count
            return (0..<count).map { SegmentPart(output: index, sound: $0) }
        }
    }
}
