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
        do {
            try makeFolders(parentFolder(of: path)) { paths.append($0) }
        } catch {
            // A file, or a link to nowhere: the check of the place tells.
            guard error.number == EEXIST else {
                throw writingFailure(
                    "mkdir", error.path, errno: error.number, hint: "choose a folder that you may write to")
            }
        }
    }
}
