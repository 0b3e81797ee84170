import ArgumentParser
import Coordinator
import Diagnostics
import FarmClient
import Isolation
import LocalFarm
import Planning
import Preparation
import SplitreelFiles
import SplitreelProject

struct SubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Hand a render to a coordinator; prints the job's id.",
        discussion: """
            URLs are made absolute by the composition's folder, the output by the current one. Without -o all outputs \
            of the composition are made; those of one range are one job. Before the job is handed over its media \
            are read here, and the place of the output is looked at: exit status 4 or 5 where they cannot be used.

            Media that the coordinator does not see under their paths are uploaded to its store. Where it does not see \
            the folder of the output, the film waits there for seven days: it comes here at the end with --watch, \
            else by `splitreel download ID`. --map FROM=TO tells the coordinator TO for a folder FROM of this machine, \
            where it sees the same files there.
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @OptionGroup var film: FilmOption
    @OptionGroup var options: OutputOptions
    @OptionGroup var coordinator: ConnectOptions
    @OptionGroup var mapping: MapOptions
    @OptionGroup var telling: ProgressOptions

    @Flag(help: "Make the output's folder if it is missing.")
    var parents = false

    @Flag(name: .customLong("no-check"), help: "Leave media and output to the coordinator, which sees other files.")
    var leavesOutCheck = false

    @Option(help: "0…100, higher first.")
    var priority = 50

    @Flag(help: "Stay and show progress until the job ends.")
    var watch = false

    @Flag(help: "With --watch: end with one JSON document; else the id in one.")
    var json = false

    func validate() throws {
        guard film.output != FilmOnOutput.name else {
            throw ValidationError("-o - is for `render`: a coordinator writes files")
        }
        if telling.progress == .json, !watch { throw ValidationError("--progress goes with --watch") }
        guard (0...100).contains(priority) else { throw ValidationError("--priority takes 0 to 100") }
    }

    func run() async throws {
        try await withLastDocument(json, output: film.output) {
            try telling.begin()
            try await submit()
        }
    }

    private func submit() async throws {
        let maps = try mapping.checked()
        let file = try CompositionFile(path: composition)
        let requests = try options.requests(for: file, film: film.output)
        guard !requests.isEmpty else {
            throw ValidationError("the composition names no output of its own: say -o FILM.mp4")
        }
        try file.tellRemarks(strict: options.strict)
        try file.locating { for request in requests { try refuseImpossible(file.project, request: request) } }
        let client = try coordinator.client()
        defer { client.close() }
        var folders = MadeFolders()
        var jobs: [(id: String, brought: BroughtJob, outputs: [OutputRequest])] = []
        do {
            // A coordinator that is not there is told before anything is read or made.
            if parents || !leavesOutCheck { _ = try await client.workers() }
            if parents { try folders.make(for: requests) }
            if !leavesOutCheck { try check(requests, of: file) }
            for outputs in requests.byJob() {
                let brought = try await bring(file.project, outputs, maps, by: client)
                let id = try await client.submit(brought, priority: priority)
                jobs.append((id, brought, outputs))
                try tell(id, waits: brought.filmsWait)
            }
        } catch {
            // A job that was taken may write there.
            if jobs.isEmpty { folders.removeEmpty() }
            throw error
        }
        guard watch else { return }
        for job in jobs {
            try await follow(
                job.id, through: client, endpoint: coordinator.settings().endpoint, json: json, of: file,
                inOwnPaths: job.brought.inOwnPaths
            ) {
                guard job.brought.filmsWait else { return }
                let overwrite = job.outputs.contains(where: \.overwrite)
                try await fetchFilms(of: job.id, to: .outputs(job.outputs), overwrite: overwrite, by: client)
            }
        }
    }

    /// Uploads what the coordinator does not see; with --no-check it gets the paths, mapped, as they are.
    private func bring(
        _ project: Project, _ outputs: [OutputRequest], _ maps: PathMaps, by client: FarmClient
    ) async throws -> BroughtJob {
        guard !leavesOutCheck else { return BroughtJob(project: project, outputs: outputs, maps: maps) }
        // An answer tells whether the coordinator has a store.
        let display = TransferDisplay("uploading")
        defer { display.end() }
        return try await client.bring(project, outputs, maps: maps) { display.show($0) }
    }

    /// Refuses what cannot be seen or written from here, as a render would.
    private func check(_ requests: [OutputRequest], of file: CompositionFile) throws {
        // The coordinator has the credentials and the roots: it tells what cannot be read or written.
        if file.project.namesAddresses || requests.contains(where: { $0.path.isRemoteName }) {
            return try MadeFolders.refuseMissing(for: requests)
        }
        do {
            try file.locating {
                try MadeFolders.refuseMissing(for: requests)
                try checkOutputs(requests, of: file.project, prober: IsolatedProber(MediaChildren()))
            }
        } catch let error as SplitreelError where [.mediaUnreadable, .outputUnusable].contains(error.code.exit) {
            Console.note("nothing was submitted; --no-check leaves it to the coordinator, which may see other files")
            throw error
        }
    }

    private func tell(_ job: String, waits: Bool) throws {
        if waits, !watch {
            let command = "splitreel download \(job.printable)"
            Console.note("the coordinator does not see the output's folder; `\(command)` fetches the film")
        }
        if watch {
            Console.note("job \(job.printable)")
        } else if json {
            try Console.json(["job": job])
        } else {
            Console.result(job.printable)
        }
    }
}
