import Diagnostics
import ObjectStorage
import Preparation
import SplitreelFiles
import SplitreelProject

/// The places that a composition's media may be read from: folders, links followed, and addresses.
struct ReadingRoots: Sendable {
    /// The folders; nil where no path may be read.
    private let folders: Roots?
    /// The addresses below which others lie; nil for every public one.
    private let addresses: [RemoteAddress]?

    /// Without roots everything may be read. Throws `usage` for a folder that is not there, and
    /// `remoteAddressInvalid`.
    init(_ roots: [String]) throws {
        let paths = try roots.filter { !$0.isRemoteName }.map(absolutePath)
        folders = paths.isEmpty && !roots.isEmpty ? nil : try Roots(paths)
        addresses = roots.isEmpty ? nil : try roots.filter(\.isRemoteName).map { try RemoteAddress.parseRoot($0) }
    }

    /// Throws `refused` for what lies elsewhere. What the program holds in memory lies nowhere.
    func check(_ name: String) throws {
        if name.isMemoryName { return }
        if name.isRemoteName {
            guard let addresses else { return }
            let address = try RemoteAddress.parse(name)
            if !addresses.contains(where: { address.lies(under: $0) }) { throw Self.outside(address.text) }
        } else {
            guard let folders else { throw Self.outside(name) }
            // Nobody learns what is there and what is not, elsewhere: of what is not there the folder above decides.
            var (place, verdict) = (name, folders.verdict(name))
            while case .unknown = verdict, place != "/" {
                place = parentFolder(of: place)
                verdict = folders.verdict(place)
            }
            if case .outside = verdict { throw Self.outside(name) }
        }
    }

    /// Throws `refused` where the project, its URLs absolute, names something that lies elsewhere. Looks at the disk.
    func check(_ project: Project) throws {
        for name in project.namedSources where name.isRemoteName || name.isMemoryName { try check(name) }
        for usesProxies in [false, true] {
            for named in namedFiles(of: project, usingProxies: usesProxies) {
                try check(named.path)
                for file in named.files { try check(file) }
            }
        }
    }

    private static func outside(_ name: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "opening", subject: name, reason: "it lies outside of the session's `roots`",
            hint: "move it below one of them")
    }
}
