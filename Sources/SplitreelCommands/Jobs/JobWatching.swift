import ArgumentParser
import Diagnostics
import FarmClient
import Foundation
import MediaFacts
import MediaReading
import Preparation
import Reports
import Scheduling
import SplitreelFiles

extension JobReport {
    /// The result for people: its frames, or its sound.
    fileprivate var made: String {
        guard isOfSound else { return counted(work.frames, "frame") }
        // On another machine the file may not be at hand.
        guard let facts = try? probe(path: output) else { return "the sound" }
        return ForPeople.time(facts.duration) + " of sound"
    }
}

/// Runs a command that ends with one JSON document, so that there is one whatever goes wrong.
func withLastDocument(_ json: Bool, output: String?, _ body: () async throws -> Void) async throws {
    let isFile = output != FilmOnOutput.name
    let output = output.flatMap { isFile ? try? absoluteName($0) : nil } ?? output ?? ""
    do {
        try await body()
    } catch let exit as Exit {
        // The command has printed its document and what went wrong.
        throw exit
    } catch let error as SplitreelError where error.code == .cancelled {
        Console.note("cancelled")
        if json { try Console.json(OutcomeReport(state: .cancelled, output: output)) }
        throw Exit(.cancelled)
    } catch {
        guard json else { throw error }
        let error = (error as? SplitreelError)?.namingHost ?? error
        try Console.json(OutcomeReport(state: .failed, output: output, error: .init(any: error)))
        throw error
    }
}

extension FailureReport {
    /// The failure of an error; one that is not ours is a mistake in the options.
    init(any error: any Error) {
        if let error = error as? SplitreelError {
            self.init(error.inOptions)
        } else {
            self.init(.usage, message: Splitreel.message(for: error))
        }
    }
}

/// Watches a job of a coordinator and says how it ended. An interrupt ends the watching, not the job. `fetch` brings
/// the films of a job that is completed; `inOwnPaths` gives the last report the paths of this machine.
func follow(
    _ job: String, through client: FarmClient, endpoint: String, json: Bool, of file: CompositionFile? = nil,
    inOwnPaths: (JobReport) -> JobReport = { $0 }, fetch: () async throws -> Void = {}
) async throws {
    // Unstructured, since the handler has to reach it.
    let watching = Task { try await watch(job, through: client, waitingAt: endpoint) }
    let interruption = Interruption(first: { watching.cancel() })
    let report: JobReport?
    do {
        report = try await watching.value
    } catch {
        if !interruption.wasInterrupted { throw error }
        report = try? await client.job(job)
    }
    if let report, report.state.value == .cancelled {
        Console.note("somebody stopped job \(job.printable); nothing of its output is left")
    }
    if let report, report.isTerminal {
        if report.state.value == .completed { try await fetch() }
        return try conclude(inOwnPaths(report), json: json, of: file)
    }
    Console.note("job \(job.printable) goes on; `splitreel watch \(job.printable)` to look again")
    if json {
        let told = report.map { OutcomeReport(inOwnPaths($0)) }
        try Console.json(told ?? OutcomeReport(state: nil, job: job, output: ""))
    }
    throw Exit(.cancelled)
}

/// The time for which a silent coordinator is asked again and again: enough for a machine to start anew; a person can
/// interrupt.
let patienceOfWatching = Duration.seconds(3600)

/// Follows a job of a coordinator to its end with progress; returns the last report, an earlier one where the task is
/// cancelled. Says once where no worker is connected to the coordinator at `endpoint`.
func watch(
    _ job: String, through client: FarmClient, waitingAt endpoint: String
) async throws -> JobReport {
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
) async throws -> JobReport {
    let display = ProgressDisplay(coordinator: endpoint ?? "")
    defer { display.end() }
    var last: JobReport?
    var lonelyAt = endpoint
    for try await news in news {
        display.show(news)
        guard case .report(let report) = news else { continue }
        if let endpoint = lonelyAt, report.state.value == .waiting, await isLonely() {
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
func conclude(_ report: JobReport, json: Bool, of file: CompositionFile? = nil) throws {
    if json {
        var told = report
        told.error = report.error.map { file?.located($0) ?? $0 }
        try Console.json(OutcomeReport(told))
    }
    switch report.state.value {
    case .completed:
        Console.note(Console.paint("done", .green) + ": \(report.made) in \(report.timeTaken)" + report.warningCount)
        report.tellWarnings(isShort: true, of: file)
        guard !json, report.output != FilmOnOutput.name else { return }
        for output in report.severalOutputs ?? [report.output] { Console.result(output.printable) }
    default:
        report.tellWarnings(isShort: true, of: file)
        if let told = report.error, report.state.value != .cancelled {
            let error = file?.located(told) ?? told
            Console.error(error)
            throw Exit(error.code.exit)
        }
        let isCancelled = report.state.value == .cancelled
        isCancelled ? Console.note(report.state.word.printable) : Console.failure(report.state.word.printable)
        throw Exit(isCancelled ? .cancelled : .failed)
    }
}
