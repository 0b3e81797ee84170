import Diagnostics
import Foundation
import Hashing
import SplitreelFiles

/// One output that a job of ours will write: nobody else may begin to, in this process or another.
///
/// It is a lock file `.NAME.splitreel-lock` beside the output, held by `flock`, which the kernel lets go of when the
/// process ends. It goes with the job; the file of a killed process is taken over or removed. Blocking: not for the
/// loop.
package final class OutputClaim: Sendable {
    /// The output's path with the links of its folder followed: two names of one place are one.
    let place: String
    /// The output as it was named.
    let output: String
    /// The lock; nil where nothing can be locked.
    private let lock: FileLock?

    /// Claims an output, which grows at a path: its own where none is said. Throws `.outputInUse`. Where the place does
    /// not exist, or its file system knows no locks, nothing is locked: the first is told while planning.
    init(output: String, at path: String? = nil) throws {
        self.output = output
        place = Self.place(of: path ?? output)
        let parent = parentFolder(of: place)
        let lockPath = (parent == "/" ? "" : parent) + "/" + Self.lockName(fileName(of: place))
        do throws(FileLock.Failure) {
            lock = try FileLock(path: lockPath, kind: .made(0o666, forWriting: false))
        } catch {
            if case .taken = error { throw Self.inUse(output) }
            lock = nil
        }
    }

    /// The place of an output, see `place`.
    static func place(of output: String) -> String {
        let parent = realPath(parentFolder(of: output)) ?? parentFolder(of: output)
        return (parent == "/" ? "" : parent) + "/" + fileName(of: output)
    }

    /// Claims all of a job's outputs, or none; `path` tells where one grows. Throws `.outputInvalid` where two of them
    /// are one file.
    package static func claims(on outputs: [String], at path: (String) -> String = { $0 }) throws -> [OutputClaim] {
        var paths: [String: String] = [:]
        for output in outputs {
            guard let first = paths.updateValue(output, forKey: place(of: path(output))) else { continue }
            throw SplitreelError(
                .outputInvalid, operation: "checking the outputs", subject: output,
                reason: first == output
                    ? "two outputs go to this file" : "it is the same file as another output, \(first)",
                hint: "give each output a file of its own")
        }
        var claims: [OutputClaim] = []
        do {
            for output in outputs { claims.append(try OutputClaim(output: output, at: path(output))) }
        } catch {
            for claim in claims { claim.release() }
            throw error
        }
        return claims
    }

    /// Lets others have the output.
    package func release() { lock?.remove() }

    /// Lets go of the lock; the file stays for the next start to take up again.
    func unlock() { lock?.unlock() }

    /// The lock's name `.NAME.splitreel-lock`; a name too long for that is cut and told apart by a number made from it.
    static func lockName(_ name: String) -> String {
        guard name.utf8.count > 180 else { return ".\(name).splitreel-lock" }
        var short = name
        while short.utf8.count > 180 { short.removeLast() }
        return ".\(short)-\(sha256(Array(name.utf8)).prefix(13)).splitreel-lock"
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
            guard let lock = try? FileLock(path: path, kind: .file), lock.remove() else { return nil }
            return path
        }
    }
}

/// Removes the lock files of `parent` that no process holds, for whoever clears up; answers their paths.
package func removeUnheldLocks(in parent: String) -> [String] { OutputClaim.removeUnheld(in: parent) }
