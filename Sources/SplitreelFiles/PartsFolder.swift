import Foundation
import Glibc

/// The folder in which a process writes what it puts into a cache, before that gets its name. Its lock tells others
/// that the process lives; the folder goes with this object.
package final class PartsFolder: Sendable {
    /// The folder's path, in the cache's own folder.
    package let path: String
    private let lock: FileLock

    private static let prefix = ".parts-"

    /// Makes and locks a new one. Throws as writing does.
    package init(in folder: String) throws {
        let made = try Self.made(in: folder)
        path = made.path
        lock = made.lock
    }

    private static func made(in folder: String) throws -> (path: String, lock: FileLock) {
        for _ in 0..<8 {
            let path = "\(folder)/\(prefix)\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
            guard mkdir(path, 0o700) == 0 else { throw writingFailure("mkdir", path, errno: errno) }
            do throws(FileLock.Failure) {
                return (path, try FileLock(path: path, kind: .folder))
            } catch {
                rmdir(path)
                // Whoever cleans up may have taken it in between.
                guard let number = error.errorNumber, number != ENOENT else { continue }
                throw lockingFailure(path, errno: number)
            }
        }
        throw writingFailure("flock", folder, errno: EWOULDBLOCK)
    }

    deinit {
        Self.removeAll(in: path)
        lock.unlock()
    }

    /// Removes the folders of processes that have ended without doing so.
    package static func removeAbandoned(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            guard let lock = try? FileLock(path: path, kind: .folder) else { continue }
            removeAll(in: path)
            lock.unlock()
        }
    }

    private static func removeAll(in path: String) {
        // A link is removed, not followed.
        try? FileManager.default.removeItem(atPath: path)
    }
}
