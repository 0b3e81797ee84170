import ArgumentParser
import Diagnostics
import FarmClient
import Reports
import Scheduling

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stop a job; nothing of its output is left.",
        discussion: """
            The exit status is 1 where the job has ended in another way already, or is about to. What is kept of a job \
            that failed is removed.
            """)
    @Argument(help: "The job's id.", completion: .jobs) var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let report = try await client.cancel(id)
        let isCancelled = report.ending?.value == .cancelled || report.state.value == .cancelled
        let state = isCancelled ? JobState.cancelled.rawValue : report.state.word
        if json { try Console.json(["job": id, "state": state]) }
        guard !isCancelled else {
            if !json { Console.note("cancelled \(id.printable)") }
            return
        }
        let name = id.printable
        Console.note(
            report.isTerminal ? "\(name) is already \(state.printable)" : "\(name) is ending: too late to cancel")
        throw Exit(.failed)
    }
}
