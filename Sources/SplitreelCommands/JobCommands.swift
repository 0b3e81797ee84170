import ArgumentParser
import Diagnostics
import FarmClient
import FarmProtocol
import Foundation
import Scheduling

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "jobs", abstract: "List a coordinator's jobs.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let jobs = try await client.jobs()
        if json { return try Console.json(jobs.map { JobDocument($0) }) }
        if jobs.isEmpty { Console.note("no jobs; `splitreel submit COMP.json -o FILM.mp4` makes one") }
        if !jobs.isEmpty { Console.result(JobTables.jobs(jobs, now: Date().timeIntervalSince1970)) }
    }
}

struct JobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "job", abstract: "Show one job and its chunks.")
    @Argument(help: "The job's id.") var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let job = try await client.job(id)
        if json { return try Console.json(JobDocument(job)) }
        Console.result(JobTables.job(job, now: Date().timeIntervalSince1970))
        job.tellWarnings(isShort: false)
        if job.hasProblem { Console.error(SplitreelError(job.problem)) }
    }
}

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Follow a job to its end.",
        discussion: "The exit status is the job's. An interrupt stops the watching, not the job.")
    @Argument(help: "The job's id.") var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "End with one JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        _ = try await client.job(id)
        try await follow(id, through: client, endpoint: coordinator.settings().endpoint, json: json)
    }
}

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stop a job; nothing of its output is left.",
        discussion: "The exit status is 1 where the job has ended in another way already, or is about to.")
    @Argument(help: "The job's id.") var id: String
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let report = try await client.cancel(id)
        let isCancelled = report.jobEnding == .cancelled || report.jobState == .cancelled
        let state = isCancelled ? JobState.cancelled.rawValue : report.state
        if json { try Console.json(["job": id, "state": state]) }
        guard !isCancelled else {
            if !json { Console.note("cancelled \(id.printable)") }
            return
        }
        let name = id.printable
        Console.note(
            report.isTerminal ? "\(name) is already \(state.printable)" : "\(name) is ending: too late to cancel")
        throw Exit(.failed)
    }
}

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "workers", abstract: "List a coordinator's workers.")
    @OptionGroup var coordinator: ConnectOptions
    @Flag(help: "One JSON document.") var json = false

    struct Document: Encodable {
        var name: String
        var state: String
        var slots: Int
        var current: [String]
        var framesPerSecond: Double
        var remarks: [String]
    }

    func run() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let reports = try await client.workers()
        let workers = reports.map {
            Document(
                name: $0.name, state: $0.state, slots: Int($0.slots), current: $0.current,
                framesPerSecond: $0.framesPerSecond, remarks: $0.remarks)
        }
        if json { return try Console.json(workers) }
        if workers.isEmpty {
            let endpoint = try coordinator.settings().endpoint.printable
            return Console.note("no workers; `splitreel worker --connect \(endpoint)` adds one")
        }
        Console.result(JobTables.workers(reports))
    }
}

/// The document of `job ID --json`, and the elements of `jobs --json`.
struct JobDocument: Encodable {
    struct Chunk: Encodable {
        var index: Int
        var kind: String
        var state: String
        var attempt: Int
        var worker: String
        var firstFrame: Int
        var frameCount: Int
        var framesDone: Int
        var started: Double?
        var ended: Double?
        var error: JobOutcome.Failure?
    }

    var job: String
    var name: String
    var state: String
    var priority: Int
    var progress: Double
    /// The first output's path.
    var output: String
    /// The paths of all outputs, where there are several.
    var outputs: [String]?
    var frames: Int
    var framesDone: Int
    var framesPerSecond: Double
    var submitted: Double
    var ended: Double?
    var chunks: [Chunk]
    var error: JobOutcome.Failure?
    var warnings: [WarningDocument]
    /// The reasons why chunks wait although workers are there.
    var remarks: [String]

    init(_ report: Splitreel_Farm_JobReport) {
        job = report.job
        name = report.name
        state = report.state
        priority = Int(report.priority)
        let work = report.workDone
        progress = work.fraction
        output = report.output
        outputs = report.severalOutputs
        frames = work.frames
        framesDone = work.framesDone
        framesPerSecond = report.framesPerSecond
        submitted = report.submitted
        ended = report.ended > 0 ? report.ended : nil
        warnings = report.warnings.map { WarningDocument($0) }
        remarks = report.remarks
        error = report.hasProblem ? JobOutcome.Failure(SplitreelError(report.problem)) : nil
        chunks = report.chunks.map { chunk in
            Chunk(
                index: Int(chunk.index), kind: chunk.kind, state: chunk.state, attempt: Int(chunk.attempt),
                worker: chunk.worker, firstFrame: Int(chunk.firstFrame), frameCount: Int(chunk.frameCount),
                framesDone: Int(chunk.unitsDone), started: chunk.started > 0 ? chunk.started : nil,
                ended: chunk.ended > 0 ? chunk.ended : nil,
                error: chunk.hasLastProblem ? JobOutcome.Failure(SplitreelError(chunk.lastProblem)) : nil)
        }
    }
}

extension JobOutcome.Failure {
    init(_ error: SplitreelError) {
        self.init(code: error.code.number, message: error.oneLine)
    }
}
