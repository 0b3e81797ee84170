import ArgumentParser
import Diagnostics
import Foundation
import LocalFarm
import Outputs
import Planning
import SplitreelFiles
import Threads

struct StitchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stitch", abstract: "Join the segments of a plan folder into the film.",
        discussion: """
            Verifies each segment, joins them with the sound, checks the film, and moves it to its place in one \
            step, as a coordinator does. The segments stay. Where some are missing it names them and ends with 1; \
            where some are damaged, with 8, and `splitreel render-chunk` makes those again.

              splitreel stitch plan -o film.mp4
              splitreel stitch plan -o film.mp4 --overwrite
              splitreel stitch plan parts/c0.nut parts/c1.nut parts/s.nut -o film.mp4

            Segments that are named stand for their tasks, in any order; the folder's own stand for the others. Their \
            records may be named too, as `parts/*` does.
            """)

    @Argument(help: "The plan folder, or the plan.json in it.", completion: .directory)
    var plan: String

    @Argument(help: "Segments that `render-chunk -o` put elsewhere.", completion: .file())
    var segments: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The film; a folder for several (default: where it was exported for).", valueName: "film"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace the output if it exists.")
    var overwrite = false

    @Flag(help: "One JSON document.")
    var json = false

    @OptionGroup var quietness: QuietOptions

    func run() throws {
        quietness.begin()
        let stop = WorkStop()
        let interruption = Interruption(first: { stop.stop() })
        let folder = try PlanFolder(at: plan)
        if let output { try ExportCommand.refuseAddress(output) }
        let path = try output.map(absolutePath)
        var isThere: ObjCBool = false
        if let path { _ = FileManager.default.fileExists(atPath: path, isDirectory: &isThere) }
        let outputs = try folder.placed(
            at: path, isFolder: isThere.boolValue || output?.hasSuffix("/") == true, overwrite: overwrite)
        let records: [SegmentRecord]
        do {
            records = try folder.stitch(outputs, segments: try segments.map(absolutePath), stop: stop)
        } catch {
            try interruption.check()
            throw error
        }
        var notices = NoticeList()
        for record in records { notices.add(record.notices) }
        for notice in notices.notices { Console.warning(notice) }
        if json { return try Console.json(StitchReport(outputs: outputs.map(\.path), folder: folder)) }
        for output in outputs { Console.result(output.path.printable) }
    }
}

/// The document of `stitch --json`.
struct StitchReport: Encodable {
    /// The first film, and all of them.
    var output: String
    var outputs: [String]
    var frames: Int
    var planHash: String

    init(outputs: [String], folder: PlanFolder) {
        output = outputs.first ?? ""
        self.outputs = outputs
        frames = folder.plan.frameCount
        planHash = folder.planHash
    }
}
