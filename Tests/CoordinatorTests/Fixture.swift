import Coordinator
import Foundation
import Logging
import Planning
import Scheduling
import SegmentCache

/// A coordinator in this process, with folders of its own.
struct Fixture {
    let folder: String
    let coordinator: Coordinator
    let endpoint: String

    static func folder() throws -> String {
        let path = NSTemporaryDirectory() + "sr-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path + "/out", withIntermediateDirectories: true)
        return path
    }

    static func configuration(
        _ folder: String, endpoint: String? = nil, mediaWork: FakeMediaWork = FakeMediaWork(), roots: [String] = [],
        insecure: Bool = false, store: FaultyStore? = nil, change: (inout Limits) -> Void = { _ in },
        atOutput: @escaping @Sendable (String) -> Void = { _ in }
    ) -> CoordinatorConfiguration {
        var limits = Limits()
        change(&limits)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = CoordinatorConfiguration(
            endpoint: endpoint ?? "ipc://\(folder)/c", dataDirectory: folder + "/data", insecure: insecure,
            roots: roots, logger: logger, limits: limits, mediaWork: mediaWork)
        configuration.atOutput = atOutput
        if let store { configuration.openStore = { try store.open($0) } }
        return configuration
    }

    init(
        folder: String? = nil, mediaWork: FakeMediaWork = FakeMediaWork(), roots: [String] = [],
        store: FaultyStore? = nil, gate: KeyGate? = nil, cache: SegmentCache? = nil,
        change: (inout Limits) -> Void = { _ in }, atOutput: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        self.folder = try folder ?? Self.folder()
        var configuration = Self.configuration(
            self.folder, mediaWork: mediaWork, roots: roots, store: store, change: change, atOutput: atOutput)
        (configuration.gate, configuration.chunkCache) = (gate, cache)
        coordinator = try Coordinator(configuration: configuration)
        endpoint = try await coordinator.start()
    }

    /// So that on a busy machine no worker comes back too late.
    static func waitLong(_ limits: inout Limits) {
        (limits.orphan, limits.lease, limits.dead) = (.seconds(600), .seconds(600), .seconds(600))
    }

    var output: String { folder + "/out/film.mkv" }

    var request: OutputRequest { OutputRequest(path: output) }

    /// Everything that lies beside the film, hidden names too.
    var outputNames: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder + "/out"))?.sorted() ?? []
    }

    /// Without the lock of an output that is being made.
    var outputNamesUnlocked: [String] { outputNames.filter { !$0.hasSuffix(".splitreel-lock") } }

    func end(_ peers: FakePeer..., keepFolder: Bool = false) async {
        for peer in peers { await peer.end() }
        await coordinator.stop()
        if !keepFolder { try? FileManager.default.removeItem(atPath: folder) }
    }
}
