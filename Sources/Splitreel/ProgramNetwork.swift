import Diagnostics
import Foundation
import Glibc
import LocalFarm
import ObjectStorage
package import RemoteMedia
import SplitreelFiles
package import SplitreelProject
import Synchronization

/// The way of a program to media of object stores and of the web: as `splitreel render` reads them, with credentials
/// and the server of S3 by the environment. It is made when the first address is opened, once for the process. Blocks
/// are kept in the folder that `SPLITREEL_CACHE` names, else in `~/.cache/splitreel`, else in a private one.
package enum ProgramNetwork {
    private static let made = Mutex<RemoteMedia?>(nil)

    /// Lets this process open addresses, unless its command line does so by options of its own.
    package static func begin() { SourceDoors.useUnlessThere(ProgramNetworkDoor()) }

    /// The way for a farm of this process that renders a project: nil where neither it nor an output names an address
    /// or a source in memory.
    package static func way(for project: Project, outputs: [String] = []) throws -> RemoteMedia? {
        (project.namedSources + outputs).contains(where: \.isRemoteName) ? try way() : nil
    }

    /// The way to every public address, and to what this program holds in memory. Throws `settingsInvalid`, or as
    /// making the folder of the cache does.
    package static func way() throws -> RemoteMedia {
        try made.withLock { made in
            if let made { return made }
            let environment = ProcessInfo.processInfo.environment
            func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
            let settings = RemoteSettings(endpoint: named("SPLITREEL_S3_ENDPOINT"), environment: environment)
            let usual = UserFolder.cache(in: environment)
            let fresh: RemoteMedia
            if let cache = named("SPLITREEL_CACHE") {
                fresh = try way(settings, folder: try absolutePath(cache))
            } else if isWritable(usual) {
                fresh = try way(settings, folder: usual)
            } else {
                // A service may have no home that it can write to.
                let folder = try RuntimeFolder(in: RuntimeFolder.roomyParent)
                fresh = try way(settings, folder: folder.path)
                ownFolder.withLock { $0 = folder }
            }
            fresh.endAbandonedUploads()
            made = fresh
            return fresh
        }
    }

    /// The folder of the cache where the usual one cannot be written to. This process holds it to its end; the next
    /// one that makes such a folder removes it.
    private static let ownFolder = Mutex<RuntimeFolder?>(nil)

    private static func isWritable(_ folder: String) -> Bool {
        do throws(FolderFailure) { try makeFolders(folder) } catch { return false }
        return access(folder, W_OK | X_OK) == 0
    }

    private static func way(_ settings: RemoteSettings, folder: String) throws -> RemoteMedia {
        try RemoteMedia(settings: settings, folder: folder, roots: nil, opensMemory: true)
    }
}

private struct ProgramNetworkDoor: SourceDoor {
    func source(named name: String, going: @escaping @Sendable () throws -> Void) throws -> any MediaSource {
        try ProgramNetwork.way().source(named: name, going: going)
    }

    func byteCount(ofOpened name: String) -> Int? { (try? ProgramNetwork.way())?.byteCount(ofOpened: name) }
}

extension Project {
    /// The names of all sources of its assets and of nested compositions.
    var namedSources: [String] {
        allAssets.flatMap { [$0.asset.keys.url, $0.asset.keys.proxy, $0.asset.keys.movie].compactMap(\.self) }
    }

    /// The sources in memory that it names and that are still there, for whoever keeps them.
    package var sourcesInMemory: [ProgramSource] { namedSources.compactMap { ProgramSource.named($0) } }
}
