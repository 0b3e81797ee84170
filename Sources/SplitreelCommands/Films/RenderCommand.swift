import ArgumentParser
import Coordinator
import Diagnostics
import Foundation
import Isolation
import LocalFarm
import Outputs
import Planning
import Preparation
import Reports
import Scheduling

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render a composition here, on several worker processes.",
        discussion: """
            The same farm as coordinator, worker and submit, embedded: the frames are the same whatever the number \
            of workers. An interrupt (Ctrl-C) cancels and leaves nothing behind. Without -o all outputs of the \
            composition are made; those of one range are one job, which decodes and composes each frame once. \
            `-o -` writes the film to standard output, and --json's document to standard error: y4m and nut while \
            they are made; mp4 (in fragments), mkv and webm when they are whole. Where the reader leaves early, the \
            render ends without an error.

              splitreel render cut.json -o film.mp4
              splitreel render cut.json -o - --format nut | ffplay -
              splitreel render cut.json -o - --format mp4 | ssh host 'cat > film.mp4'
              splitreel render cut.json -o master.mkv --video-codec ffv1 --range 10s,5s

            Assets may be at addresses of s3:// and https://, and a film may go to s3://. It is made and checked here, \
            and appears there in one step:

              splitreel render cut.json -o s3://studio/films/cut.mp4

            Chunks that an earlier render made are taken from the cache: after an edit only what changed is rendered. \
            `splitreel cache` shows it.
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @OptionGroup var named: FilmOption
    @OptionGroup var options: OutputOptions
    @OptionGroup var telling: ProgressOptions
    @OptionGroup var remote: RemoteOptions
    @OptionGroup var caching: ChunkCacheOptions

    @Flag(help: "Make the output's folder if it is missing.")
    var parents = false

    @Option(help: "Worker processes (default: the cores, and as many as fit into the memory).")
    var workers: Int?

    @Flag(help: "End with one JSON document (for each job, one a line).")
    var json = false

    func validate() throws {
        if let workers, !(1...256).contains(workers) { throw ValidationError("--workers takes 1 to 256") }
    }

    func run() async throws {
        let interruption = Interruption()
        guard named.output == FilmOnOutput.name else {
            return try await withLastDocument(json, output: named.output) {
                try telling.begin()
                try await render(interruption)
            }
        }
        Console.keepStandardOutput()
        try await withLastDocument(json, output: named.output) {
            try telling.begin()
            let film = try FilmOnOutput(format: options.format)
            defer { film.remove() }
            try await render(interruption, on: film)
        }
    }

    private func requests(for file: CompositionFile, on film: FilmOnOutput?) throws -> [OutputRequest] {
        guard let film else { return try options.requests(for: file, film: named.output) }
        var options = options
        // A reader of a pipe cannot go back to an index.
        if film.container == .mp4 { options.fragmented = true }
        var requests = try options.requests(for: file, film: film.path)
        for index in requests.indices { requests[index].isPassedOn = film.isRaw }
        return requests
    }

    /// Renders the outputs; `film` goes to standard output.
    private func render(_ interruption: Interruption, on film: FilmOnOutput? = nil) async throws {
        let file = try CompositionFile(path: composition)
        let requests = try requests(for: file, on: film)
        guard !requests.isEmpty else {
            throw ValidationError("the composition names no output of its own: say -o FILM.mp4")
        }
        try file.tellRemarks(strict: options.strict)
        let way = try remote.way(for: file.project, requests, cache: caching.cache)
        var folders = MadeFolders()
        defer { folders.removeEmpty() }
        try file.locating {
            for request in requests { try refuseImpossible(file.project, request: request) }
            if film == nil {
                if parents { try folders.make(for: requests) } else { try MadeFolders.refuseMissing(for: requests) }
            }
            // A single output is checked in the same way by its coordinator.
            if requests.count > 1 {
                let prober = IsolatedProber(MediaChildren(door: way))
                try checkOutputs(requests, of: file.project, prober: prober, remote: way) { _ in
                    try interruption.check()
                }
            }
        }
        try interruption.check()
        let cache = try caching.open(remote.s3Endpoint)
        let farm = try await LocalFarm(
            workers: workers, remote: way, chunkCache: cache, logsErrors: true, calling: { $0.option })
        interruption.handOver(
            first: { farm.cancel() },
            second: { [folders] in
                farm.abandon()
                folders.removeEmpty()
                film?.remove()
            })
        film?.start { farm.cancel() }
        do {
            for outputs in requests.byJob() {
                try interruption.check()
                let job = try await farm.submit(file.project, outputs)
                var report = try await watch(job.id, job.news())
                try job.requireWorkers(report)
                if let film {
                    report.output = FilmOnOutput.name
                    if report.state.value == .completed { try await film.finish { try interruption.check() } }
                    try film.requireRoom()
                }
                if film?.hasReaderLeft == true {
                    try tellReaderLeft(OutcomeReport(report))
                } else {
                    try conclude(report, json: json, of: file)
                }
            }
        } catch {
            await farm.close()
            if error is Exit { throw error }
            try interruption.check()
            // Planning may last longer than anybody waits for its end.
            guard film?.hasReaderLeft == true else { throw error }
            try tellReaderLeft(OutcomeReport(state: .cancelled, output: FilmOnOutput.name))
            return
        }
        await farm.close()
    }

    private func tellReaderLeft(_ outcome: OutcomeReport) throws {
        Console.note("standard output was closed: stopped")
        if json { try Console.json(outcome) }
    }
}
