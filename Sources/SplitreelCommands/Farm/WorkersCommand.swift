import ArgumentParser
import Diagnostics
import FarmClient
import FarmProtocol

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "workers", abstract: "List a coordinator's workers.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    struct Document: Encodable {
        var name: String
        var state: String
        var slots: Int
        var current: [String]
        var framesPerSecond: Double
        var remarks: [String]
    }

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let reports = try await client.workers()
        let workers = reports.map {
            Document(
                name: $0.name, state: $0.state, slots: Int($0.slots), current: $0.current,
                framesPerSecond: $0.framesPerSecond, remarks: $0.remarks)
        }
        if json { return try Console.json(workers) }
        if workers.isEmpty {
            let endpoint = try coordinator.settings().endpoint.printable
            return Console.note("no workers; `splitreel worker --connect \(endpoint)` adds one")
        }
        Console.result(JobTables.workers(reports))
    }
}
