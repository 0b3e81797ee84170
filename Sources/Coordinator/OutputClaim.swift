import Diagnostics
import Files
import Foundation
import Glibc
import Synchronization

/// One output that a job of ours will write: nobody else may begin to, in this process or another.
///
/// A lock file `.NAME.splitreel-lock` beside the output, held by `flock`, which the kernel lets go of when the process
/// ends. It goes with the job; what a killed process leaves is taken over or removed. Blocking: not for the loop.
final class OutputClaim: Sendable {
    /// The output's path with the links of its folder followed: two names of one place are one.
    let place: String
    private let path: String
    private let descriptor: Mutex<Int32?>

    /// Throws `.outputInUse`. Where the place does not exist, or its file system knows no locks, nothing is locked: the
    /// first is told while planning.
    init(output: String) throws {
        let parent = realPath(parentFolder(of: output)) ?? parentFolder(of: output)
        place = (parent == "/" ? "" : parent) + "/" + fileName(of: output)
        path = (parent == "/" ? "" : parent) + "/" + Self.lockName(fileName(of: output))
        descriptor = Mutex(try Self.lock(path, output))
    }

    deinit { unlock() }

    /// Lets others have the output.
    func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor else { return }
            // While it is locked, so that it cannot be another's.
            unlink(path)
            close(open)
            descriptor = nil
        }
    }

    /// The same, but the file stays for the next start to take up again.
    func unlock() {
        descriptor.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// `.NAME.splitreel-lock`; a name too long for that is cut and told apart by a number made from it.
    static func lockName(_ name: String) -> String {
        guard name.utf8.count > 180 else { return ".\(name).splitreel-lock" }
        let number = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var short = name
        while short.utf8.count > 180 { short.removeLast() }
        return ".\(short)-\(String(number, radix: 36)).splitreel-lock"
    }

    /// nil where nothing can be locked.
    private static func lock(_ path: String, _ output: String) throws -> Int32? {
        for _ in 0..<8 {
            let descriptor = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
            guard descriptor >= 0 else { return nil }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                close(descriptor)
                if isTaken { throw inUse(output) }
                return nil
            }
            if isStill(descriptor, at: path) { return descriptor }
            // Its holder has removed it between the two calls.
            close(descriptor)
        }
        return nil
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var (held, there) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &there) == 0 && held.st_ino == there.st_ino
            && held.st_dev == there.st_dev
    }

    static func inUse(_ output: String, by job: String? = nil) -> SplitreelError {
        SplitreelError(
            .outputInUse, operation: "checking the output", subject: output,
            reason: job.map { "job \($0) writes it" } ?? "another render writes it",
            hint: "wait until that has ended, cancel it, or name another file")
    }

    /// Removes the lock files of `parent` that no process holds; answers their paths.
    static func removeUnheld(in parent: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix(".") && $0.hasSuffix(".splitreel-lock") }.sorted().compactMap { name in
            let path = (parent == "/" ? "" : parent) + "/" + name
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isStill(descriptor, at: path), unlink(path) == 0 else {
                return nil
            }
            return path
        }
    }
}

/// The same for whoever clears up.
package func removeUnheldLocks(in parent: String) -> [String] { OutputClaim.removeUnheld(in: parent) }
