import Diagnostics
import Foundation
import Glibc
import SplitreelFiles

/// The hidden folder beside a film in which it is made. Locked while its maker lives, so that anybody can tell a stale
/// one: `flock` on the folder itself, which the kernel lets go of when the process ends.
package final class WorkFolder: Sendable {
    package let path: String
    private let lock: FileLock

    /// Makes and locks a new folder beside `output`, after removing what crashed renders of the same output left.
    package init(beside output: String) throws {
        let parent = parentFolder(of: output)
        let prefix = Self.prefix(output)
        Self.removeStale(in: parent, prefix: prefix)
        for _ in 0..<8 {
            let path = (parent == "/" ? "" : parent) + "/" + prefix + Self.randomName()
            guard mkdir(path, 0o777) == 0 else {
                if errno == EEXIST { continue }
                throw Self.failure("mkdir", path)
            }
            do throws(FileLock.Failure) {
                lock = try FileLock(path: path, kind: .folder)
                self.path = path
                return
            } catch {
                rmdir(path)
                // Somebody may have taken it for stale between the two calls; then another name is tried.
                if let number = error.errorNumber, number != ENOENT { throw lockingFailure(path, errno: number) }
            }
        }
        throw SplitreelError(
            .outputNotWritable, operation: "making the work folder", subject: parent,
            reason: "each of 8 new folders was taken by another process", hint: "try again")
    }

    /// Takes an existing folder up again. nil where it is gone or belongs to another process.
    init?(existing path: String) {
        guard let taken = try? FileLock(path: path, kind: .folder) else { return nil }
        (self.path, lock) = (path, taken)
    }

    /// Removes the folder with all it holds; harmless when it is gone.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
        unlock()
    }

    /// The bytes of the files in it, which lie side by side.
    var byteCount: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.reduce(0) { sum, name in
            var facts = stat()
            guard lstat(path + "/" + name, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return sum }
            return sum + max(0, Int(facts.st_size))
        }
    }

    package var exists: Bool { access(path, F_OK) == 0 }

    /// Lets others take the folder for stale, or up again.
    func unlock() { lock.unlock() }

    /// The beginning of a folder's name, `.NAME.splitreel-`; NAME is cut so that the whole stays below what a file name
    /// may have.
    static func prefix(_ output: String) -> String {
        var name = fileName(of: output)
        while name.utf8.count > 200 { name.removeLast() }
        return ".\(name).splitreel-"
    }

    /// Whether a folder beside `output` that was made for it may have this name.
    static func isName(_ name: String, beside output: String) -> Bool { isName(name, prefix: prefix(output)) }

    private static func isName(_ name: String, prefix: String) -> Bool {
        guard name.utf8.starts(with: prefix.utf8) else { return false }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        return rest.count == 8 && rest.allSatisfy { letters.utf8.contains($0) }
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz0123456789"

    static func randomName() -> String {
        String((0..<8).map { _ in letters.randomElement() ?? "a" })
    }

    /// Removes the unlocked work folders of one output.
    static func removeStale(in parent: String, prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where isName(name, prefix: prefix) {
            WorkFolder(existing: parent + "/" + name)?.remove()
        }
    }

    private static func failure(_ call: String, _ path: String) -> SplitreelError {
        writingFailure(call, path, errno: errno, hint: "choose a folder that exists and that you may write to")
    }
}

/// Removes the folders of `parent` whose name fits and that no process holds; answers their paths.
@discardableResult
package func removeUnheldFolders(in parent: String, where fits: (_ name: String) -> Bool) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return names.filter(fits).sorted().compactMap { name in
        let path = (parent == "/" ? "" : parent) + "/" + name
        guard let folder = WorkFolder(existing: path) else { return nil }
        folder.remove()
        return path
    }
}
