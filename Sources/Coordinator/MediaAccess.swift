import Diagnostics
import SplitreelFiles

/// The paths that may be read and written: those in the configured folders, links followed; or all, where none is
/// named.
package struct MediaAccess: Sendable {
    private let roots: Roots
    /// The permit: once it is withdrawn, nothing more is opened.
    var permit: PlanningPermit?
    /// A call before each file that is about to be read, with the time that it may take.
    package var began: @Sendable (_ allowing: Duration) -> Void = { _ in }

    /// The access to these roots, or to all paths without any. Throws `.usage` for a root that is not there.
    package init(roots: [String]) throws { self.roots = try Roots(roots) }

    /// Throws `.refused` for a path outside the roots. A file that does not exist passes: opening it tells better.
    package func check(media path: String) throws {
        try permit?.check(path)
        try require(path, path)
    }

    /// Throws `.refused` for an output outside the roots. It need not exist yet: its folder counts.
    package func check(output path: String) throws { try require(parentFolder(of: path), path) }

    private func require(_ place: String, _ path: String) throws {
        guard case .outside = roots.verdict(place) else { return }
        throw SplitreelError(
            .refused, operation: "opening", subject: path, reason: "it lies outside the coordinator's roots",
            hint: "move it into one of: \(roots.list)")
    }
}
