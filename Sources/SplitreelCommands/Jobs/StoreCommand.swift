import ArgumentParser
import Diagnostics
import FarmClient
import Reports

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Show and remove uploaded media and waiting films at a coordinator.",
        discussion: """
            Media that nothing uses, and films that nobody fetches, are removed after seven days, or as \
            long as the coordinator's --store-days says. A key sees and removes its own.
            """,
        subcommands: [StoreStatCommand.self, StorePruneCommand.self])
}

struct StoreStatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stat", abstract: "Tell what the store holds.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let report = try await client.store()
        if json { return try Console.json(report) }
        Console.result("\(counted(report.files, "upload")): \(memoryText(report.bytes))")
        Console.result("\(counted(report.parts, "upload")) not whole: \(memoryText(report.partBytes))")
        Console.result("\(counted(report.films, "film")) waiting: \(memoryText(report.filmBytes))")
        Console.result("limit: \(memoryText(report.limit))")
        if report.keepsSeconds > 0 { Console.result("kept: \(keptText(report.keepsSeconds))") }
    }
}

struct StorePruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove uploads that no job needs.",
        discussion: "Films that wait, and uploads that are not whole, stay.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let report = try await client.store(prune: true)
        if json { return try Console.json(report) }
        let left = "\(counted(report.files, "upload")) left, \(memoryText(report.bytes)) of \(memoryText(report.limit))"
        Console.note("removed \(memoryText(report.removedBytes)); \(left)")
    }
}
