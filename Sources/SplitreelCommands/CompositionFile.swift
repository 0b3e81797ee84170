import Composition
import Diagnostics
import Foundation

/// A composition read from disk, its URLs made absolute by its own folder.
struct CompositionFile {
    let path: String
    let project: Project

    init(path: String) throws {
        self.path = absolutePath(path)
        let (project, problems) = Project.parse(try Self.data(path: path))
        guard let project, !problems.contains(where: { $0.severity == .error }) else {
            throw Self.unreadable(path, problems)
        }
        self.project = project.resolvingURLs(against: (self.path as NSString).deletingLastPathComponent)
    }

    /// The file's bytes; `.compositionUnreadable` where there are none.
    static func data(path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: absolutePath(path)))
        } catch {
            let exists = FileManager.default.fileExists(atPath: absolutePath(path))
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

/// Against the current folder, `.` and `..` resolved as text.
func absolutePath(_ path: String) -> String {
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return URL(fileURLWithPath: absolute).standardizedFileURL.path
}
