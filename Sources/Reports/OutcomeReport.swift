package import Diagnostics
package import Scheduling

/// The last document of `render --json` and `submit --watch --json`.
package struct OutcomeReport: Encodable {
    /// The measurement of one sound.
    package struct MeasuredSound: Encodable {
        var sound: String
        /// The figures; nil where a later release tells others.
        var figures: LoudnessFigures?

        init(_ notice: Notice) {
            sound = notice.subject
            figures = LoudnessFigures(words: notice.reason.description)
        }
    }

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
    /// The same in numbers, one for each of `loudness`.
    var loudnessMeasured: [MeasuredSound]?
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
        let cached = min(report.chunksCached, report.work.chunksDone - report.copiedChunks)
        chunks = Chunks(
            total: report.work.chunks, rendered: report.work.chunksDone - report.copiedChunks - cached, cached: cached,
            passthrough: report.copiedChunks)
        loudness = report.measurements
        loudnessMeasured = loudness == nil ? nil : report.notices.filter(\.isMeasurement).map { MeasuredSound($0) }
        warnings = report.warnings.map { WarningReport($0) }
        error = report.error.map { FailureReport($0) }
    }
}

/// An error in the documents of `--json`.
package struct FailureReport: Encodable {
    var code: Int
    var message: String
    /// The words for what to do; nil where nothing is to be said.
    var hint: String?
    /// The composition's file, and the line and column there of what is wrong, from 1; nil where it is elsewhere.
    var file: String?
    var line: Int?
    var column: Int?

    package init(_ code: ErrorCode, message: String) {
        self.code = code.number
        self.message = message
    }

    package init(_ error: SplitreelError) {
        self.init(error.code, message: error.oneLine)
        hint = error.hint.isEmpty ? nil : error.hint.description.printable
        // A located error begins so, as compilers write it.
        if let place = error.subject.description.firstMatch(of: /^(.+?):([0-9]+):([0-9]+)(?:: |$)/) {
            file = String(place.1)
            line = Int(place.2)
            column = Int(place.3)
        }
    }
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
