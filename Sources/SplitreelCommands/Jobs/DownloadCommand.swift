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

            Without -o the coordinator tells where the job was submitted for. Folders must be there then, and hidden \
            ones are refused, as are names that no output has.
            """)
    @Argument(help: "The job's id.", completion: .jobs) var id: String
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file, or a folder (default: where it was submitted for).", valueName: "file"),
        completion: .file())
    var output: String?
    @Flag(help: "Replace another file of that name.") var overwrite = false
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let path = try output.map { try absolutePath($0) }
        let paths = try await fetchFilms(of: id, to: .named(path), overwrite: overwrite, by: client)
        if json { return try Console.json(["outputs": paths]) }
        for path in paths { Console.result(path.printable) }
    }
}

/// Fetches the films of a job that wait, and tells how far that is.
@discardableResult
func fetchFilms(
    of job: String, to places: FilmPlaces, overwrite: Bool, by client: FarmClient
) async throws -> [String] {
    let display = TransferDisplay("downloading")
    defer { display.end() }
    return try await client.fetchFilms(of: job, to: places, overwrite: overwrite) { display.show($0) }
}
