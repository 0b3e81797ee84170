import Diagnostics
import FarmProtocol
import Scheduling

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
