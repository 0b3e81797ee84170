import ArgumentParser
import Coordinator
import Diagnostics
import Foundation
import Isolation
import Logging
import Planning
import Preparation

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render a composition here, on several worker processes.",
        discussion: """
            The same farm as coordinator, worker and submit, embedded: the frames are the same whatever the number \
            of workers. An interrupt (Ctrl-C) cancels and leaves nothing behind. Without -o all outputs of the \
            composition are made; those of one range are one job, which decodes and composes each frame once.

              splitreel render cut.json -o film.mp4
              splitreel render cut.json -o master.mkv --video-codec ffv1 --range 10s,5s
            """)

    @Argument(help: "The composition file.")
    var composition: String

    @OptionGroup var options: OutputOptions

    @Option(help: "Worker processes (default: the cores, at most one per GiB of memory).")
    var workers: Int?

    @Flag(help: "End with one JSON document (for each job, one a line).")
    var json = false

    func validate() throws {
        if let workers, !(1...256).contains(workers) { throw ValidationError("--workers takes 1 to 256") }
    }

    func run() async throws {
        let interruption = Interruption()
        try await withLastDocument(json, output: options.output) { try await render(interruption) }
    }

    private func render(_ interruption: Interruption) async throws {
        let file = try CompositionFile(path: composition)
        let requests = try options.requests(for: file)
        guard !requests.isEmpty else {
            throw ValidationError("the composition names no output of its own: say -o FILM.mp4")
        }
        try file.tellRemarks(strict: options.strict)
        try file.locating {
            for request in requests { try refuseImpossible(file.project, request: request) }
            // A single output is checked in the same way by its coordinator.
            if requests.count > 1 {
                try checkOutputs(requests, of: file.project, prober: IsolatedProber(MediaChildren())) { _ in
                    try interruption.check()
                }
            }
        }
        try interruption.check()
        let farm = try await EmbeddedFarm(workers: workers ?? Machine.defaultWorkers)
        interruption.handOver(first: { farm.cancel() }, second: { farm.abandon() })
        do {
            for outputs in requests.byJob() {
                try interruption.check()
                try conclude(try await farm.render(file.project, requests: outputs), json: json, of: file)
            }
        } catch {
            await farm.close()
            if !(error is Exit) { try interruption.check() }
            throw error
        }
        await farm.close()
    }
}

enum Machine {
    /// The cores, at most one worker per GiB of memory.
    static var defaultWorkers: Int {
        let information = ProcessInfo.processInfo
        let gibibytes = Int(information.physicalMemory >> 30)
        return max(1, min(information.activeProcessorCount, gibibytes))
    }
}
