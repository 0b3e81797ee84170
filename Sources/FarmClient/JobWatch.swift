package import Reports

/// The news of a watch.
package enum JobNews: Sendable, Hashable {
    case report(JobReport)
    /// Nothing has come for so long, and it is asked again and again; told about once a second.
    case silence(Duration)
    /// The coordinator answers again, after so long.
    case back(after: Duration)
}

/// The news of a watch of all jobs.
package enum JobsNews: Sendable, Hashable {
    /// The list of jobs is to be asked for: the watch begins, or news may have been lost.
    case begins
    /// The jobs that have changed, without chunks.
    case changed([JobReport])
    /// Nothing has come for so long, and it is asked again and again; told about once a second.
    case silence(Duration)
    /// The coordinator answers again, after so long.
    case back(after: Duration)
}

/// The times at which a coordinator was heard and asked.
struct Hearing {
    /// The time at which the last answer came; before any, that of the question.
    private(set) var heard: ContinuousClock.Instant
    /// The time of the last question.
    var asked: ContinuousClock.Instant
    /// The time at which its silence was last told; nil where none was.
    private var toldSilence: ContinuousClock.Instant?

    init(asked: ContinuousClock.Instant) {
        heard = asked
        self.asked = asked
    }

    /// Notes an answer; answers how long the silence before it was, where that was told.
    mutating func hear() -> Duration? {
        let silence = toldSilence == nil ? nil : ContinuousClock.now - heard
        heard = .now
        toldSilence = nil
        return silence
    }

    /// The silence, where it lasts longer than `limit` and was not told within the last second.
    mutating func silence(_ now: ContinuousClock.Instant, after limit: Duration) -> Duration? {
        guard now - heard > limit, toldSilence.map({ now - $0 >= .seconds(1) }) ?? true else { return nil }
        toldSilence = now
        return now - heard
    }

    /// Leaves a time out of the silence: this process itself stood still.
    mutating func excuse(_ time: Duration) { heard += time }
}

/// One stream of a job's news.
struct JobWatch {
    let job: String
    let patience: Duration
    let out: AsyncThrowingStream<JobNews, any Error>.Continuation
    private(set) var last: JobReport?
    var hearing: Hearing
    /// The number of the last poll's request.
    var poll: UInt64 = 0

    init(
        job: String, patience: Duration, asked: ContinuousClock.Instant,
        out: AsyncThrowingStream<JobNews, any Error>.Continuation
    ) {
        self.job = job
        self.patience = patience
        self.out = out
        hearing = Hearing(asked: asked)
    }

    /// Answers whether the report says anything new.
    mutating func take(_ report: JobReport) -> Bool {
        if let silence = hearing.hear() { out.yield(.back(after: silence)) }
        defer { last = report }
        return report != last
    }

    /// Tells a silence that lasts longer than `limit`, once a second.
    mutating func tellSilence(_ now: ContinuousClock.Instant, after limit: Duration) {
        guard last != nil, let silence = hearing.silence(now, after: limit) else { return }
        out.yield(.silence(silence))
    }
}

/// One stream of the news of all jobs.
struct JobsWatch {
    let patience: Duration
    let out: AsyncThrowingStream<JobsNews, any Error>.Continuation
    private(set) var hasBegun = false
    var hearing: Hearing

    init(
        patience: Duration, asked: ContinuousClock.Instant, out: AsyncThrowingStream<JobsNews, any Error>.Continuation
    ) {
        self.patience = patience
        self.out = out
        hearing = Hearing(asked: asked)
    }

    mutating func take(_ jobs: [JobReport], begins: Bool) {
        if let silence = hearing.hear() { out.yield(.back(after: silence)) }
        hasBegun = true
        if begins { tell(.begins) }
        if !jobs.isEmpty { tell(.changed(jobs)) }
    }

    /// Tells a silence that lasts longer than `limit`, once a second.
    mutating func tellSilence(_ now: ContinuousClock.Instant, after limit: Duration) {
        guard hasBegun, let silence = hearing.silence(now, after: limit) else { return }
        out.yield(.silence(silence))
    }

    /// A reader that is so slow that it loses news is to ask for all of them.
    private func tell(_ news: JobsNews) {
        if case .dropped = out.yield(news) { out.yield(.begins) }
    }
}
