import ArgumentParser
import Coordinator
import Diagnostics
import Foundation
import ObjectStorage
import Outputs
import Planning
import RemoteMedia
import SplitreelFiles
import SplitreelProject
import SplitreelSettings
import Synchronization

/// The option of commands that open media of object stores and of the web themselves.
struct RemoteOptions: ParsableArguments {
    static let endpointHelp: ArgumentHelp = """
        The server of s3:// addresses, such as http://127.0.0.1:9000 (default: Amazon's). Credentials are the AWS_ \
        variables or ~/.aws.
        """

    @Option(name: .customLong("s3-endpoint"), help: endpointHelp)
    var s3Endpoint: String?

    /// Lets this process open addresses of s3:// and https://. Nothing is made before one is opened.
    func begin() { SourceDoors.use(CommandDoor(self)) }

    /// The way to addresses, with its blocks in the folder `cache`. A person's own command opens every public one.
    /// Throws as reading the settings does.
    func way(cache: String? = nil) throws -> RemoteMedia {
        let environment = ProcessInfo.processInfo.environment
        let settings = try RemoteMediaSettings(endpoint: s3Endpoint, cache: cache, environment: environment)
        let remote = try RemoteMedia(
            settings: RemoteSettings(endpoint: settings.endpoint, environment: environment), folder: settings.cache,
            roots: nil, cacheBytes: settings.cacheBytes ?? RemoteMedia.usualCacheBytes)
        remote.endAbandonedUploads()
        // Work folders of commands that were killed go: no command goes on with another one's work.
        let outputs = remote.folder + "/outputs"
        removeUnheldFolders(in: outputs, where: DoctorCommand.isWorkFolder)
        _ = removeUnheldLocks(in: outputs)
        return remote
    }

    /// The way to addresses, where the project or an output names one; nil else.
    func way(for project: Project, _ requests: [OutputRequest], cache: String? = nil) throws -> RemoteMedia? {
        let isUsed = project.namesAddresses || requests.contains { $0.path.isRemoteName }
        return isUsed ? try way(cache: cache) : nil
    }
}

extension Project {
    /// Whether an asset is at an address of s3:// or https://.
    var namesAddresses: Bool {
        allAssets.contains { _, _, asset in
            let keys = asset.keys
            return [keys.url, keys.proxy, keys.movie].contains { $0?.isRemoteName == true }
        }
    }
}

/// The way of a command to addresses, which is made when the first one is opened.
private final class CommandDoor: SourceDoor {
    private let options: Mutex<RemoteOptions>
    private let made = Mutex<RemoteMedia?>(nil)

    init(_ options: RemoteOptions) { self.options = Mutex(options) }

    func source(named name: String, going: @escaping @Sendable () throws -> Void) throws -> any MediaSource {
        let way = try made.withLock { made in
            if let made { return made }
            let fresh = try options.withLock { try $0.way() }
            made = fresh
            return fresh
        }
        return try way.source(named: name, going: going)
    }

    func byteCount(ofOpened name: String) -> Int? { made.withLock { $0 }?.byteCount(ofOpened: name) }
}

/// The settings of a command that opens media itself, from every source.
package struct RemoteMediaSettings: Equatable {
    /// The server of s3:// addresses; nil for Amazon's, or for what AWS's own variables name.
    package var endpoint: String?
    /// The folder for blocks and for outputs on their way, absolute.
    package var cache: String
    /// The most bytes of blocks; nil for the usual number.
    package var cacheBytes: Int?

    package init(endpoint: String?, cache: String? = nil, environment: [String: String]) throws {
        let settings = try SettingsReader.media.settings(path: nil, environment: environment)
        self.endpoint = settings.text(.s3Endpoint, flag: endpoint)
        self.cache = try absolutePath(settings.folder(.cache, flag: cache) ?? UserFolder.cache(in: environment))
        cacheBytes = settings.whole(.cacheBytes)
    }
}
