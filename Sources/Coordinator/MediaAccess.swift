import DataPlane
import Diagnostics
import SplitreelFiles

/// The paths that may be read and written: those in the configured folders, links followed; or all, where none is
/// named. In the store of uploads it is those of a view, whatever folders are named: see `StorePaths`.
package struct MediaAccess: Sendable {
    private let roots: Roots
    /// The data folder, which holds the store; nil where there is none.
    private let dataFolder: String?
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
        guard let paths = storeHolding(path) else { return try require(path, path) }
        guard let real = realPath(path) else { return }
        guard paths.mayRead(path, real: real) else { throw Self.stranger(path) }
    }

    /// Throws `.refused` for an output outside the roots. It need not exist yet: its folder counts.
    package func check(output path: String) throws {
        guard let paths = storeHolding(parentFolder(of: path)) else { return try require(parentFolder(of: path), path) }
        guard paths.view(of: path) != nil else { throw Self.stranger(path) }
    }

    /// The store's places, where a path is in the store by its name or, links followed, by its place.
    private func storeHolding(_ path: String) -> StorePaths? {
        guard let folder = dataFolder.flatMap({ realPath($0) }) else { return nil }
        let paths = StorePaths(root: folder + "/store")
        return paths.holds(path) || realPath(path).map(paths.holds) == true ? paths : nil
    }

    private static func stranger(_ path: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "opening", subject: path,
            reason: "it lies in the coordinator's store, and is of no upload of this submission")
    }

    private func require(_ place: String, _ path: String) throws {
        guard case .outside = roots.verdict(place) else { return }
        throw SplitreelError(
            .refused, operation: "opening", subject: path, reason: "it lies outside the coordinator's roots",
            hint: "move it into one of: \(roots.list)")
    }
}
