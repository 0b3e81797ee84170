import ArgumentParser
import Diagnostics
import Foundation
import Planning
import Stitching

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a film: frames, timestamps, rate, sound length, layout.",
        discussion: """
            With --plan the film is held against what was asked for. Exit status 8 where a check fails. What is
            damaged in the film is told with its times, at most 32 stretches of it.

              splitreel plan cut.json -o film.mp4 --json > plan.json
              splitreel verify film.mp4 --plan plan.json
            """)

    @Argument(help: "The film.")
    var file: String

    @Option(help: "What `splitreel plan --json` printed for the film.")
    var plan: String?

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
        let plan = try plan.map(readPlan)
        let report = try checked(plan)
        if json {
            try Console.json(VerifyDocument(report))
        } else {
            for check in report.checks {
                let mark = check.ok ? Console.paint("ok    ", .green) : Console.paint("FAILED", .red)
                Console.result("\(mark) \(check.name.printable): \(check.detail.printable)")
            }
            for warning in report.warnings { Console.warning(warning.message.printable) }
        }
        if !report.ok { throw Exit(.verificationFailed) }
    }

    private func checked(_ plan: RenderPlan?) throws -> VerifyReport {
        do {
            return try verifyFilm(path: absolutePath(file), plan: plan, decoding: true)
        } catch var error as SplitreelError where error.hint.isEmpty && file.lowercased().hasSuffix(".json") {
            error.hint = "verify checks a film; `splitreel validate \(file)` checks a composition"
            throw error
        }
    }

    private func readPlan(_ path: String) throws -> RenderPlan {
        let absolute = try absolutePath(path)
        guard FileManager.default.fileExists(atPath: absolute) else {
            throw SplitreelError(
                .usage, operation: "reading the plan", subject: path, reason: "there is no such file",
                hint: "`splitreel plan COMP.json -o FILM.mp4 --json` prints a plan")
        }
        do {
            return try planToVerify(try Data(contentsOf: URL(fileURLWithPath: absolute)))
        } catch {
            throw SplitreelError(
                .usage, operation: "reading the plan", subject: path, reason: "it is not a plan",
                hint: "`splitreel plan COMP.json -o FILM.mp4 --json` prints one")
        }
    }
}

/// What `verify --json` prints.
private struct VerifyDocument: Encodable {
    var ok: Bool
    var frames: Int
    var checks: [VerifyReport.Check]
    var warnings: [WarningDocument]

    init(_ report: VerifyReport) {
        (ok, frames, checks) = (report.ok, report.frames, report.checks)
        warnings = report.warnings.map(WarningDocument.init)
    }
}
