import Diagnostics
import Glibc

/// Folders that paths must lie in, links followed; none named: all may be used.
package struct Roots: Sendable {
    /// Real paths, without a slash at the end.
    private let folders: [String]

    /// Throws `.usage` for a root that does not exist; `option` is what it was named with.
    package init(_ folders: [String], option: String = "--root") throws {
        self.folders = try folders.map { folder in
            guard let real = realPath(folder) else {
                throw SplitreelError(
                    .usage, operation: "reading \(option)", subject: folder, reason: systemReason(errno),
                    hint: "name a folder that exists")
            }
            return real
        }
    }

    package enum Verdict: Sendable {
        case inside, outside
        /// Something on the path does not exist, or cannot be followed; `errno`.
        case unknown(Int32)
    }

    /// Of an existing file or folder. Where no roots are named nothing is looked at.
    package func verdict(_ path: String) -> Verdict {
        guard !folders.isEmpty else { return .inside }
        guard let real = realPath(path) else { return .unknown(errno) }
        return folders.contains { $0 == "/" || real == $0 || real.hasPrefix($0 + "/") } ? .inside : .outside
    }

    /// The folders, for people.
    package var list: String { folders.joined(separator: ", ") }
}

/// The path with every link followed, or nil (and errno) where something on it does not exist.
package func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// The last component of a path.
package func fileName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
}
