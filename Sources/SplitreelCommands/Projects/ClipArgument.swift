import Authoring
import Diagnostics
import Foundation
import SplitreelFiles

/// A clip of `new` as it was written: a file, or a piece of one.
struct ClipArgument {
    var text: String
    var file: String
    var piece: ClipPiece?

    /// Reads an argument. A file whose whole name is there is that file, whatever its name has behind an `@`.
    static func reading(_ text: String) throws -> ClipArgument {
        let whole = ClipArgument(text: text, file: text)
        guard try !isThere(text), let parts = ClipPiece.parts(of: text) else { return whole }
        let isFileThere = try isThere(parts.file)
        do {
            return ClipArgument(text: text, file: parts.file, piece: try ClipPiece(parts.piece))
        } catch {
            // A name with an `@` that is not there is told as one.
            guard isFileThere else { return whole }
            throw error.refused(text)
        }
    }

    private static func isThere(_ file: String) throws -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: try absolutePath(file), isDirectory: &isFolder)
        return exists && !isFolder.boolValue
    }
}

extension ClipPiece.Fault {
    func refused(_ argument: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "new", subject: argument, reason: reason,
            hint: "a film takes @2s-5s, @2s- or @-5s behind its name, a picture its seconds, @4s")
    }
}
