import Composition
import Diagnostics
import Foundation

/// A composition read from disk, its URLs made absolute by its own folder.
struct CompositionFile {
    let path: String
    let project: Project

    init(path: String) throws {
        self.path = try absolutePath(path)
        let (project, problems) = Project.parse(try Self.data(path: path))
        guard let project, !problems.contains(where: { $0.severity == .error }) else {
            throw Self.unreadable(path, problems)
        }
        self.project = project.resolvingURLs(against: (self.path as NSString).deletingLastPathComponent)
    }

    /// The file's bytes; `.compositionUnreadable` where there are none.
    static func data(path: String) throws -> Data {
        let absolute = try absolutePath(path)
        do {
            return try Data(contentsOf: URL(fileURLWithPath: absolute))
        } catch {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder)
            if isFolder.boolValue {
                throw SplitreelError(
                    .compositionUnreadable, operation: "reading", subject: path, reason: "it is a folder",
                    hint: "name the composition file in it")
            }
            throw SplitreelError(
                .compositionUnreadable, operation: "reading", subject: path,
                reason: exists ? "the file cannot be read" : "there is no such file",
                hint: exists ? "check its permissions" : "`splitreel new CLIP… -o \(path)` makes one from clips")
        }
    }

    private static func unreadable(_ path: String, _ problems: [Problem]) -> SplitreelError {
        let first = problems.first { $0.severity == .error }
        let more = problems.count > 1 ? " (and \(problems.count - 1) more; see `splitreel validate`)" : ""
        return SplitreelError(
            .compositionUnreadable, operation: first?.path ?? "", subject: path,
            reason: (first?.message ?? "not a composition") + more, hint: first?.hint ?? "")
    }
}

/// Against the current folder, `.` and `..` resolved as text. Throws `.usage` for a relative path where the current
/// folder has been deleted.
func absolutePath(_ path: String) throws -> String {
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    guard path.hasPrefix("/") || folder.hasPrefix("/") else {
        throw SplitreelError(
            .usage, operation: "finding a file", subject: path, reason: "the current folder is gone",
            hint: "change to a folder that exists, or give the whole path")
    }
    let absolute = path.hasPrefix("/") ? path : folder + "/" + path
    return URL(fileURLWithPath: absolute).standardizedFileURL.path
}
