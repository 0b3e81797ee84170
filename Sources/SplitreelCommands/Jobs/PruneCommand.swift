import ArgumentParser
import Diagnostics
import FarmClient
import Reports

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove what a farm keeps of jobs that failed.",
        discussion: "They cannot be retried any more; they stay in the list of jobs.")
    @Argument(help: "The jobs' ids; without any: all jobs that failed.", completion: .jobs) var ids: [String] = []
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let pruned = try await client.prune(ids)
        if json { return try Console.json(pruned) }
        guard !pruned.jobs.isEmpty else { return Console.note("nothing was kept") }
        Console.note("removed what was kept of \(counted(pruned.jobs.count, "job")): \(memoryText(pruned.bytes))")
    }
}
