import Composition
import Diagnostics
import Glibc
import Planning

/// Keeps a slot within the folders that its operator named.
struct RootPolicy: Sendable {
    /// Canonical, without a trailing slash.
    private let roots: [String]

    /// Throws `.usage` for a root that is not an existing folder.
    init(_ roots: [String]) throws {
        self.roots = try roots.map { root in
            guard let real = Self.canonical(root) else {
                throw SplitreelError(
                    .usage, operation: "reading --root", subject: root, reason: unsafe String(cString: strerror(errno)),
                    hint: "name a folder that exists")
            }
            return real
        }
    }

    /// Throws `.refused` unless the existing file or folder, with links followed, lies under a root.
    func check(_ path: String) throws {
        guard !roots.isEmpty else { return }
        guard let real = Self.canonical(path) else {
            throw SplitreelError(
                .mediaNotFound, operation: "realpath", subject: path, reason: unsafe String(cString: strerror(errno)))
        }
        guard roots.contains(where: { $0 == "/" || real == $0 || real.hasPrefix($0 + "/") }) else {
            throw SplitreelError(
                .refused, operation: "checking the path", subject: path,
                reason: "it lies outside of the folders that this worker may use",
                hint: "start the worker with --root and a folder that holds it")
        }
    }

    func check(_ order: LeaseOrder) throws {
        try check(order.planPath)
        try check(order.folder)
    }

    func check(_ plan: RenderPlan) throws {
        for asset in plan.assets.values where !asset.path.isEmpty { try check(asset.path) }
    }

    private static func canonical(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

/// Throws `.usage` for a root that is not an existing folder: no slot could start with it.
package func checkRoots(_ roots: [String]) throws { _ = try RootPolicy(roots) }
