import DataPlane
import Diagnostics
import SplitreelFiles

/// The paths that may be read and written: those in the configured folders, links followed; or all, where none is
/// named. In the coordinator's own data folder it is those of the job's view alone, whatever folders are named: see
/// `StorePaths`. Keys and the job store lie there, and other people's uploads.
package struct MediaAccess: Sendable {
    private let roots: Roots
    /// The data folder, which holds the store; nil where there is none.
    private let dataFolder: String?
    /// The view of the job, or of the submission, that is looked after; nil where it has none. Every worker of the job
    /// knows its name: whoever else names it gets nothing.
    package var view: String?
    /// The permit: once it is withdrawn, nothing more is opened.
    var permit: PlanningPermit?
    /// A call before each file that is about to be read, with the time that it may take.
    package var began: @Sendable (_ allowing: Duration) -> Void = { _ in }

    /// The access to these roots, or to all paths without any. Throws `.usage` for a root that is not there.
    package init(roots: [String], dataFolder: String? = nil) throws {
        self.roots = try Roots(roots)
        self.dataFolder = dataFolder
    }

    /// Throws `.refused` for a path outside the roots. A file that does not exist passes: opening it tells better.
    package func check(media path: String) throws {
        try permit?.check(path)
        guard let paths = store(beside: path) else { return try require(path, path) }
        guard let view, paths.view(of: path) == view else { throw Self.stranger(path) }
        guard let real = realPath(path) else { return }
        guard paths.mayRead(path, real: real) else { throw Self.stranger(path) }
    }

    /// Throws `.refused` for an output outside the roots. It need not exist yet: its folder counts.
    package func check(output path: String) throws {
        let folder = parentFolder(of: path)
        guard let paths = store(beside: folder) else { return try require(folder, path) }
        guard let view, paths.view(of: path) == view else { throw Self.stranger(path) }
    }

    /// The store's places, where a path is in the data folder by its name or, links followed, by its place.
    private func store(beside path: String) -> StorePaths? {
        guard let folder = dataFolder.flatMap({ realPath($0) }) else { return nil }
        let isThere = path.isPath(in: folder) || realPath(path).map { $0.isPath(in: folder) } == true
        return isThere ? StorePaths(root: folder + "/store") : nil
    }

    private static func stranger(_ path: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "opening", subject: path,
            reason: "it lies in the coordinator's data folder, and is of no upload of this submission",
            hint: "name files and outputs elsewhere")
    }

    private func require(_ place: String, _ path: String) throws {
        guard case .outside = roots.verdict(place) else { return }
        throw SplitreelError(
            .refused, operation: "opening", subject: path, reason: "it lies outside the coordinator's roots",
            hint: "move it into one of: \(roots.list)")
    }
}
