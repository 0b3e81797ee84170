import Diagnostics
import MediaFacts
package import Planning
import Scheduling
import SplitreelFiles

/// Keeps a slot within the folders that its operator named.
package struct RootPolicy: Sendable {
    private let roots: Roots
    private let opensPaths: Bool

    /// A policy of these folders; without `opensPaths` nothing is allowed. Throws `.usage` for a root that is not an
    /// existing folder.
    package init(_ roots: [String], opensPaths: Bool = true) throws {
        self.roots = try Roots(roots)
        self.opensPaths = opensPaths
    }

    /// Throws `.refused` unless the existing file or folder, with links followed, lies under a root.
    package func check(_ path: String) throws {
        guard opensPaths else {
            throw SplitreelError(
                .refused, operation: "checking the path", subject: "\(path)",
                reason: "this worker opens no path that a coordinator elsewhere names",
                hint: "start the worker with \(.root) and a folder that holds it, or with \(.dataFolder)")
        }
        if path.isRemoteName {
            throw SplitreelError(
                .refused, operation: "checking the path", subject: "\(path)", reason: "workers open no address",
                hint: "start the worker with \(.dataFolder): then the coordinator sends what it needs")
        }
        switch roots.verdict(path) {
        case .inside: return
        case .unknown(let number):
            throw SplitreelError(
                .mediaNotFound, operation: "realpath", subject: path, reason: systemReason(number))
        case .outside:
            throw SplitreelError(
                .refused, operation: "checking the path", subject: "\(path)",
                reason: "it lies outside of the folders that this worker may use",
                hint: "start the worker with \(.root) and a folder that holds it")
        }
    }

    func check(_ order: LeaseOrder) throws {
        try check(order.planPath)
        try check(order.folder)
    }

    /// Throws `.refused` for every path outside the roots from which a part of the plan could be read.
    package func check(_ plan: RenderPlan) throws {
        for path in plan.assets.values.flatMap(\.paths) { try check(path) }
    }
}

/// Throws `.usage` for a root that is not an existing folder: no slot could start with it. The roots are as they were
/// written.
package func checkRoots(_ roots: [String]) throws {
    for root in roots where root.looksLikeAddress {
        throw SplitreelError(
            .usage, operation: "reading \(.root)", subject: "\(root)",
            reason: "addresses are roots of a coordinator, and workers open none",
            hint: "name the address at the coordinator, and start the worker with \(.dataFolder): media are sent to it")
    }
    _ = try RootPolicy(roots)
}

extension String {
    /// Whether it is written as an address, such as `s3://films` or `ftp://host`, and not as a path.
    package var looksLikeAddress: Bool { !hasPrefix("/") && contains("://") }
}
