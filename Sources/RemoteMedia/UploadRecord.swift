import Diagnostics
import Foundation
import SplitreelFiles

/// A file that names an upload while it is under way, locked by the process that sends it: whoever comes after a
/// process that was killed ends its uploads.
final class UploadRecord: Sendable {
    private struct Text: Codable {
        var upload: String
        var name: String
        /// The server of S3; nil for the one that AWS's own settings lead to.
        var server: String?
    }

    private let path: String
    private let lock: FileLock

    /// Makes a record in a folder, which names no upload yet. Throws as making a file does.
    init(in folder: String) throws {
        path = "\(folder)/\(UUID().uuidString.lowercased()).json"
        do throws(FileLock.Failure) { lock = try FileLock(path: path, kind: .made(0o600, forWriting: true)) } catch {
            throw lockingFailure(path, errno: error.errorNumber ?? 0)
        }
    }

    private init(at path: String, _ lock: FileLock) { (self.path, self.lock) = (path, lock) }

    /// Notes the upload that has begun; before any byte is sent.
    func note(upload: String, of name: String, on server: String?) throws {
        // Written in place: the lock is on this very file.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.write(contentsOf: try JSONEncoder().encode(Text(upload: upload, name: name, server: server)))
        try handle.synchronize()
    }

    /// The upload, the name of what it was of, and the server; nil where none had begun.
    var upload: (id: String, name: String, server: String?)? {
        guard let bytes = try? RegularFile.contents(of: path, limit: 1 << 16, failure: .outputNotWritable),
            let text = try? JSONDecoder().decode(Text.self, from: bytes)
        else { return nil }
        return (text.upload, text.name, text.server)
    }

    /// Removes the record: the upload is over.
    func remove() { lock.remove() }

    /// Leaves the record for a later start.
    func unlock() { lock.unlock() }

    /// The records in a folder that no process holds, locked.
    static func abandoned(in folder: String) -> [UploadRecord] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            let path = "\(folder)/\(name)"
            return (try? FileLock(path: path, kind: .file)).map { UploadRecord(at: path, $0) }
        }
    }
}
