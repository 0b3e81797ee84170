import ArgumentParser
import Diagnostics
import FarmClient
import FarmProtocol
import Foundation
import MediaFacts
import MediaReading
import Preparation
import Scheduling
import SplitreelFiles

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
    /// The first output's path.
    var output: String
    /// The paths of all outputs, where there are several.
    var outputs: [String]?
    var frames: Int
    /// The samples of each channel, where sound is all that was made.
    var samples: Int?
    var seconds: Double
    var chunks: Chunks
    var error: Failure?
    /// The measurements of sound that is to have a certain loudness.
    var loudness: [String]?
    var warnings: [WarningDocument] = []

    /// The outcome of a job that ended before it was one, or whose coordinator is gone; `state` is nil where nobody
    /// knows it.
    init(state: JobState?, job: String = "", output: String, error: Failure? = nil) {
        (self.job, self.state, self.output, self.error) = (job, state?.rawValue ?? "unknown", output, error)
        (frames, seconds) = (0, 0)
        chunks = Chunks(total: 0, rendered: 0, cached: 0, passthrough: 0)
    }

    init(_ report: Splitreel_Farm_JobReport) {
        job = report.job
        state = report.state
        output = report.output
        outputs = report.severalOutputs
        frames = report.isOfSound ? 0 : Int(report.frames)
        samples = report.isOfSound ? Int(clamping: report.frames) : nil
        seconds = report.ended > 0 ? max(0, report.ended - report.submitted) : 0
        chunks = Chunks(
            total: Int(report.counts.total), rendered: Int(report.counts.done), cached: 0, passthrough: 0)
        loudness = report.measurements
        warnings = report.warnings.map { WarningDocument($0) }
        if report.hasProblem {
            let problem = SplitreelError(report.problem)
            error = Failure(code: problem.code.number, message: problem.oneLine)
        }
    }
}

extension Splitreel_Farm_JobReport {
    /// Whether only sound was made. A job without chunks has no picture: its units are samples.
    fileprivate var isOfSound: Bool { counts.total == 0 && frames > 0 }

    /// The result for people: its frames, or its sound.
    fileprivate var made: String {
        guard isOfSound else { return counted(Int(clamping: frames), "frame") }
        // On another machine the file may not be at hand.
        guard let facts = try? probe(path: output) else { return "the sound" }
        return ForPeople.time(facts.duration) + " of sound"
    }

    /// The paths of all outputs, where there are several.
    package var severalOutputs: [String]? { outputs.count > 1 ? outputs : nil }
}

/// Runs a command that ends with one JSON document, so that there is one whatever goes wrong.
func withLastDocument(_ json: Bool, output: String?, _ body: () async throws -> Void) async throws {
    let isFile = output != FilmOnOutput.name
    let output = output.flatMap { isFile ? try? absolutePath($0) : nil } ?? output ?? ""
    do {
        try await body()
    } catch let exit as Exit {
        // The command has printed its document and what went wrong.
        throw exit
    } catch let error as SplitreelError where error.code == .cancelled {
        Console.note("cancelled")
        if json { try Console.json(JobOutcome(state: .cancelled, output: output)) }
        throw Exit(.cancelled)
    } catch {
        if json { try Console.json(JobOutcome(state: .failed, output: output, error: .init(any: error))) }
        throw error
    }
}

extension JobOutcome.Failure {
    /// The failure of an error; one that is not ours is a mistake in the options.
    init(any error: any Error) {
        if let error = error as? SplitreelError {
            self.init(error)
        } else {
            self.init(code: ErrorCode.usage.number, message: Splitreel.message(for: error))
        }
    }
}

/// Watches a job of a coordinator and says how it ended. An interrupt ends the watching, not the job.
func follow(
    _ job: String, through client: FarmClient, endpoint: String, json: Bool, of file: CompositionFile? = nil
) async throws {
    // Unstructured, since the handler has to reach it.
    let watching = Task { try await watch(job, through: client, waitingAt: endpoint) }
    let interruption = Interruption(first: { watching.cancel() })
    let report: Splitreel_Farm_JobReport?
    do {
        report = try await watching.value
    } catch {
        if !interruption.wasInterrupted { throw error }
        report = try? await client.job(job)
    }
    if let report, report.jobState == .cancelled {
        Console.note("somebody stopped job \(job.printable); nothing of its output is left")
    }
    if let report, report.isTerminal { return try conclude(report, json: json, of: file) }
    Console.note("job \(job.printable) goes on; `splitreel watch \(job.printable)` to look again")
    if json {
        try Console.json(report.map(JobOutcome.init) ?? JobOutcome(state: nil, job: job, output: ""))
    }
    throw Exit(.cancelled)
}

/// The time for which a silent coordinator is asked again and again: enough for a machine to start anew; a person can
/// interrupt.
private let patienceOfWatching = Duration.seconds(3600)

/// Follows a job of a coordinator to its end with progress; returns the last report, an earlier one where the task is
/// cancelled. Says once where no worker is connected to the coordinator at `endpoint`.
func watch(
    _ job: String, through client: FarmClient, waitingAt endpoint: String
) async throws -> Splitreel_Farm_JobReport {
    try await watch(job, client.watch(job, patience: patienceOfWatching), waitingAt: endpoint) {
        (try? await client.workers())?.isEmpty == true
    }
}

/// Follows a job's news to its end with progress; returns the last report, an earlier one where the task is cancelled.
///
/// - Parameters:
///   - endpoint: the coordinator's, to say once that no worker is connected to it; nil says nothing.
///   - isLonely: whether none is.
func watch(
    _ job: String, _ news: AsyncThrowingStream<JobNews, any Error>, waitingAt endpoint: String? = nil,
    isLonely: () async -> Bool = { false }
) async throws -> Splitreel_Farm_JobReport {
    let display = ProgressDisplay(coordinator: endpoint ?? "")
    defer { display.end() }
    var last: Splitreel_Farm_JobReport?
    var lonelyAt = endpoint
    for try await news in news {
        display.show(news)
        guard case .report(let report) = news else { continue }
        if let endpoint = lonelyAt, report.jobState == .waiting, await isLonely() {
            display.say("waiting for a worker (none is connected to \(endpoint.printable))")
            lonelyAt = nil
        }
        last = report
    }
    guard let last, last.isTerminal || Task.isCancelled else {
        throw SplitreelError(
            .coordinatorUnreachable, operation: "watching", subject: "job \(job)",
            reason: "the coordinator stopped answering", hint: "`splitreel watch \(job)` goes on when it is back")
    }
    return last
}

/// Says how a job ended and throws the exit status that belongs to it.
///
/// - Parameter file: the composition, where it is at hand: a problem in it then tells its line and column.
func conclude(_ report: Splitreel_Farm_JobReport, json: Bool, of file: CompositionFile? = nil) throws {
    if json { try Console.json(JobOutcome(report)) }
    switch report.jobState {
    case .completed:
        let seconds = max(0, report.ended - report.submitted)
        Console.note(
            Console.paint("done", .green) + ": \(report.made) in "
                + String(format: "%.1f s", seconds) + report.warningCount)
        report.tellWarnings(isShort: true, of: file)
        guard !json, report.output != FilmOnOutput.name else { return }
        for output in report.severalOutputs ?? [report.output] { Console.result(output.printable) }
    default:
        report.tellWarnings(isShort: true, of: file)
        if report.hasProblem && report.jobState != .cancelled {
            var error = SplitreelError(report.problem)
            error = file?.located(error) ?? error
            Console.error(error)
            throw Exit(error.code.exit)
        }
        Console.note(report.state.printable)
        throw Exit(report.jobState == .cancelled ? .cancelled : .failed)
    }
}
