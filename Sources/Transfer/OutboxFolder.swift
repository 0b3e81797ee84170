package import DataPlane
import Diagnostics
package import Foundation
import Glibc
import Hashing
package import Scheduling
import SplitreelFiles

/// The folder of a worker in which finished segments wait for the coordinator: one folder for each, with its files and
/// a list of them. The list is written last, so what has one is complete and on the disk. From any thread.
package struct OutboxFolder: Sendable {
    package let path: String
    private static let list = "list.json"
    /// The most bytes of a list, which has 128 files at most.
    private static let mostListBytes = 64 << 10

    /// `path` is made where it is missing. Throws as writing does.
    package init(path: String) throws {
        self.path = path
        do throws(FolderFailure) {
            try makeFolders(path)
        } catch {
            throw writingFailure("mkdir", error.path, errno: error.number)
        }
    }

    /// The path at which the file of that name of an attempt's segment is to be written. Throws as writing does.
    package func place(_ name: String, of holding: Holding) throws -> String {
        let folder = folder(of: holding)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw writingFailure("mkdir", folder, errno: errno) }
        return "\(folder)/\(name)"
    }

    /// A segment whose files are complete: each set file with its record (`.json`) beside it, in order. It may be sent,
    /// and is not kept before `keep` has returned. `word` is what is to be told of it when it is delivered. `sums` are
    /// the SHA-256 of set files, in hexadecimal digits, as whoever made them says: a wrong one is refused by the
    /// coordinator, which hashes what comes. A file without one is read.
    package func complete(
        _ holding: Holding, files names: [String], sums: [String] = [], word: OutboxWord? = nil
    ) throws -> CompleteSegment {
        var entries: [OutboxEntry] = []
        for (number, name) in names.enumerated() {
            for (isRecord, file) in [(false, name), (true, name + ".json")] {
                let path = "\(folder(of: holding))/\(file)"
                let made = try RegularFile(path: path, failure: .segmentInvalid)
                let known = !isRecord && sums.indices.contains(number) ? sums[number] : nil
                let (hash, size) = try known.map { ($0, made.byteCount) } ?? made.digest()
                entries.append(OutboxEntry(name: file, number: number, isRecord: isRecord, size: size, hash: hash))
            }
        }
        let list = OutboxList(holding, entries, word)
        return CompleteSegment(item: try item(list), folder: folder(of: holding), list: list)
    }

    /// Keeps a complete segment: all of it, and the list of its files, is on the disk when this returns.
    package func keep(_ segment: CompleteSegment) throws {
        for entry in segment.list.files { try synchronize("\(segment.folder)/\(entry.name)") }
        try replaceFile(try JSONEncoder().encode(segment.list), at: "\(segment.folder)/\(Self.list)")
        try synchronize(path)
    }

    /// Takes a segment whose files are complete, as `complete` does, and keeps it.
    package func keep(
        _ holding: Holding, files names: [String], sums: [String] = [], word: OutboxWord? = nil
    ) throws -> OutboxItem {
        let segment = try complete(holding, files: names, sums: sums, word: word)
        try keep(segment)
        return segment.item
    }

    /// The segments that an earlier process left complete; what it left incomplete is removed.
    package func restore() -> [OutboxItem] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().compactMap { name in
            let folder = "\(path)/\(name)"
            if let manifest = Self.read(folder), folder == self.folder(of: manifest.holding),
                let item = try? item(manifest)
            {
                return item
            }
            try? FileManager.default.removeItem(atPath: folder)
            return nil
        }
    }

    /// Whether a process that has ended left something in its outbox `other` that another one can go on with.
    package static func hasLeft(_ other: String, since oldest: Date) -> Bool { !left(other, since: oldest).isEmpty }

    /// Takes a complete segment over from the outbox of a process that has ended; nil where that has none of which the
    /// list was written since `oldest`. The other outbox is the caller's alone meanwhile.
    package func takeOver(from other: String, since oldest: Date) -> LeftSegment? {
        for folder in Self.left(other, since: oldest) {
            guard let manifest = Self.read(folder), let word = manifest.word, let item = try? item(manifest),
                let segment = manifest.files.first?.name
            else { continue }
            let place = self.folder(of: manifest.holding)
            guard fileName(of: place) == fileName(of: folder), rename(folder, place) == 0 else { continue }
            try? synchronize(path)
            return LeftSegment(holding: item.holding, segment: segment, word: word)
        }
        return nil
    }

    /// The folders of an outbox that have a list with a word.
    private static func left(_ other: String, since oldest: Date) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: other)) ?? []
        return names.sorted().map { "\(other)/\($0)" }.filter { folder in
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(list)")
            guard let written = facts?[.modificationDate] as? Date, written >= oldest else { return false }
            return read(folder)?.word != nil
        }
    }

    /// The path of one of a kept segment's files; nil where it is not kept.
    package func path(of file: OutboxFile, of holding: Holding) -> String? {
        let entry = Self.read(folder(of: holding))?.files.first {
            $0.number == file.number && $0.isRecord == file.isRecord
        }
        return entry.map { "\(folder(of: holding))/\($0.name)" }
    }

    /// Removes a segment; harmless where there is none.
    package func remove(_ holding: Holding) {
        try? FileManager.default.removeItem(atPath: folder(of: holding))
    }

    /// A name of hexadecimal digits: a job's id comes from elsewhere.
    private func folder(of holding: Holding) -> String {
        var sum = SHA256Sum()
        sum.update(Data("\(holding.job) \(holding.task) \(holding.epoch)".utf8))
        sum.update(holding.lease.bytes)
        return "\(path)/\(sum.text)"
    }

    private static func read(_ folder: String) -> OutboxList? {
        let bytes = try? RegularFile.contents(
            of: "\(folder)/\(list)", limit: mostListBytes, failure: .segmentInvalid)
        return bytes.flatMap { try? JSONDecoder().decode(OutboxList.self, from: $0) }
    }

    private func item(_ manifest: OutboxList) throws -> OutboxItem {
        let files = try manifest.files.map { entry in
            guard let sum = bytes(ofSHA256: entry.hash), !entry.name.hasSlash, entry.size >= 0 else {
                throw SplitreelError(
                    .segmentInvalid, operation: "reading the outbox", subject: path, reason: "its list is damaged")
            }
            return OutboxFile(number: entry.number, isRecord: entry.isRecord, size: entry.size, sum: sum)
        }
        return OutboxItem(holding: manifest.holding, files: files)
    }
}

/// The word on a segment that its slot says when the coordinator has it.
package struct OutboxWord: Sendable, Hashable, Codable {
    /// The SHA-256 of the segment set, 64 hexadecimal digits.
    package let hash: String
    /// The seconds that its render took.
    package let seconds: Double

    package init(hash: String, seconds: Double) {
        self.hash = hash
        self.seconds = seconds
    }
}

/// A complete segment that a process left which has ended.
package struct LeftSegment: Sendable, Hashable {
    package let holding: Holding
    /// The name of its first file.
    package let segment: String
    package let word: OutboxWord
}

/// A segment whose files are complete, and may not be on the disk.
package struct CompleteSegment: Sendable {
    package let item: OutboxItem
    fileprivate let folder: String
    fileprivate let list: OutboxList

    /// The path of one of its files; nil where it has none such.
    func path(of file: OutboxFile) -> String? {
        list.files.first { $0.number == file.number && $0.isRecord == file.isRecord }.map { "\(folder)/\($0.name)" }
    }
}

/// The list of a kept segment's files, as it stands in JSON.
private struct OutboxList: Codable, Sendable {
    let job: String
    let task: Int
    let epoch: Int
    let leaseHigh: UInt64
    let leaseLow: UInt64
    let files: [OutboxEntry]
    let word: OutboxWord?

    init(_ holding: Holding, _ files: [OutboxEntry], _ word: OutboxWord?) {
        job = holding.job
        task = holding.task
        epoch = holding.epoch
        leaseHigh = holding.lease.high
        leaseLow = holding.lease.low
        self.files = files
        self.word = word
    }

    var holding: Holding {
        Holding(job: job, task: task, epoch: epoch, lease: LeaseID(high: leaseHigh, low: leaseLow))
    }
}

private struct OutboxEntry: Codable, Sendable {
    let name: String
    let number: Int
    let isRecord: Bool
    let size: Int64
    let hash: String
}
