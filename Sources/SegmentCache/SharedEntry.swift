import Diagnostics
import Foundation
import Glibc
import Hashing
import SplitreelFiles

/// An entry of a shared cache as one file: a line of JSON, a line with its seal, and behind them the record and the
/// bytes of each segment. The line has the SHA-256 of all of these, so that the seal is one of the whole.
struct SharedEntry {
    let document: EntryDocument
    /// The bytes of both lines.
    private let headBytes: Int
    private let path: String

    /// The reason why an entry is none, for people.
    struct Spoiled: Error, Equatable {
        var reason: String
    }

    /// The most bytes of both lines.
    static let mostHeadBytes = EntryDocument.mostBytes + 128

    // MARK: - Reading

    /// Reads the lines of a file, which may end behind them. Throws `Spoiled` where the seal is not that of the key, or
    /// the entry is one of another content; and as reading does.
    init(at path: String, of key: ContentKey, sealedBy secret: CacheKey) throws {
        let file = try OpenedFile(path)
        let head = try file.read(upTo: Self.mostHeadBytes)
        let lines = head.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { throw Spoiled(reason: "it has no seal") }
        guard Self.areEqual(Data(secret.seal(of: Data(lines[0])).utf8), Data(lines[1])) else {
            throw Spoiled(reason: "its seal is not one of this farm's key")
        }
        guard let document = EntryDocument(line: Data(lines[0])), document.key == key, !document.files.isEmpty,
            document.files.allSatisfy({ (0...EntryDocument.mostRecordBytes).contains($0.recordByteCount ?? -1) })
        else { throw Spoiled(reason: "it is one of another chunk") }
        self.document = document
        self.path = path
        headBytes = lines[0].count + lines[1].count + 2
    }

    /// Whether both are equal, in a time that does not tell where they differ.
    private static func areEqual(_ one: Data, _ other: Data) -> Bool {
        one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Writes the segments to new files at these paths, each with its record at `PATH.json`; with no paths it looks at
    /// the bytes alone. Throws `Spoiled` where the bytes are not those of the document, and as reading and writing do.
    /// Files that were written before an error stay.
    func unpack(to paths: [String]?) throws {
        guard paths.map({ $0.count == document.files.count }) ?? true else {
            throw Spoiled(reason: "it has another number of files")
        }
        let file = try OpenedFile(path)
        file.place = headBytes
        for (number, entry) in document.files.enumerated() {
            let path = paths?[number]
            let record = try file.copy(entry.recordByteCount ?? 0, to: path.map { $0 + ".json" })
            let segment = try file.copy(Int(entry.byteCount), to: path)
            guard record == entry.record, segment == entry.hash else {
                throw Spoiled(reason: "its bytes are not those that it names")
            }
        }
        guard try file.read(upTo: 1).isEmpty else { throw Spoiled(reason: "it is longer than it says") }
    }

    // MARK: - Writing

    /// Writes the entry of these segments into a new file; answers its bytes. Throws `segmentInvalid` where a segment
    /// is not what it is said to be, and as writing does.
    static func pack(
        _ key: ContentKey, _ segments: [SegmentCache.Segment], madeBy worker: String, sealedBy secret: CacheKey,
        into path: String
    ) throws -> Int {
        let records = try segments.map {
            try RegularFile.contents(
                of: $0.path + ".json", limit: EntryDocument.mostRecordBytes, failure: .segmentInvalid)
        }
        let files = zip(segments, records).map { segment, record in
            EntryDocument.File(
                byteCount: segment.byteCount, hash: segment.hash, record: sha256(record),
                recordByteCount: record.count)
        }
        let line = try EntryDocument(key: key, worker: worker, files: files).line()
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw writingFailure("open", path, errno: errno) }
        defer { close(target) }
        var count = 0
        func write(_ bytes: Data) throws {
            try writeWhole(bytes, to: target, path: path)
            count += bytes.count
        }
        try write(line + Data("\n\(secret.seal(of: line))\n".utf8))
        for (segment, record) in zip(segments, records) {
            try write(record)
            let file = try OpenedFile(segment.path)
            let sum = try file.copy(Int(segment.byteCount), into: target, path)
            guard sum == segment.hash, try file.read(upTo: 1).isEmpty else {
                throw SplitreelError(
                    .segmentInvalid, operation: "keeping a chunk", subject: segment.path,
                    reason: "its SHA-256 is not its record's")
            }
            count += Int(segment.byteCount)
        }
        return count
    }
}

/// A file that is read in its order, with a sum of each part. Confined to one thread.
private final class OpenedFile {
    private let path: String
    private let descriptor: Int32
    /// The place of the next byte.
    var place = 0

    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// The next bytes, as many as there are up to a number.
    func read(upTo most: Int) throws -> Data {
        var bytes = Data(count: most)
        let count = try bytes.withUnsafeMutableBytes { try read(into: $0) }
        return bytes.prefix(count)
    }

    private func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        var done = 0
        while done < room.count {
            let more = pread(descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(place))
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw writingFailure("read", path, errno: errno) }
            if more == 0 { break }
            done += more
            place += more
        }
        return done
    }

    /// Copies so many bytes into a new file, or nowhere; answers the SHA-256 of those that are there.
    func copy(_ count: Int, to target: String?) throws -> String {
        guard let target else { return try copy(count, into: nil, path) }
        let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw writingFailure("open", target, errno: errno) }
        defer { close(file) }
        return try copy(count, into: file, target)
    }

    /// Copies so many bytes to a descriptor, whose path is `name`; answers their SHA-256.
    func copy(_ count: Int, into file: Int32?, _ name: String) throws -> String {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: min(1 << 20, max(count, 1)), alignment: 64)
        defer { block.deallocate() }
        var (sum, left) = (SHA256Sum(), count)
        while left > 0 {
            let more = try read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<min(block.count, left)]))
            guard more > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: block[..<more])
            sum.update(bytes)
            if let file { try writeWhole(bytes, to: file, path: name) }
            left -= more
        }
        return sum.text
    }
}
