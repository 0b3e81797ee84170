import ArgumentParser
import Coordinator
import DataPlane
import Diagnostics
import Foundation
import Isolation
import KeyFiles
import LocalFarm
import Logging
import ObjectStorage
import RemoteMedia
import SplitreelFiles
import SplitreelSettings
import Threads

struct CoordinatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", abstract: "Run a farm's coordinator: it plans, dispatches and stitches.",
        discussion: """
            Heartbeats use the port after the endpoint's own, data the one after that. Jobs are kept in the data \
            folder: after a crash the coordinator goes on where it was. Where the data folder has keys \
            (`splitreel keys init`) nobody gets in without one. Without keys the coordinator listens on this machine \
            alone, unless --insecure is said.

            Media and outputs may be in an object store, at addresses below a root. The coordinator alone has the \
            credentials, of AWS's own variables or ~/.aws; workers started with --data get the bytes from it.

              splitreel coordinator --root /srv/media --root s3://studio/films
              splitreel coordinator --root s3://films --s3-endpoint http://minio.lan:9000

            Every option can stand in the file of --config under its own name (listen, data, cache, cache-key, \
            cache-bytes, no-cache, chunk-cache-bytes, store-bytes, store-days, root as a list, s3-endpoint, audit, \
            insecure, sandbox; log for the level of logging), or in the environment (SPLITREEL_LISTEN and so on; \
            several roots separated by colons). The command line outranks the environment, the environment the file. \
            Relative paths in a file start from the file's folder.
            """)

    /// The percents of --audit.
    static let auditShares = 0...100
    /// The bytes that the store may be given: 64 MiB to 1 PiB.
    static let storeSizes = 1 << 26...1 << 50
    /// The days for which its films may be kept.
    static let storeDayCounts = 1...3650

    @Option(
        help: """
            Where to listen: tcp://HOST:PORT or ipc:///run/splitreel/control (default: \(DefaultEndpoint.words)).
            """)
    var listen: String?

    @Option(
        help: "Where jobs are kept (default: ${XDG_STATE_HOME:-~/.local/state}/splitreel).", completion: .directory)
    var data: String?

    @Option(
        help: """
            The most bytes of uploaded media and of films that wait (default: \(StoreLimits().bytesOfAll)); half of it \
            for one key.
            """)
    var storeBytes: Int?

    @Option(help: "Days that a film waits, and that unused media are kept (default: 7).")
    var storeDays: Int?

    @Option(
        name: .customLong("root"),
        help: "Only media and outputs under this folder or address (s3://, https://); may be given several times.",
        completion: .directory)
    var roots: [String] = []

    @Option(name: .customLong("s3-endpoint"), help: RemoteOptions.endpointHelp)
    var s3Endpoint: String?

    @Option(
        help: """
            Where chunks and blocks of media from addresses are kept (default: in --data's folder); or \
            s3://BUCKET/PREFIX for chunks, which several coordinators may share.
            """, completion: .directory)
    var cache: String?

    @Option(help: ChunkCacheOptions.keyHelp, completion: .file())
    var cacheKey: String?

    @Option(help: "The most bytes of these blocks (default: \(RemoteMedia.usualCacheBytes)).")
    var cacheBytes: Int?

    @Flag(name: .customLong("no-cache"), help: ChunkCacheOptions.offHelp)
    var isWithoutCache = false

    @Option(help: ChunkCacheOptions.bytesHelp)
    var chunkCacheBytes: Int?

    @Option(help: "Percent of the chunks that workers of two keys render, to compare them (default: 0).")
    var audit: Int?

    @Flag(inversion: .prefixedNo, help: "Listen off loopback without keys: anybody may do anything.")
    var insecure: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Confine what reads media, and refuse to start off loopback where the kernel cannot (default).")
    var sandbox: Bool?

    @OptionGroup var config: ConfigOptions

    func validate() throws {
        if let audit, !Self.auditShares.contains(audit) {
            throw ValidationError("--audit takes \(SettingKey.audit.kind.expectation)")
        }
        if let storeBytes, !Self.storeSizes.contains(storeBytes) {
            throw ValidationError("--store-bytes takes \(SettingKey.storeBytes.kind.expectation)")
        }
        if let cacheBytes, !WorkerCommand.cacheSizes.contains(cacheBytes) {
            throw ValidationError("--cache-bytes takes \(SettingKey.cacheBytes.kind.expectation)")
        }
        try ChunkCacheOptions.check(cache: cache, isOff: isWithoutCache, bytes: chunkCacheBytes)
        if let storeDays, !Self.storeDayCounts.contains(storeDays) {
            throw ValidationError("--store-days takes \(SettingKey.storeDays.kind.expectation)")
        }
    }

    func run() async throws {
        let settings = try CoordinatorSettings(self, environment: ProcessInfo.processInfo.environment)
        ServiceLog.setLevel(settings.log)
        CoreFiles.forbid()
        try DefaultEndpoint.prepare(settings.listen)
        let logger = ServiceLog.make("coordinator")
        let sandbox = ServiceSandbox(isWanted: settings.sandbox)
        try sandbox.require(for: settings.listen, "listening")
        let remote = try settings.remote(ProcessInfo.processInfo.environment)
        let media = IsolatedMediaWork(children: MediaChildren(isConfined: settings.sandbox, door: remote))
        var configuration = CoordinatorConfiguration(
            endpoint: settings.listen, dataDirectory: settings.data, insecure: settings.insecure,
            roots: settings.roots.filter(\.isAbsolutePath), logger: logger, mediaWork: media)
        configuration.remote = remote
        configuration.chunkCache = try settings.chunks.open(
            farm: CacheSecret.ofFarm(dataFolder: settings.data), roots: settings.roots
        ) { logger.warning("\($0)") }
        configuration.store = StoreLimits(bytesOfAll: settings.storeBytes, days: settings.storeDays)
        configuration.gate = try KeyGate(dataFolder: settings.data)
        if settings.insecure, configuration.gate != nil {
            Console.note("the farm has keys, and nobody gets in without one: --insecure changes nothing")
        }
        try settings.requireKeysToAudit(rendererCount: configuration.gate?.rendererCount)
        configuration.auditPercent = settings.audit
        let coordinator = try Coordinator(configuration: configuration)
        if let lack = sandbox.lack {
            logger.warning("media processes are not confined as they should be", metadata: lack)
        }
        let endpoint = try await coordinator.start()
        Console.result("listening on \(endpoint.printable)")
        if let remote { startThread("roots") { Self.warnOfRoots(remote, logger) } }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let interruption = Interruption(
            status: ExitStatus.cancelled.rawValue, first: { continuation.finish() }, second: {})
        for await _ in stream {}
        let left = await coordinator.unfinishedJobCount
        await coordinator.stop()
        if left > 0 { Console.note("\(counted(left, "job")) \(left == 1 ? "goes" : "go") on at the next start") }
        withExtendedLifetime(interruption) {}
    }

    /// Warns of roots that cannot be used now: whoever starts the coordinator is still there, and whoever submits the
    /// first job may be somebody else.
    private static func warnOfRoots(_ remote: RemoteMedia, _ logger: Logger) {
        remote.checkRoots { error in
            logger.warning(
                "a root cannot be used as it is: its jobs will fail",
                metadata: [
                    "root": "\(error.subject)", "error": "\(error.code.number)",
                    "reason": "\(error.inOptions.reason)", "hint": "\(error.inOptions.hint)",
                ])
        }
    }
}

/// The settings of a coordinator, from every source; paths are absolute.
package struct CoordinatorSettings: Equatable {
    package var listen: String
    package var data: String
    /// The most bytes of the store; nil for the usual number.
    package var storeBytes: Int?
    /// The days for which the store keeps films; nil for the usual number.
    package var storeDays: Int?
    /// The folders and addresses below which all media and outputs lie.
    package var roots: [String]
    /// The server of s3:// addresses; nil for Amazon's, or for what AWS's own variables name.
    package var s3Endpoint: String?
    /// The folder for blocks of media from addresses, and for outputs on their way to them.
    package var cache: String
    /// The most bytes of these blocks; nil for the usual number.
    package var cacheBytes: Int?
    /// The cache of chunks, in the same folder.
    package var chunks: ChunkCacheSettings
    /// The percents of chunks that are audited.
    package var audit: Int
    package var insecure: Bool
    package var sandbox: Bool
    package var log: String?

    init(_ command: CoordinatorCommand, environment: [String: String]) throws {
        let settings = try command.config.settings(for: .coordinator, environment)
        listen = settings.text(.listen, flag: command.listen) ?? DefaultEndpoint.text(environment)
        data = try absolutePath(settings.text(.data, flag: command.data) ?? StateFolder.path(environment))
        storeBytes = settings.whole(.storeBytes, flag: command.storeBytes)
        storeDays = settings.whole(.storeDays, flag: command.storeDays)
        roots = try settings.list(.root, flag: command.roots).map(absoluteName)
        s3Endpoint = settings.text(.s3Endpoint, flag: command.s3Endpoint)
        cache = try settings.folder(.cache, flag: command.cache).map(absolutePath) ?? data + "/remote"
        cacheBytes = settings.whole(.cacheBytes, flag: command.cacheBytes)
        chunks = try ChunkCacheSettings(
            cache: command.cache, isOff: command.isWithoutCache, bytes: command.chunkCacheBytes, key: command.cacheKey,
            endpoint: command.s3Endpoint, settings, usual: data + "/remote")
        audit = settings.whole(.audit, flag: command.audit) ?? 0
        insecure = settings.truth(.insecure, flag: command.insecure) ?? false
        sandbox = settings.truth(.sandbox, flag: command.sandbox) ?? true
        log = settings.text(.log)
    }

    /// The way to the addresses of the roots; nil where no root is an address. Throws as making it does.
    func remote(_ environment: [String: String]) throws -> RemoteMedia? {
        let addresses = roots.filter(\.isRemoteName)
        guard !addresses.isEmpty else {
            if s3Endpoint != nil, chunks.address == nil {
                Console.note("no root is an address: --s3-endpoint changes nothing")
            }
            return nil
        }
        return try RemoteMedia(
            settings: RemoteSettings(endpoint: s3Endpoint, environment: environment), folder: cache,
            roots: addresses, cacheBytes: cacheBytes ?? RemoteMedia.usualCacheBytes)
    }

    /// Throws `.usage` where chunks are to be audited and the farm has no keys; says so where it has too few that may
    /// render. The count is nil on a farm without keys.
    package func requireKeysToAudit(rendererCount: Int?) throws {
        guard audit > 0 else { return }
        guard let count = rendererCount else {
            throw SplitreelError(
                .usage, operation: "starting a coordinator", subject: "--audit \(audit)",
                reason: "workers are told apart by their keys, and the farm has none",
                hint: "make keys by `splitreel keys init`, and `splitreel keys add` one for each owner of workers")
        }
        if count < 2 {
            Console.note("--audit: chunks wait for workers of a second key, and the farm has \(counted(count, "key"))")
        } else if count < 3 {
            Console.note("--audit: the farm has two keys for workers; where they disagree the job fails")
        }
    }

    /// The settings of a command line and an environment.
    package init(arguments: [String], environment: [String: String]) throws {
        try self.init(CoordinatorCommand.parse(arguments), environment: environment)
    }
}

enum StateFolder {
    /// The folder `${XDG_STATE_HOME:-~/.local/state}/splitreel`.
    static func path(_ environment: [String: String]) -> String { UserFolder.state(in: environment) }
}
