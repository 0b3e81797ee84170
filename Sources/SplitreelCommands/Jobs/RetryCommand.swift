import ArgumentParser
import Diagnostics
import FarmClient
import Reports

struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Go on with a job that failed.",
        discussion: """
            Segments that were finished are checked and used, the rest is rendered. A farm keeps them for 7 days, and \
            not without a limit of bytes: `splitreel job ID` says until when. A source that has changed since needs a \
            new `submit`.
            """)
    @Argument(help: "The job's id.", completion: .jobs) var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "Stay and show progress until the job ends.") var watch = false
    @Flag(help: "With --watch: end with one JSON document; else the job in one.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let report = try await client.retry(id)
        if watch {
            return try await follow(id, through: client, endpoint: coordinator.settings().endpoint, json: json)
        }
        if json { return try Console.json(report) }
        Console.note("\(id.printable) goes on")
    }
}
