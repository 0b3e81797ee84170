import ArgumentParser
import Diagnostics
import Foundation
import Planning
import Stitching

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a film: frames, timestamps, rate, sound length, layout.",
        discussion: """
            With --plan (the output of `splitreel plan --json` will not do; use the plan.json of the job) the film is \
            held against what was asked for. Exit status 8 where a check fails.
            """)

    @Argument(help: "The film.")
    var file: String

    @Option(help: "The frozen plan that the film was made from.")
    var plan: String?

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
        let plan = try plan.map { try RenderPlan.decode(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        let report = try verifyFilm(path: absolutePath(file), plan: plan, decoding: true)
        if json {
            try Console.json(report)
        } else {
            for check in report.checks {
                let mark = check.ok ? Console.paint("ok    ", .green) : Console.paint("FAILED", .red)
                Console.result("\(mark) \(check.name): \(check.detail)")
            }
        }
        if !report.ok { throw Exit(.verificationFailed) }
    }
}
