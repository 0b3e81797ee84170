import Diagnostics
import Foundation
import Glibc
import Hashing
import SplitreelFiles

/// The file `entry` of an entry: a line of JSON with sorted keys, and a line with the SHA-256 of the first one.
struct EntryDocument: Hashable, Codable {
    /// The facts of one segment and of its record.
    struct File: Hashable, Codable {
        /// The segment's bytes.
        var byteCount: Int64
        /// The SHA-256 of the segment, and below it that of its record's bytes.
        var hash: String
        var record: String
    }

    var form = Self.currentForm
    /// The key under which the entry was made.
    var key: ContentKey
    /// The name of the worker that made the segments.
    var worker: String
    /// The time at which the entry was made, in seconds since 1970.
    var made: Double
    var files: [File]

    static let currentForm = 1
    /// The most bytes of an entry's file, and below it of a record.
    static let mostBytes = 1 << 16
    static let mostRecordBytes = 1 << 20
    /// The bytes that an entry takes beside its segments, about.
    static let usualBytes = 4096

    /// The reason why an entry cannot be taken.
    enum Fault: Error { case spoiled }

    /// The entry's document in its folder; nil where there is no entry.
    static func read(_ folder: String) -> Result<EntryDocument?, Fault> {
        let path = folder + "/entry"
        guard access(folder, F_OK) == 0 else { return .success(nil) }
        guard let bytes = try? RegularFile.contents(of: path, limit: mostBytes, failure: .segmentInvalid) else {
            // Where it was removed in between there is none, and nothing is wrong.
            return access(folder, F_OK) == 0 ? .failure(.spoiled) : .success(nil)
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, Array(lines[1]) == Array(sha256(lines[0]).utf8),
            let document = try? JSONDecoder().decode(EntryDocument.self, from: Data(lines[0])),
            document.form == currentForm, document.files.allSatisfy({ $0.byteCount >= 0 })
        else { return .failure(.spoiled) }
        return .success(document)
    }

    func bytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = try encoder.encode(self)
        return line + Data("\n\(sha256(line))\n".utf8)
    }

    /// Says that an entry was used now. A process that may not say so reads on.
    static func touch(_ folder: String) { utimensat(AT_FDCWD, folder + "/entry", nil, AT_SYMLINK_NOFOLLOW) }
}
