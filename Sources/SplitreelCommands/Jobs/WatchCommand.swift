import ArgumentParser
import FarmClient

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow a job to its end.",
        discussion: """
            The exit status is the job's. An interrupt stops the watching, not the job. With --json each event is a \
            document on a line, and the last document, without `event`, says how the job ended.
            """)
    @Argument(help: "The job's id.", completion: .jobs) var id: String
    @OptionGroup var coordinator: ConnectOptions
    @OptionGroup var telling: ProgressOptions
    @Flag(help: "JSON documents, one a line, as things happen.") var json = false

    func run() async throws {
        try telling.begin(streams: json)
        let client = try coordinator.client()
        defer { client.close() }
        _ = try await client.job(id)
        try await follow(id, through: client, endpoint: coordinator.settings().endpoint, json: json)
    }
}
