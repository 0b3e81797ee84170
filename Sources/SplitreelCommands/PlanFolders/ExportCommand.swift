import ArgumentParser
import Coordinator
import Diagnostics
import LocalFarm
import Planning
import Preparation
import SplitreelFiles

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a render as a folder of tasks that other engines run.",
        discussion: """
            Plans the film as `render` does and writes the plan folder: the plan, a job template for Open Job \
            Description, and the indexes of the sources. `splitreel render-chunk` makes one task of it, `splitreel \
            stitch` the film. No coordinator is needed, and the film is the same to the bit.

              splitreel export --openjd cut.json -o plan --film film.mp4
              openjd run plan/template.json
              splitreel export --openjd cut.json -o plan --film film.mkv --json

            The sources stay where they are: machines that run tasks see them under the same paths, or under those \
            of path mapping rules. The outputs of a composition must be of one range; --film names one of your own.
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @Flag(help: "For Open Job Description (jobtemplate-2023-09); the tasks serve Slurm, Make and others too.")
    var openjd = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder to make. With --overwrite it may hold an older plan.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(
        help: """
            The film that the tasks make, such as film.mp4, with the endings of render's -o. Left out: the \
            composition's own outputs, or film.mp4 in the folder.
            """, completion: .file())
    var film: String?

    @OptionGroup var options: OutputOptions

    @Flag(help: "One JSON document: the files, and the numbers of the tasks.")
    var json = false

    @OptionGroup var quietness: QuietOptions

    func validate() throws {
        guard openjd else { throw ValidationError("export takes --openjd: there is no other form yet") }
    }

    func run() throws {
        quietness.begin()
        let folder = try absolutePath(output)
        let file = try CompositionFile(path: composition)
        var requests = try options.requests(for: file, film: film)
        if requests.isEmpty { requests = try options.requests(for: file, film: folder + "/film.mp4") }
        guard requests.byJob().count == 1 else {
            throw SplitreelError(
                .usage, operation: "exporting", subject: composition,
                reason: "its outputs are \(requests.byJob().count) jobs, of other ranges, rates or passes",
                hint: "export them one by one: say --film FILM.mp4")
        }
        for request in requests { try Self.refuseAddress(request.path) }
        // Whether the film may be replaced is for `stitch` to say.
        for index in requests.indices { requests[index].overwrite = false }
        try file.tellRemarks(strict: options.strict)
        var made: PlanFolder.Made?
        try file.locating {
            for request in requests { try refuseImpossible(file.project, request: request) }
            made = try PlanFolder.make(
                at: folder, project: file.project, requests: requests, overwrite: options.overwrite)
        }
        guard let made else { return }
        for notice in made.notices.notices { Console.warning(notice, in: file) }
        if json { return try Console.json(ExportReport(made)) }
        for document in made.documents { Console.result(document.printable) }
        Console.note(ExportReport(made).tasks.words)
        Console.note("try next: openjd run \(made.documents[0].printable)")
    }
}

extension ExportCommand {
    /// Throws `.usage` for a film at an address: only a coordinator has the keys to send it there.
    static func refuseAddress(_ film: String) throws {
        guard film.isRemoteName else { return }
        throw SplitreelError(
            .usage, operation: "naming the output", subject: film,
            reason: "a plan folder makes films in folders, and this is an address",
            hint: "name a file, and copy it there afterwards")
    }
}

/// The document of `export --json`.
struct ExportReport: Encodable {
    /// The numbers of tasks as texts such as `0-39`, as arrays of Slurm take them; nil where there are none.
    struct Tasks: Encodable {
        var count: Int
        var analyses: String?
        var soundParts: String?
        var chunks: String?
        var sound: String?

        /// The tasks in a line for people, in the order in which they can be run.
        var words: String {
            let kinds = [("analyses", analyses), ("sound parts", soundParts), ("chunks", chunks), ("sound", sound)]
            let told = kinds.compactMap { kind, numbers in numbers.map { "\(kind) \($0)" } }
            return "\(counted(count, "task")): \(told.joined(separator: ", "))"
        }
    }

    var folder: String
    var template: String
    var sources: String
    var planHash: String
    var tasks: Tasks
    /// The films' paths, as they were asked for.
    var outputs: [String]

    init(_ made: PlanFolder.Made) {
        let plan = made.folder.plan
        func text(_ tasks: some Collection<Int>) -> String? {
            tasks.isEmpty ? nil : PlanFolder.list(tasks, separator: ",")
        }
        folder = made.folder.path
        template = made.documents[0]
        sources = made.documents[1]
        planHash = made.folder.planHash
        tasks = Tasks(
            count: plan.taskCount - plan.copiedChunkCount, analyses: text(plan.analysisTasks),
            soundParts: text(plan.soundPartTasks),
            chunks: text(plan.renderedChunks), sound: plan.soundTask.map { "\($0)" })
        outputs = made.folder.requests.map(\.path)
    }
}
