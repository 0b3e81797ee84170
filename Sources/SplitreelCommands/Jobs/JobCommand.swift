import ArgumentParser
import Diagnostics
import FarmClient
import FarmProtocol
import Foundation

struct JobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "job", abstract: "Show one job and its chunks.")
    @Argument(help: "The job's id.") var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let job = try await client.job(id)
        if json { return try Console.json(JobDocument(job)) }
        Console.result(JobTables.job(job, now: Date().timeIntervalSince1970))
        job.tellWarnings(isShort: false)
        if job.hasProblem { Console.error(SplitreelError(job.problem)) }
    }
}
