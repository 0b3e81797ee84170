import Diagnostics
import Files
import Glibc

/// Which paths may be read and written: those in the configured folders, links followed; or all, where none is named.
package struct MediaAccess: Sendable {
    /// Real paths, without a slash at the end.
    private let roots: [String]?
    /// Once it is dropped, nothing more is opened.
    var ticket: PlanningTicket?
    /// Told of each file that is about to be read, with the time that it may take.
    package var began: @Sendable (_ allowing: Duration) -> Void = { _ in }

    /// Throws `.usage` for a root that is not there.
    package init(roots: [String]) throws {
        guard !roots.isEmpty else {
            self.roots = nil
            return
        }
        self.roots = try roots.map { root in
            guard let real = realPath(root) else {
                throw SplitreelError(
                    .usage, operation: "--root", subject: root, reason: String(cString: strerror(errno)),
                    hint: "name a folder that exists")
            }
            return real
        }
    }

    /// Throws `.refused` for a path outside the roots. A file that does not exist passes: opening it tells better.
    package func check(media path: String) throws {
        try ticket?.check(path)
        guard let roots, let real = realPath(path) else { return }
        try require(real, within: roots, path)
    }

    /// For a file that need not exist yet: its folder counts.
    package func check(output path: String) throws {
        guard let roots, let real = realPath(parentFolder(of: path)) else { return }
        try require(real, within: roots, path)
    }

    private func require(_ real: String, within roots: [String], _ path: String) throws {
        let isInside = roots.contains { $0 == "/" || real == $0 || real.hasPrefix($0 + "/") }
        guard isInside else {
            throw SplitreelError(
                .refused, operation: "opening", subject: path, reason: "it lies outside the coordinator's roots",
                hint: "move it into one of: \(roots.joined(separator: ", "))")
        }
    }
}

/// The path with every link followed, or nil (and errno) where something on it does not exist.
func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

func fileName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
}
