import Crypto
import Diagnostics
import Foundation
import Media
import Planning

/// A segment on its way to its name: written beside it, then renamed once it is on disk.
struct SegmentDraft {
    let path: String

    var temporaryPath: String { path + ".part" }
    private var recordPath: String { path + ".json" }
    private var temporaryRecordPath: String { path + ".json.part" }

    /// Removes what is not published; harmless afterwards.
    func discard() {
        unlink(temporaryPath)
        unlink(temporaryRecordPath)
    }

    /// Hashes the file, writes its record, renames both and syncs their folder. The record comes first: a segment that
    /// has its name has its record.
    func publish(_ facts: SegmentFacts, planHash: String) throws -> SegmentRecord {
        let (fileHash, byteCount) = try hashFile()
        let record = facts.record(
            fileHash: fileHash, extradataHash: hexadecimal(SHA256.hash(data: facts.extradata)), byteCount: byteCount,
            planHash: planHash)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(try encoder.encode(record), to: temporaryRecordPath)
        try rename(temporaryRecordPath, to: recordPath)
        try rename(temporaryPath, to: path)
        try syncFolder()
        return record
    }

    private func hashFile() throws -> (String, Int64) {
        guard let handle = FileHandle(forReadingAtPath: temporaryPath) else { throw failure("open", temporaryPath) }
        defer { try? handle.close() }
        var hasher = SHA256()
        var count: Int64 = 0
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
            hasher.update(data: data)
            count += Int64(data.count)
        }
        return (hexadecimal(hasher.finalize()), count)
    }

    private func write(_ data: Data, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        let written = data.withUnsafeBytes { bytes in Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
        guard written == data.count, fsync(descriptor) == 0 else { throw failure("write", path) }
    }

    private func rename(_ from: String, to: String) throws {
        guard Glibc.rename(from, to) == 0 else { throw failure("rename", to) }
    }

    private func syncFolder() throws {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", folder) }
    }

    private func failure(_ call: String, _ path: String) -> SplitreelError {
        let number = errno
        let code: ErrorCode = number == ENOSPC || number == EDQUOT ? .diskFull : .outputNotWritable
        return SplitreelError(code, operation: call, subject: path, reason: String(cString: strerror(number)))
    }
}
