import ArgumentParser
import Diagnostics
import Foundation
import KeyFiles
import ObjectStorage
package import SegmentCache
import SplitreelFiles
import SplitreelSettings

/// The options of a command that takes chunks from a cache and keeps them there.
struct ChunkCacheOptions: ParsableArguments {
    static let offHelp: ArgumentHelp = "Neither take chunks from the cache nor keep them there."
    static let keyHelp: ArgumentHelp = """
        A file whose text seals chunks of a cache at s3:// (default: a coordinator's farm key); 32 characters or more.
        """
    static let bytesHelp: ArgumentHelp = "The most bytes of cached chunks (default: \(SegmentCache.usualBytes))."
    /// The bytes that cached chunks may be given: 1 MiB to 1 PiB.
    static let sizes = 1 << 20...1 << 50

    @Option(
        help: """
            Where finished chunks are kept and taken from (default: ${XDG_CACHE_HOME:-~/.cache}/splitreel), and blocks \
            of media from addresses; or s3://BUCKET/PREFIX for chunks.
            """, completion: .directory)
    var cache: String?

    @Option(help: keyHelp, completion: .file())
    var cacheKey: String?

    @Flag(name: .customLong("no-cache"), help: offHelp)
    var isOff = false

    @Option(help: bytesHelp)
    var chunkCacheBytes: Int?

    func validate() throws { try Self.check(cache: cache, isOff: isOff, bytes: chunkCacheBytes) }

    static func check(cache: String?, isOff: Bool, bytes: Int?) throws {
        if cache != nil, isOff { throw ValidationError("--cache and --no-cache exclude each other") }
        if let bytes, !sizes.contains(bytes) {
            throw ValidationError("--chunk-cache-bytes takes \(SettingKey.chunkCacheBytes.kind.expectation)")
        }
    }

    /// The cache; nil where none is wanted, and where it cannot be used, which is said once. `endpoint` is the server
    /// of s3:// that the command line names.
    func open(_ endpoint: String?) throws -> SegmentCache? {
        try ChunkCacheSettings(
            cache: cache, isOff: isOff, bytes: chunkCacheBytes, key: cacheKey, endpoint: endpoint,
            environment: ProcessInfo.processInfo.environment
        ).open(telling: Console.note)
    }
}

/// The settings of a cache of chunks, from every source.
package struct ChunkCacheSettings: Equatable {
    /// The folder that a person named, in which `chunks` lies, absolute; nil for no cache.
    package var folder: String?
    /// The address of a cache that others share; the folder has what is on its way then.
    package var address: String?
    /// The file of the key that seals its entries, absolute, and below it the server of s3:// addresses.
    package var keyFile: String?
    var endpoint: String?
    /// Whether a person named the folder: one that cannot be used is an error then.
    var isNamed: Bool
    /// The most bytes of the chunks.
    package var bytes: Int

    /// `usual` is the folder where nobody names one; nil for none.
    init(
        cache: String?, isOff: Bool, bytes: Int?, key: String?, endpoint: String?, _ settings: Settings, usual: String?
    ) throws {
        self.bytes = settings.whole(.chunkCacheBytes, flag: bytes) ?? SegmentCache.usualBytes
        isNamed = cache != nil
        // A folder that the command line names outranks what the environment or a file switches off.
        guard isNamed || !(settings.truth(.noCache, flag: isOff ? true : nil) ?? false) else { return }
        address = settings.text(.cache, flag: cache).flatMap { $0.isRemoteName ? $0 : nil }
        keyFile = try settings.text(.cacheKey, flag: key).map(absolutePath)
        self.endpoint = settings.text(.s3Endpoint, flag: endpoint)
        folder = try (settings.folder(.cache, flag: cache) ?? usual).map(absolutePath)
        guard let address, folder == nil else { return }
        throw SplitreelError(
            .usage, operation: "opening the cache", subject: Phrase(address),
            reason: "neither HOME nor XDG_CACHE_HOME names a folder for what is on its way there",
            hint: "set one of them")
    }

    /// The settings of a person's own command: what its options say, the environment, and the person's own file.
    package init(
        cache: String?, isOff: Bool, bytes: Int?, key: String? = nil, endpoint: String? = nil,
        environment: [String: String]
    ) throws {
        let settings = try SettingsReader.media.settings(path: nil, environment: environment)
        try self.init(
            cache: cache, isOff: isOff, bytes: bytes, key: key, endpoint: endpoint, settings,
            usual: Self.ownFolder(environment))
    }

    /// The folder of a person's own; nil where the environment names no home.
    static func ownFolder(_ environment: [String: String]) -> String? {
        let hasHome = ["HOME", "XDG_CACHE_HOME"].contains { environment[$0]?.hasPrefix("/") == true }
        return hasHome ? UserFolder.cache(in: environment) : nil
    }

    /// Opens the cache; nil where there is to be none, and, said by `tell`, where it cannot be opened and nobody named
    /// its folder. Throws as opening does where somebody did, and for an address that cannot be used: `farm` is the
    /// secret of the farm's own key, and no chunk may be where `roots` let others write.
    package func open(
        farm: String? = nil, roots: [String] = [], telling tell: (String) -> Void
    ) throws -> SegmentCache? {
        guard let folder else { return nil }
        let shared = try address.map { address in
            let environment = ProcessInfo.processInfo.environment
            return try SharedSegments(
                address, secret: keyFile.map(CacheSecret.read) ?? farm, limit: bytes,
                settings: RemoteSettings(endpoint: endpoint, environment: environment), roots: roots)
        }
        do {
            return try SegmentCache(in: folder, limit: bytes, shared: shared)
        } catch  where !isNamed && shared == nil {
            let reason = (error as? SplitreelError).map { "\($0.inOptions.reason)" } ?? "\(error)"
            tell("chunks are not cached: \(folder.printable): \(reason)")
            return nil
        }
    }
}

extension Settings {
    /// The folder that a setting names; nil where it names an address, or nothing.
    func folder(_ key: SettingKey, flag: String? = nil) -> String? {
        text(key, flag: flag).flatMap { $0.isRemoteName ? nil : $0 }
    }
}
