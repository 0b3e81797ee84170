import ArgumentParser
import Diagnostics
import FarmClient
import LocalFarm
import SplitreelFiles

struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetch the film of a job that waits at the coordinator.",
        discussion: """
            A film waits where the coordinator does not see the folder that it goes to; for seven days. What has come \
            is kept where this is interrupted, and the same command goes on with it. The film gets its name when all \
            of it is there and right.
            """)
    @Argument(help: "The job's id.", completion: .jobs) var id: String
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file (default: where it was submitted for).", valueName: "file"), completion: .file())
    var output: String?
    @Flag(help: "Replace another file of that name.") var overwrite = false
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let path = try output.map { try absolutePath($0) }
        let paths = try await fetchFilms(of: id, to: path, overwrite: overwrite, by: client)
        if json { return try Console.json(["outputs": paths]) }
        for path in paths { Console.result(path.printable) }
    }
}

/// Fetches the films of a job that wait, and tells how far that is.
@discardableResult
func fetchFilms(
    of job: String, to output: String? = nil, below folders: [String]? = nil, overwrite: Bool, by client: FarmClient
) async throws -> [String] {
    let display = TransferDisplay("downloading")
    defer { display.end() }
    return try await client.fetchFilms(of: job, to: output, below: folders, overwrite: overwrite) { display.show($0) }
}
