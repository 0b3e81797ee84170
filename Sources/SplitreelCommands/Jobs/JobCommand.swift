import ArgumentParser
import Diagnostics
import FarmClient
import Foundation
import Reports

struct JobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "job", abstract: "Show one job and its chunks.")
    @Argument(help: "The job's id.") var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let job = try await client.job(id)
        if json { return try Console.json(job) }
        Console.result(JobTables.job(job, now: Date().timeIntervalSince1970))
        job.tellWarnings(isShort: false)
        if let error = job.error { Console.error(error) }
    }
}
