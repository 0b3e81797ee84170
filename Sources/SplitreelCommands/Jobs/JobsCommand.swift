import ArgumentParser
import FarmClient
import Foundation

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "jobs", abstract: "List a coordinator's jobs.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let jobs = try await client.jobs()
        if json { return try Console.json(jobs) }
        if jobs.isEmpty { Console.note("no jobs; `splitreel submit COMP.json -o FILM.mp4` makes one") }
        if !jobs.isEmpty { Console.result(JobTables.jobs(jobs, now: Date().timeIntervalSince1970)) }
    }
}
