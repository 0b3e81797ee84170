import Diagnostics
import Foundation
import ObjectStorage
package import RemoteMedia
import SplitreelFiles
package import SplitreelProject
import Synchronization

/// The way of a program to media of object stores and of the web: as `splitreel render` reads them, with credentials
/// and the server of S3 by the environment. It is made when the first address is opened, once for the process.
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
            let cache = try absolutePath(named("SPLITREEL_CACHE") ?? UserFolder.cache(in: environment))
            let fresh = try RemoteMedia(
                settings: RemoteSettings(endpoint: named("SPLITREEL_S3_ENDPOINT"), environment: environment),
                folder: cache, roots: nil, opensMemory: true)
            fresh.endAbandonedUploads()
            made = fresh
            return fresh
        }
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
    fileprivate var namedSources: [String] {
        allAssets.flatMap { [$0.asset.keys.url, $0.asset.keys.proxy, $0.asset.keys.movie].compactMap(\.self) }
    }

    /// The sources in memory that it names and that are still there, for whoever keeps them.
    package var sourcesInMemory: [ProgramSource] { namedSources.compactMap { ProgramSource.named($0) } }
}
