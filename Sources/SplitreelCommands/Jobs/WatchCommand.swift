import ArgumentParser
import FarmClient

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow a job to its end.",
        discussion: "The exit status is the job's. An interrupt stops the watching, not the job.")
    @Argument(help: "The job's id.") var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "End with one JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        _ = try await client.job(id)
        try await follow(id, through: client, endpoint: coordinator.settings().endpoint, json: json)
    }
}
