import Coordinator
import Diagnostics
import Foundation
import SplitreelFiles

/// A private folder `${XDG_RUNTIME_DIR:-/tmp}/splitreel-<random>`, 0700: short, since a socket's path has 107 bytes at
/// most. This process holds it by a lock until `remove`, or until it ends.
package final class RuntimeFolder: Sendable {
    package let path: String
    private let lock: FileLock

    package static var parent: String { UserFolder.runtime() }

    /// The folder for files that take room: `${TMPDIR:-/tmp}`.
    package static var roomyParent: String {
        let path = NSTemporaryDirectory()
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Makes the folder, in another place than usual where `parent` says so.
    package init(in parent: String = parent) throws {
        Self.removeUnheld()
        (path, lock) = try Self.made(in: parent)
    }

    /// A new folder, and the lock on it. Until it is locked another process may take it for one that was left, and
    /// remove it: then another one is made.
    private static func made(in parent: String) throws -> (String, FileLock) {
        for _ in 0..<8 {
            var template = Array("\(parent)/splitreel-XXXXXX".utf8CString)
            let made = template.withUnsafeMutableBufferPointer { name in
                name.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
            }
            guard let made else {
                throw writingFailure("mkdtemp", parent, errno: errno, hint: hint)
            }
            do throws(FileLock.Failure) {
                return (made, try FileLock(path: made, kind: .folder))
            } catch {
                rmdir(made)
                if let number = error.errorNumber, number != ENOENT { throw lockingFailure(made, errno: number) }
            }
        }
        throw SplitreelError(
            .outputNotWritable, operation: "flock", subject: "\(parent)",
            reason: "other processes removed each folder that was made there", hint: "try again")
    }

    private static let hint = "set XDG_RUNTIME_DIR to a folder of yours"

    /// Removes the folder with all that is in it. Idempotent; from any thread.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
        lock.unlock()
    }

    /// Removes the folders of renders that were killed, in either place; answers the paths.
    @discardableResult
    package static func removeUnheld() -> [String] {
        Set([parent, roomyParent]).sorted().flatMap { place in
            removeUnheldFolders(in: place, where: isOurs)
        }
    }

    /// Whether a name is one that `mkdtemp` made for us. A temporary folder may have thousands of others, each of which
    /// is looked at before the first frame: a regular expression took 40 µs a name.
    private static func isOurs(_ name: String) -> Bool {
        let prefix = "splitreel-"
        guard name.hasPrefix(prefix) else { return false }
        let random = name.dropFirst(prefix.count)
        return random.utf8.count == 6 && random.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
