import ArgumentParser
import Diagnostics
import LocalFarm
import MediaFacts
import Outputs
import Planning
import Rendering
import SplitreelFiles

struct RenderChunkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render-chunk", abstract: "Make one task of a plan folder: a chunk, the sound, an analysis.",
        discussion: """
            `splitreel export --openjd` makes the folder and says which tasks it has: the chunks from 0 on, the \
            sound, then the parts of a long sound, then the analyses of a film of two passes. Analyses are made \
            before chunks, and parts before the sound; all else goes in any order, on any machine that sees the folder.

              splitreel render-chunk plan 0
              splitreel render-chunk plan sound
              for i in 0 1 2 3; do splitreel render-chunk plan $i; done

            A segment that is there and passes its checks is kept. One that is damaged is made again. Two processes \
            may make one task at a time; whatever ends them leaves no half segment under its name. An interrupt ends \
            with 7 and leaves nothing.
            """)

    @Argument(help: "The plan folder, or the plan.json in it.", completion: .directory)
    var plan: String

    @Argument(help: "The task's number, from 0; or `sound`.")
    var index: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The segment (default: its place in the folder, where `stitch` and other tasks look).",
            valueName: "segment"),
        completion: .file())
    var output: String?

    @Flag(help: "Make it anew, even where it is there and right.")
    var again = false

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp("A folder of sources that is elsewhere here; any number of times.", valueName: "from=to"))
    var maps: [String] = []

    @Option(
        help: ArgumentHelp(
            "The same as a file of Open Job Description, {{Session.PathMappingRulesFile}}.", valueName: "file"),
        completion: .file())
    var pathMapping: String?

    enum Progress: String, ExpressibleByArgument, CaseIterable { case text, openjd, none }

    @Option(help: "text, a line per second at most; openjd, the lines that its sessions read; or none.")
    var progress: Progress = .text

    @Flag(name: .customLong("no-sandbox"), help: "Do not confine the process that reads media.")
    var isFree = false

    @Flag(help: "One JSON document.")
    var json = false

    @OptionGroup var quietness: QuietOptions

    func run() throws {
        quietness.begin()
        let cancellation = Cancellation()
        let interruption = Interruption(first: { cancellation.cancel() })
        let folder = try PlanFolder(at: plan)
        let task = try folder.task(named: index)
        var manner = PlanFolder.Manner()
        manner.again = again
        manner.isConfined = !isFree
        manner.maps = try PathMaps(maps + (try pathMapping.map(PathMappingRules.texts) ?? []))
        let label = folder.label(ofTask: task)
        let lines = TaskProgress(progress, label: label)
        let result: PlanFolder.TaskResult
        do {
            result = try folder.render(
                task, to: try output.map(absolutePath), manner: manner, progress: { lines.tell($0, of: $1) },
                cancellation: cancellation)
        } catch {
            try interruption.check()
            throw error
        }
        var notices = NoticeList()
        for record in result.records { notices.add(record.notices) }
        for notice in notices.notices { Console.warning(notice) }
        if let fault = result.replaced { Console.note("\(label): replaced, since \(fault.printable)") }
        if result.wasThere { Console.note("\(label): is there already and right; --again makes it anew") }
        if json { return try Console.json(TaskReport(result, hash: SegmentSet.hash(of: result.records))) }
        Console.result(result.path.printable)
    }
}

/// The document of `render-chunk --json`.
struct TaskReport: Encodable {
    var task: Int
    /// `made`, or `kept` for a segment that was there.
    var state: String
    var segment: String
    /// The SHA-256 of its file, or of the sums of its files.
    var sha256: String
    /// The fault of a segment that was replaced; nil where there was none.
    var replaced: String?

    init(_ result: PlanFolder.TaskResult, hash: String) {
        task = result.task
        state = result.wasThere ? "kept" : "made"
        segment = result.path
        sha256 = hash
        replaced = result.replaced
    }
}
