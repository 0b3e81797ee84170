import ArgumentParser
import Diagnostics
import FarmClient
import Foundation
import Reports

struct JobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "job", abstract: "Show one job, its chunks, and what happened last.")
    @Argument(help: "The job's id.", completion: .jobs) var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    /// The events at most that are shown.
    private static let lastEvents = 10

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let job = try await client.job(id)
        if json { return try Console.json(job) }
        // The report is worth more than its history: a store that cannot be read takes the events alone.
        let events = (try? await client.lastEvents(of: id, count: Self.lastEvents)) ?? []
        Console.result(JobTables.job(job, now: Date().timeIntervalSince1970))
        if !events.isEmpty { Console.result(JobTables.events(events, of: job)) }
        if let error = job.error { Console.result(error.shown) }
        job.tellWarnings(isShort: false)
    }
}
