import Diagnostics
import Glibc
import Planning
import SplitreelFiles

/// The folders that a command made for its outputs, outermost first.
struct MadeFolders: Sendable {
    private var paths: [String] = []

    /// Makes the folders that are missing above the outputs. Throws `.outputNotWritable` or `.diskFull`.
    mutating func make(for requests: [OutputRequest]) throws {
        for request in requests where request.path.hasPrefix("/") { try make(above: request.path) }
    }

    /// Refuses outputs whose folders are missing, in the words of a command that could make them.
    static func refuseMissing(for requests: [OutputRequest]) throws {
        for request in requests where request.path.hasPrefix("/") {
            let folder = parentFolder(of: request.path)
            guard access(folder, F_OK) != 0, errno == ENOENT else { continue }
            throw SplitreelError(
                .outputNotWritable, operation: "checking the output", subject: folder, reason: systemReason(ENOENT),
                hint: "make it, or say --parents")
        }
    }

    /// Removes the folders in which nothing is.
    func removeEmpty() { for path in paths.reversed() { rmdir(path) } }

    private mutating func make(above path: String) throws {
        var missing: [String] = []
        var folder = parentFolder(of: path)
        while folder != "/", access(folder, F_OK) != 0 {
            missing.append(folder)
            folder = parentFolder(of: folder)
        }
        for folder in missing.reversed() {
            if mkdir(folder, 0o777) == 0 {
                paths.append(folder)
                continue
            }
            let number = errno
            // Another process made it, or it is a link to nowhere, which the check of the place tells.
            guard number == EEXIST else {
                throw writingFailure(
                    "mkdir", folder, errno: number, hint: "choose a folder that you may write to")
            }
        }
    }
}
