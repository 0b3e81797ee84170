import ArgumentParser
import Coordinator
import Diagnostics
import Foundation
import Logging

struct CoordinatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", abstract: "Run a farm's coordinator: it plans, dispatches and stitches.",
        discussion: """
            Heartbeats use the port after the endpoint's own. Jobs are kept in the data folder: after a crash the \
            coordinator goes on where it was. Off loopback anyone who reaches the port can submit: say --insecure \
            if that is what you want.
            """)

    @Option(help: "Where to listen, such as tcp://127.0.0.1:7733 or ipc:///run/splitreel/control.")
    var listen = "tcp://127.0.0.1:7733"

    @Option(help: "Where jobs are kept.")
    var data: String?

    @Option(name: .customLong("root"), help: "Only media and outputs under this folder; may be given several times.")
    var roots: [String] = []

    @Flag(help: "Listen off loopback without authentication.")
    var insecure = false

    func run() async throws {
        let coordinator = try Coordinator(
            configuration: CoordinatorConfiguration(
                endpoint: listen, dataDirectory: absolutePath(data ?? StateFolder.path), insecure: insecure,
                roots: roots.map(absolutePath), logger: ServiceLog.make("coordinator")))
        let endpoint = try await coordinator.start()
        Console.result("listening on \(endpoint)")
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let interruption = Interruption(
            status: ExitStatus.cancelled.rawValue, first: { continuation.finish() }, second: {})
        for await _ in stream {}
        await coordinator.stop()
        withExtendedLifetime(interruption) {}
    }
}

enum StateFolder {
    /// `${XDG_STATE_HOME:-~/.local/state}/splitreel`
    static var path: String { UserFolder.state() }
}

enum ServiceLog {
    /// To standard error; SPLITREEL_LOG sets the level (debug, info, warning, error).
    static func make(_ label: String) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel =
            ProcessInfo.processInfo.environment["SPLITREEL_LOG"].flatMap(Logger.Level.init(rawValue:)) ?? .info
        return logger
    }
}
