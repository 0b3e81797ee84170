import Diagnostics
import Glibc

/// The folders that paths must lie in, links followed; none for all paths.
package struct Roots: Sendable {
    /// The real paths of the folders, without a slash at the end.
    private let folders: [String]

    /// The roots of these folders. Throws `.usage` for one that does not exist.
    package init(_ folders: [String]) throws {
        self.folders = try folders.map { folder in
            guard let real = realPath(folder) else {
                throw SplitreelError(
                    .usage, operation: "reading \(.root)", subject: "\(folder)", reason: "\(systemReason(errno))",
                    hint: "name a folder that exists")
            }
            return real
        }
    }

    package enum Verdict: Sendable {
        case inside, outside
        /// A part of the path does not exist, or cannot be followed; `errno`.
        case unknown(Int32)
    }

    /// The verdict on an existing file or folder. Where no roots are named nothing is looked at.
    package func verdict(_ path: String) -> Verdict {
        guard !folders.isEmpty else { return .inside }
        guard let real = realPath(path) else { return .unknown(errno) }
        return folders.contains { real.isPath(in: $0) } ? .inside : .outside
    }

    /// The folders, for people.
    package var list: String { folders.joined(separator: ", ") }
}

/// The path with every link followed; nil (and errno) where a part of it does not exist.
package func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// The last component of a path.
package func fileName(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
}
