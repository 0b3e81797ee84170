import ArgumentParser
import Diagnostics
import FarmClient
import Foundation
import Reports
import Scheduling

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "List a coordinator's jobs.",
        discussion: """
            With --watch it stays until an interrupt (exit status 7): on a terminal the table is drawn again when \
            something changes; elsewhere each change is a line, with --json a document. The \
            documents begin with each job that is there.
            """)
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "Stay and tell what changes.") var watch = false
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        if watch { return try await follow(client) }
        let jobs = try await client.jobs()
        if json { return try Console.json(jobs) }
        if jobs.isEmpty { Console.note("no jobs; `splitreel submit COMP.json -o FILM.mp4` makes one") }
        guard !jobs.isEmpty else { return }
        Console.result(JobTables.jobs(jobs, now: Date().timeIntervalSince1970, width: Console.widthOfResults))
    }

    private func follow(_ client: FarmClient) async throws {
        let endpoint = try coordinator.settings().endpoint.printable
        let isJSON = json
        // Unstructured, since the handler has to reach it.
        let watching = Task { try await isJSON ? Self.tellDocuments(client) : Self.draw(client, endpoint) }
        let interruption = Interruption(first: { watching.cancel() })
        do {
            try await watching.value
        } catch {
            if !interruption.wasInterrupted { throw error }
        }
        throw Exit(interruption.wasInterrupted ? .cancelled : .failed)
    }

    private static func tellDocuments(_ client: FarmClient) async throws {
        var list = JobList()
        for try await news in client.watchJobs(patience: patienceOfWatching) {
            switch news {
            case .begins: for job in list.takeWhole(try await client.jobs()) { try Console.json(job) }
            case .changed(let jobs): for job in list.take(jobs) { try Console.json(job) }
            case .silence, .back: break
            }
        }
    }

    private static func draw(_ client: FarmClient, _ endpoint: String) async throws {
        let isTerminal = Console.canRedrawResults
        var screen = JobsScreen(isTerminal: isTerminal)
        defer { Console.resultScreen(screen.end()) }
        var isSilent = false
        for try await news in client.watchJobs(patience: patienceOfWatching) {
            let (now, size) = (Date().timeIntervalSince1970, Console.windowSizeOfResults)
            switch news {
            case .begins: Console.resultScreen(screen.begin(try await client.jobs(), now: now, size: size))
            case .changed(let jobs): Console.resultScreen(screen.take(jobs, now: now, size: size))
            case .silence(let time):
                let words = "no word from \(endpoint) for \(Int(time.inSeconds)) s; still trying"
                if !isTerminal, !isSilent { Console.note(words) }
                isSilent = true
                Console.resultScreen(screen.warn(words, now: now, size: size))
            case .back(let time):
                isSilent = false
                if !isTerminal { Console.note("\(endpoint) is back after \(Int(time.inSeconds.rounded())) s") }
                Console.resultScreen(screen.warn(nil, now: now, size: size))
            }
        }
    }
}
