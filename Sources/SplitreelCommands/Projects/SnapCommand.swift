import ArgumentParser
import Coordinator
import Diagnostics
import Foundation
import JSONText
import MediaTime
import Preparation
import SplitreelFiles
import SplitreelProject
import Validation

struct SnapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snap", abstract: "Close gaps and overlaps of less than a frame between instructions.",
        discussion: """
            Each instruction starts where the previous one ends, the first at 0, the last ends with the composition; \
            ends decide. What moved is told on standard error. Larger faults stay as they are.

              splitreel snap cut.json -o cut.json --overwrite
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @Option(name: .shortAndLong, help: "The file to write. Left out: standard output.", completion: .composition)
    var output: String?

    @Option(help: "Faults of less than this are repaired, such as 0.1s. Default: one frame.")
    var tolerance: String?

    @Flag(help: "Replace the output if it exists.")
    var overwrite = false

    func run() throws {
        let limit = try tolerance.map { text in
            guard let time = MediaTime(text: text), time.isNumeric, time > .zero else {
                throw TimeOption.refused(text, "--tolerance takes a time above 0, such as 0.1s")
            }
            return time
        }
        let before = try CompositionFile.readable(path: composition)
        var after = before
        after.snapInstructions(tolerance: limit)
        let pairs = zip(before.video?.instructions ?? [], after.video?.instructions ?? [])
        var moved = 0
        for (index, (old, new)) in pairs.enumerated() where old.range != new.range {
            moved += 1
            Console.note("video.instructions[\(index)].range: \(text(old.range)) is now \(text(new.range))")
        }
        if moved == 0 { Console.note("nothing to move") }
        let faults: [ErrorCode] = [.instructionsDoNotTile, .instructionsTooShort, .instructionRangeInvalid]
        let left = after.validate(assets: nil, outputs: false).filter { faults.contains($0.code) }
        if !left.isEmpty {
            Console.warning("\(counted(left.count, "fault")) of a frame or more left: `splitreel validate` names them")
        }
        try writeComposition(after.json.prettyBytes(lineLength: 100), to: output, overwrite: overwrite)
    }

    private func text(_ range: TimeRange) -> String { "[\"\(range.start.text)\", \"\(range.duration.text)\"]" }
}
