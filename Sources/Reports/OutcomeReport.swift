package import Diagnostics
package import Scheduling

/// The last document of `render --json` and `submit --watch --json`.
package struct OutcomeReport: Encodable {
    package struct Chunks: Encodable {
        var total = 0
        var rendered = 0
        var cached = 0
        var passthrough = 0
    }

    var job: String
    var state: String
    /// The first output's path.
    var output: String
    /// The paths of all outputs, where there are several.
    var outputs: [String]?
    var frames = 0
    /// The samples of each channel, where sound is all that was made.
    var samples: Int?
    var seconds = 0.0
    var chunks = Chunks()
    var error: FailureReport?
    /// The measurements of sound that is to have a certain loudness.
    var loudness: [String]?
    var warnings: [WarningReport] = []

    /// The outcome of a job that ended before it was one, or whose coordinator is gone; `state` is nil where nobody
    /// knows it.
    package init(state: JobState?, job: String = "", output: String, error: FailureReport? = nil) {
        self.job = job
        self.state = state?.rawValue ?? "unknown"
        self.output = output
        self.error = error
    }

    package init(_ report: JobReport) {
        job = report.job
        state = report.state.word
        output = report.output
        outputs = report.severalOutputs
        frames = report.isOfSound ? 0 : report.work.frames
        samples = report.isOfSound ? report.work.frames : nil
        seconds = report.ended.map { max(0, $0 - report.submitted) } ?? 0
        chunks = Chunks(total: report.work.chunks, rendered: report.work.chunksDone)
        loudness = report.measurements
        warnings = report.warnings.map { WarningReport($0) }
        error = report.error.map { FailureReport($0) }
    }
}

/// An error in the documents of `--json`.
package struct FailureReport: Encodable {
    var code: Int
    var message: String

    package init(_ code: ErrorCode, message: String) {
        self.code = code.number
        self.message = message
    }

    package init(_ error: SplitreelError) { self.init(error.code, message: error.oneLine) }
}

/// A warning in the documents of `--json`.
package struct WarningReport: Encodable {
    var code: Int
    var message: String
    var subject: String
    var count: Int
    /// The first seconds, of the source where `subject` is a file, else of the film.
    var firstSeconds: Double?
    var hint: String?

    package init(_ notice: Notice) {
        code = notice.code.number
        message = notice.message
        subject = notice.subject
        count = notice.count
        firstSeconds = notice.firstSeconds
        hint = notice.hint
    }
}
