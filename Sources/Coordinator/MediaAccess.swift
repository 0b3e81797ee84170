import DataPlane
import Diagnostics
import MediaFacts
package import RemoteMedia
import SplitreelFiles

/// The paths and addresses that may be read and written: those in the configured folders, links followed, and below the
/// configured addresses; or all paths, where no root is named, and never an address that no root names.
///
/// In the coordinator's own data folder it is those of the job's view alone, whatever folders are named: see
/// `StorePaths`. Keys and the job store lie there, and other people's uploads.
package struct MediaAccess: Sendable {
    private let roots: Roots
    /// The way to addresses; nil where none is opened.
    let remote: RemoteMedia?
    /// Whether no path lies in the roots, since all that are named are addresses.
    private let hasAddressesAlone: Bool
    /// The data folder, which holds the store; nil where there is none.
    private let dataFolder: String?
    /// The view of the job, or of the submission, that is looked after; nil where it has none. Every worker of the job
    /// knows its name: whoever else names it gets nothing.
    package var view: String?
    /// The permit: once it is withdrawn, nothing more is opened.
    var permit: PlanningPermit?
    /// A call before each file that is about to be read, with the time that it may take.
    package var began: @Sendable (_ allowing: Duration) -> Void = { _ in }

    /// The access to these roots, or to all paths without any, and to what `remote` opens; with `hasAddressesAlone` no
    /// path is opened but those of the store. Throws `.usage` for a root that is not there.
    package init(
        roots: [String], dataFolder: String? = nil, remote: RemoteMedia? = nil, hasAddressesAlone: Bool = false
    ) throws {
        self.roots = try Roots(roots)
        self.remote = remote
        self.hasAddressesAlone = hasAddressesAlone
        self.dataFolder = dataFolder
    }

    /// Throws `.refused` for a path outside the roots. A file that does not exist passes: opening it tells better.
    package func check(media path: String) throws {
        try permit?.check(path)
        if path.isRemoteName {
            try way(to: path).check(source: path)
            return
        }
        guard let paths = store(beside: path) else { return try require(path, path) }
        guard let view, paths.view(of: path) == view else { throw Self.stranger(path) }
        guard let real = realPath(path) else { return }
        guard paths.mayRead(path, real: real) else { throw Self.stranger(path) }
    }

    /// Throws `.refused` for an output outside the roots. It need not exist yet: its folder counts.
    package func check(output path: String) throws {
        if path.isRemoteName {
            _ = try way(to: path).address(ofOutput: path)
            return
        }
        let folder = parentFolder(of: path)
        guard let paths = store(beside: folder) else { return try require(folder, path) }
        guard let view, paths.view(of: path) == view else { throw Self.stranger(path) }
    }

    /// Opens a source that may be read, see `check(media:)`. Blocks.
    func source(at path: String) throws -> any MediaSource {
        try check(media: path)
        guard path.isRemoteName else { return try LocalFile(path: path) }
        return try way(to: path).source(named: path, going: { try permit?.check(path) })
    }

    /// Throws `mediaChanged` where a source at an address is no longer the content that was planned with. A server that
    /// does not answer now is no reason, and is not asked for others: what was read is the planned content. Blocks.
    func checkAddresses(of sources: [AssetFacts]) throws {
        guard let remote else { return }
        var silent: Set<RemoteMedia.Server> = []
        var seen: Set<String> = []
        for source in sources where source.path.isRemoteName && seen.insert(source.path).inserted {
            try permit?.check(source.path)
            guard let mark = source.mark, let server = remote.server(of: source.path), !silent.contains(server) else {
                continue
            }
            if try !remote.check(mark, of: source.path) { silent.insert(server) }
        }
    }

    /// The way to an address. Throws `refused` where none is opened here: whoever submits must not choose what a
    /// coordinator fetches.
    func way(to address: String) throws -> RemoteMedia {
        if let remote { return remote }
        if address.isMemoryName { throw RemoteMedia.strange(address) }
        throw SplitreelError(
            .refused, operation: "opening", subject: "\(address)", reason: "no root of the coordinator is an address",
            hint: "start the coordinator with \(.root) and an address above it, such as s3://BUCKET")
    }

    /// The path at which an output grows and is locked: its own, or for an address one in the way's folder.
    func placeOfMaking(_ path: String) -> String {
        guard path.isRemoteName, let remote else { return path }
        return remote.placeOfMaking(path)
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
        if case .inside = roots.verdict(place), !hasAddressesAlone { return }
        if case .unknown = roots.verdict(place), !hasAddressesAlone { return }
        let hint: Phrase =
            hasAddressesAlone
            ? "start the coordinator with \(.root) and its folder; all its roots are addresses"
            : "move it into one of: \(roots.list)"
        throw SplitreelError(
            .refused, operation: "opening", subject: "\(path)", reason: "it lies outside the coordinator's roots",
            hint: hint)
    }
}
