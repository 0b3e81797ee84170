import Diagnostics
import FarmClient
import FarmProtocol
import Foundation

/// The last document of `render --json` and `submit --watch --json`.
struct JobOutcome: Encodable {
    struct Chunks: Encodable {
        var total: Int
        var rendered: Int
        var cached: Int
        var passthrough: Int
    }
    struct Failure: Encodable {
        var code: Int
        var message: String
    }

    var job: String
    var state: String
    var output: String
    var frames: Int
    var seconds: Double
    var chunks: Chunks
    var error: Failure?

    init(_ report: Splitreel_Farm_JobReport) {
        job = report.job
        state = report.state
        output = report.output
        frames = Int(report.frames)
        seconds = report.ended > 0 ? max(0, report.ended - report.submitted) : 0
        chunks = Chunks(
            total: Int(report.counts.total), rendered: Int(report.counts.done), cached: 0, passthrough: 0)
        if report.hasProblem {
            let problem = SplitreelError(report.problem)
            error = Failure(code: problem.code.number, message: problem.oneLine)
        }
    }
}

extension SplitreelError {
    var oneLine: String {
        [code.title, subject, reason].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

/// Follows a job to its end with progress; returns the last report.
func watch(_ job: String, through client: FarmClient, quiet: Bool) async throws -> Splitreel_Farm_JobReport {
    var display = ProgressDisplay()
    var last: Splitreel_Farm_JobReport?
    for try await report in client.watch(job) {
        if !quiet { display.show(report) }
        last = report
    }
    display.clear()
    guard let last, last.isTerminal else {
        throw SplitreelError(
            .coordinatorUnreachable, operation: "watching", subject: "job \(job)",
            reason: "the coordinator stopped answering", hint: "`splitreel watch \(job)` goes on when it is back")
    }
    return last
}

/// Says how a job ended and throws the exit status that belongs to it.
func conclude(_ report: Splitreel_Farm_JobReport, json: Bool) throws {
    for warning in report.warnings { Console.warning(warning) }
    if json { try Console.json(JobOutcome(report)) }
    switch report.state {
    case "completed":
        let seconds = max(0, report.ended - report.submitted)
        Console.note(
            Console.paint("done", .green)
                + String(format: ": %d frames in %.1f s", Int(report.frames), seconds))
        if !json { Console.result(report.output) }
    default:
        if report.hasProblem && report.state != "cancelled" {
            let error = SplitreelError(report.problem)
            Console.error(error)
            throw Exit(error.code.exit)
        }
        Console.note(report.state)
        throw Exit(report.state == "cancelled" ? .cancelled : .failed)
    }
}
