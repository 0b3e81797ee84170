package import Reports

/// The news of a watch.
package enum JobNews: Sendable, Hashable {
    case report(JobReport)
    /// Nothing has come for so long, and it is asked again and again; told about once a second.
    case silence(Duration)
    /// The coordinator answers again, after so long.
    case back(after: Duration)
}

/// One stream of a job's news.
struct JobWatch {
    let job: String
    let patience: Duration
    let out: AsyncThrowingStream<JobNews, any Error>.Continuation
    private(set) var last: JobReport?
    /// The time at which the last report came; before any, that at which it was asked for.
    private(set) var heard: ContinuousClock.Instant
    /// The time at which its silence was last told; nil where none was.
    private var toldSilence: ContinuousClock.Instant?
    var polled: ContinuousClock.Instant
    /// The number of the last poll's request.
    var poll: UInt64 = 0

    init(
        job: String, patience: Duration, asked: ContinuousClock.Instant,
        out: AsyncThrowingStream<JobNews, any Error>.Continuation
    ) {
        self.job = job
        self.patience = patience
        self.out = out
        heard = asked
        polled = asked
    }

    /// Answers whether the report says anything new.
    mutating func take(_ report: JobReport) -> Bool {
        if toldSilence != nil { out.yield(.back(after: .now - heard)) }
        (heard, toldSilence) = (.now, nil)
        defer { last = report }
        return report != last
    }

    /// Tells a silence that lasts longer than `limit`, once a second.
    mutating func tellSilence(_ now: ContinuousClock.Instant, after limit: Duration) {
        guard last != nil, now - heard > limit, toldSilence.map({ now - $0 >= .seconds(1) }) ?? true else { return }
        toldSilence = now
        out.yield(.silence(now - heard))
    }

    /// Leaves a time out of the silence: this process itself stood still.
    mutating func excuse(_ time: Duration) { heard += time }
}
