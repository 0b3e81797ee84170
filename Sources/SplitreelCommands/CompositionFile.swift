import Composition
import Diagnostics
import Foundation

/// A composition read from disk, its URLs made absolute by its own folder.
struct CompositionFile {
    let path: String
    let project: Project
    /// As it was named, for messages.
    private let shown: String
    private let text: Data
    /// Warnings of its form: keys that nobody knows.
    private let remarks: [Problem]

    init(path: String) throws {
        shown = path
        self.path = try absolutePath(path)
        text = try Self.data(path: path)
        let (project, problems) = Project.parse(text)
        guard let project, !problems.contains(where: { $0.severity == .error }) else {
            throw Self.unreadable(path, problems)
        }
        remarks = problems
        self.project = project.resolvingURLs(against: (self.path as NSString).deletingLastPathComponent)
    }

    /// The project as it stands in the file, its URLs untouched.
    static func readable(path: String) throws -> Project {
        let (project, problems) = Project.parse(try data(path: path))
        guard let project, !problems.contains(where: { $0.severity == .error }) else {
            throw unreadable(path, problems)
        }
        return project
    }

    /// Says what the file's form lets one wonder about; where that is `strict` the first of it is an error.
    func tellRemarks(strict: Bool) throws {
        if strict, let first = remarks.first { throw located(first.asError) }
        for problem in remarks { Console.warning(problem.text(in: shown, withKind: false)) }
    }

    /// An error of validation that comes out of `body` tells its line and column too.
    func locating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SplitreelError {
            throw located(error)
        }
    }

    /// The same error; where its subject is a place in the composition, with the file, the line and the column.
    func located(_ error: SplitreelError) -> SplitreelError {
        guard (50_002..<50_200).contains(error.code.number),
            let problem = [Problem.error(error.code, error.subject, "")].located(in: text).first,
            let line = problem.line, let column = problem.column
        else { return error }
        var located = error
        located.subject = "\(shown):\(line):\(column): \(error.subject)"
        return located
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
        let count = problems.count { $0.severity == .error }
        let more = count > 1 ? " (and \(count - 1) more; see `splitreel validate`)" : ""
        return SplitreelError(
            .compositionUnreadable, operation: first?.path ?? "", subject: path + (first?.place ?? ""),
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
