import ArgumentParser
import Diagnostics
import LocalFarm
import MediaFacts
import Planning
import Preparation
import SplitreelFiles
import SplitreelProject
import Threads

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show how a composition would be split, and why there.",
        discussion: """
            Takes render's options. Nothing is rendered; the output need not be writable.

              splitreel plan cut.json -o film.mp4

            A chunk's cost is an estimate of its work: 1 is a frame of one 1280x720 source shown at that size.
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @OptionGroup var film: FilmOption
    @OptionGroup var options: OutputOptions

    @Flag(help: "One JSON document for each output, one a line.")
    var json = false

    @OptionGroup var quietness: QuietOptions
    @OptionGroup var remote: RemoteOptions

    func run() throws {
        quietness.begin()
        remote.begin()
        let file = try CompositionFile(path: composition)
        var requests = try options.requests(for: file, film: film.output).filter { $0.stream == nil }
        if requests.isEmpty { requests = [try options.request(path: absolutePath("film.mp4"))] }
        try file.tellRemarks(strict: options.strict)
        var plans: [PreparedPlan] = []
        try file.locating { plans = try prepareShown(project: file.project, requests: requests) }
        let documents = json ? try planJSON(plans.map(\.plan)) : []
        for (index, (request, prepared)) in zip(requests, plans).enumerated() {
            for notice in prepared.notices.notices { Console.warning(notice, in: file) }
            if json {
                Console.json(encoded: documents[index])
            } else {
                let table = planTable(prepared.plan, workers: Self.workersHere)
                let title = plans.count > 1 ? "\(request.path.printable)\n" : ""
                // An empty line between two films, and none after the last.
                Console.result((index > 0 ? "\n" : "") + title + table)
            }
        }
    }
}

extension PlanCommand {
    /// The words for the chunks of so many bytes each that `render` has in hand at a time on this machine.
    private static func workersHere(_ bytes: Int) -> String {
        let share = MachineShare.current
        return ": \(share.workers(taking: bytes)) at a time here (\(share.words))"
    }
}

extension OutputOptions {
    /// The requests, one for each film: the one that is named, else every file output of the composition.
    func requests(for file: CompositionFile, film: String?) throws -> [OutputRequest] {
        var requests: [OutputRequest] = []
        for request in try paths(in: file, film) {
            do {
                requests += try request.streamed(of: file.project)
            } catch let error as SplitreelError {
                throw file.located(error.inKeys(of: request, in: file.project))
            }
        }
        for index in requests.indices { requests[index].compositionPath = file.path }
        return requests
    }

    private func paths(in file: CompositionFile, _ film: String?) throws -> [OutputRequest] {
        if let film { return [try request(path: absoluteName(film), isNamedFolder: film.hasSuffix("/"))] }
        let entries = file.project.outputs ?? []
        let asked = try entries.map { entry in
            guard let url = entry.url else {
                throw SplitreelError(
                    .compositionInvalid, operation: "reading outputs", subject: entry.id ?? "an output",
                    reason: "it has no url", hint: "give it one, or say -o FILM.mp4")
            }
            return try request(path: url.hasPrefix("/") ? absolutePath(url) : url)
        }
        return asked.sharedOut { $1.filled(from: entries[$0], at: $0) }
    }
}
