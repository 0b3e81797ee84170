import Foundation
import Logging
import SplitreelFiles
package import SplitreelSettings

/// The settings that a file or the environment may hold.
extension SettingKey {
    package static let listen = SettingKey("listen", .endpoint)
    package static let connect = SettingKey("connect", .endpoint)
    package static let timeout = SettingKey("timeout", .seconds(ConnectOptions.timeouts))
    package static let data = SettingKey("data", .folder)
    package static let cache = SettingKey("cache", .place)
    package static let cacheKey = SettingKey("cache-key", .file)
    package static let cacheBytes = SettingKey("cache-bytes", .whole(WorkerCommand.cacheSizes))
    package static let noCache = SettingKey("no-cache", .truth)
    package static let chunkCacheBytes = SettingKey("chunk-cache-bytes", .whole(ChunkCacheOptions.sizes))
    package static let s3Endpoint = SettingKey("s3-endpoint", .text)
    package static let storeBytes = SettingKey("store-bytes", .whole(CoordinatorCommand.storeSizes))
    package static let storeDays = SettingKey("store-days", .whole(CoordinatorCommand.storeDayCounts))
    package static let root = SettingKey("root", .folders)
    package static let audit = SettingKey("audit", .whole(CoordinatorCommand.auditShares))
    package static let map = SettingKey("map", .pairs)
    package static let insecure = SettingKey("insecure", .truth)
    package static let sandbox = SettingKey("sandbox", .truth)
    package static let slots = SettingKey("slots", .whole(WorkerCommand.slotCounts))
    package static let drainSeconds = SettingKey("drain-seconds", .whole(WorkerCommand.drainTimes))
    package static let name = SettingKey("name", .text)
    package static let token = SettingKey("token", .file)
    package static let log = SettingKey("log", .word(Logger.Level.allCases.map(\.rawValue)))
}

/// The readers of settings, each with its keys.
package enum SettingsReader: String, CaseIterable, Sendable {
    case coordinator
    case worker
    /// A command that asks a coordinator.
    case client
    /// A command that opens media itself.
    case media

    package var keys: [SettingKey] {
        switch self {
        case .coordinator:
            [
                .listen, .data, .cache, .cacheKey, .cacheBytes, .noCache, .chunkCacheBytes, .storeBytes, .storeDays,
                .root, .s3Endpoint, .audit, .insecure, .sandbox, .log,
            ]
        case .worker:
            [
                .connect, .slots, .drainSeconds, .name, .data, .cache, .cacheBytes, .root, .map, .insecure, .sandbox,
                .token, .log,
            ]
        case .client: [.connect, .timeout, .token]
        case .media: [.s3Endpoint, .cache, .cacheKey, .cacheBytes, .noCache, .chunkCacheBytes]
        }
    }

    private static let allKeys = Set(allCases.flatMap(\.keys))

    /// Reads the file named `path`, else the person's own file if it exists. A file that is given to a service holds
    /// that service's settings alone, so that one it would not heed is told; the person's own serves all commands, and
    /// a client finds its coordinator in a service's file too.
    package func settings(path: String?, environment: [String: String]) throws -> Settings {
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let file = try (path ?? Self.ownFile(environment)).map { path in
            let folder = (try absolutePath(path) as NSString).deletingLastPathComponent
            return try SettingsFile(path: path, base: PathBase(folder: folder, home: home))
        }
        let isStrict = path != nil && self != .client && self != .media
        return try Settings(
            file: file, environment: environment, keys: keys, tolerated: isStrict ? [] : Array(Self.allKeys),
            reader: isStrict ? "splitreel \(rawValue)" : "splitreel")
    }

    /// The person's own file `${XDG_CONFIG_HOME:-~/.config}/splitreel/config.yaml`; nil where it does not exist.
    private static func ownFile(_ environment: [String: String]) -> String? {
        // A path that is not absolute is to be ignored, says the XDG base directory specification.
        var folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        if folder == nil, let home = environment["HOME"], !home.isEmpty { folder = home + "/.config" }
        let path = folder.map { $0 + "/splitreel/config.yaml" }
        return path.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    }
}
