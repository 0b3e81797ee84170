import Diagnostics
import Foundation
import Glibc
import Hashing
import JSONText
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
        /// The record's bytes, where it lies in one object with its segment.
        var recordByteCount: Int?
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
    enum Fault: Error {
        /// It is not what it says.
        case spoiled
        /// It cannot be read now, which says nothing of it.
        case unreadable
    }

    /// The entry's document in its folder; nil where there is no entry.
    static func read(_ folder: String) -> Result<EntryDocument?, Fault> {
        let path = folder + "/entry"
        guard access(folder, F_OK) == 0 else { return .success(nil) }
        guard let bytes = try? RegularFile.contents(of: path, limit: mostBytes, failure: .segmentInvalid) else {
            // Where it was removed in between there is none, and nothing is wrong.
            guard access(folder, F_OK) == 0 else { return .success(nil) }
            return .failure(EntryFile.isUnreadable(path) ? .unreadable : .spoiled)
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, Array(lines[1]) == Array(sha256(lines[0]).utf8),
            let document = EntryDocument(line: lines[0])
        else { return .failure(.spoiled) }
        return .success(document)
    }

    /// The document of a line of JSON; nil where it is none.
    init?(line: Data) {
        guard let document = try? JSONDecoder().decode(EntryDocument.self, from: Data(line)),
            document.form == Self.currentForm, document.files.allSatisfy({ $0.byteCount >= 0 })
        else { return nil }
        self = document
    }

    init(key: ContentKey, worker: String, files: [File]) {
        (self.key, self.worker, self.files) = (key, worker, files)
        made = Date().timeIntervalSince1970
    }

    func bytes() throws -> Data {
        let line = try line()
        return line + Data("\n\(sha256(line))\n".utf8)
    }

    /// The line of JSON, without its end.
    func line() throws -> Data { try canonicalJSON(self) }

    /// Says that an entry was used now. A process that may not say so reads on.
    static func touch(_ folder: String) { utimensat(AT_FDCWD, folder + "/entry", nil, AT_SYMLINK_NOFOLLOW) }
}

/// The files of entries, as far as reading them goes.
enum EntryFile {
    /// Whether this is an error of the system or of the disk, and none that a missing or another file makes.
    static func isLack(_ number: Int32) -> Bool {
        ![ENOENT, ENOTDIR, ELOOP, EINVAL, EISDIR, ENXIO].contains(number)
    }

    /// Whether a file is there that the system cannot read through now: for want of memory or of descriptors, or by an
    /// error of the disk.
    static func isUnreadable(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return isLack(errno) }
        defer { close(file) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { block.deallocate() }
        while true {
            let count = Glibc.read(file, block.baseAddress, block.count)
            if count == 0 { return false }
            if count < 0, errno != EINTR { return isLack(errno) }
        }
    }
}
