import Foundation
import Hashing
package import Outputs

/// What one file of a task's segment set is of.
package struct SegmentPart: Hashable, Sendable {
    /// Index into the plan's outputs.
    package var output: Int
    /// Index into that output's sound streams; 0 for a picture.
    package var sound = 0

    package init(output: Int, sound: Int = 0) { (self.output, self.sound) = (output, sound) }
}

/// The files that one task makes, and their records beside them: one for each output that has a picture,
/// or one for each sound stream of each output.
///
/// The set is named, reported and discarded as its first file is; the others' names follow from that one's.
package enum SegmentSet {
    /// No task makes more.
    package static let mostFiles = 64

    /// Where file `number` of the set lies whose first file is at `path`: `chunk-000003-1.nut`, `chunk-000003-1.2.nut`.
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

    /// What a worker reports of the set, 64 hexadecimal digits: the SHA-256 of its file, or of the files' SHA-256 in
    /// their order, a line each.
    package static func hash(of records: [SegmentRecord]) -> String {
        if records.count == 1 { return records[0].fileHash }
        return sha256(Data(records.map { $0.fileHash + "\n" }.joined().utf8))
    }
}

extension RenderPlan {
    /// What the files of a task's segment set are of, in order. The task is a chunk's index, or the chunks' number for
    /// the sound.
    package func segmentParts(ofTask task: Int) -> [SegmentPart] {
        let isChunk = chunks.indices.contains(task)
        return outputs.enumerated().flatMap { index, output in
            let count = isChunk ? (output.video == nil ? 0 : 1) : output.sounds.count
            return (0..<count).map { SegmentPart(output: index, sound: $0) }
        }
    }
}
