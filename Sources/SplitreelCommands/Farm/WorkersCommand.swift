import ArgumentParser
import Diagnostics
import FarmClient
import Reports

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "workers", abstract: "List a coordinator's workers.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let workers = try await client.workers()
        if json { return try Console.json(workers) }
        if workers.isEmpty {
            let endpoint = try coordinator.settings().endpoint.printable
            return Console.note("no workers; `splitreel worker --connect \(endpoint)` adds one")
        }
        Console.result(JobTables.workers(workers, width: Console.widthOfResults))
    }
}
