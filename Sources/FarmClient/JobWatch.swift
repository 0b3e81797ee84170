import FarmProtocol

/// One stream of a job's reports.
struct JobWatch {
    let job: String
    let patience: Duration
    let out: AsyncThrowingStream<Splitreel_Farm_JobReport, any Error>.Continuation
    private(set) var last: Splitreel_Farm_JobReport?
    /// When the last report came; before any, when it was asked for.
    private(set) var heard: ContinuousClock.Instant
    var polled: ContinuousClock.Instant
    /// The number of the last poll's request.
    var poll: UInt64 = 0

    init(
        job: String, patience: Duration, asked: ContinuousClock.Instant,
        out: AsyncThrowingStream<Splitreel_Farm_JobReport, any Error>.Continuation
    ) {
        self.job = job
        self.patience = patience
        self.out = out
        heard = asked
        polled = asked
    }

    /// Answers whether the report says anything new.
    mutating func take(_ report: Splitreel_Farm_JobReport) -> Bool {
        heard = .now
        defer { last = report }
        return report != last
    }

    static func isTerminal(_ report: Splitreel_Farm_JobReport) -> Bool {
        ["completed", "failed", "cancelled"].contains(report.state)
    }
}
