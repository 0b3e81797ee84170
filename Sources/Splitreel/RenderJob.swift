import Diagnostics
import FarmClient
import LocalFarm
import Reports
import Scheduling

/// A job of a `RenderFarm`: one film that is made. Safe from any task.
public final class RenderJob: Sendable {
    private let job: LocalJob

    init(_ job: LocalJob) { self.job = job }

    /// The job's progress from now on; see `RenderProgressSequence`.
    public func progress() -> RenderProgressSequence { RenderProgressSequence(job: job) }

    /// Waits until the film is made; answers the paths of its files, the output's first. Throws `SplitreelError`
    /// where it is not, and `CancellationError` after `cancel`.
    @discardableResult
    public func finish() async throws -> [String] {
        do {
            let report = try await job.end()
            try Self.requireMade(report, by: job)
            return report.severalOutputs ?? [report.output]
        } catch {
            throw Self.turned(error)
        }
    }

    /// Asks the job to stop; it leaves nothing behind. Returns at once: `finish` throws when it has stopped.
    public func cancel() { job.cancel() }

    /// Throws what ended a job without its film.
    static func requireMade(_ report: JobReport, by job: LocalJob) throws {
        guard report.isTerminal, report.state.value != .completed else { return }
        try job.requireWorkers(report)
        guard report.state.value != .cancelled else { throw CancellationError() }
        throw report.error
            ?? SplitreelError(
                .internalFault, operation: "rendering", subject: report.output, reason: "the job ended without a word")
    }

    static func turned(_ error: any Error) -> any Error {
        let isCancelled = error is CancellationError || (error as? SplitreelError)?.code == .cancelled
        return isCancelled ? CancellationError() : SplitreelError.wrapping(error)
    }
}

/// The progress of a job, several times a second while it changes; ends with the job, and throws as
/// `RenderJob.finish` does. Each iterator begins with how the job stands then.
public struct RenderProgressSequence: AsyncSequence, Sendable {
    let job: LocalJob

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var news: AsyncThrowingStream<JobNews, any Error>.Iterator
        fileprivate let job: LocalJob

        public mutating func next() async throws -> RenderProgress? {
            do {
                while let news = try await news.next() {
                    guard case .report(let report) = news else { continue }
                    try RenderJob.requireMade(report, by: job)
                    return RenderProgress(report)
                }
                return nil
            } catch {
                throw RenderJob.turned(job.cause(of: error))
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(news: job.news().makeAsyncIterator(), job: job) }
}

/// The progress of a film that is made.
public struct RenderProgress: Sendable, Hashable {
    /// The share of all work that is done, 0 to 1; it does not go back.
    public let fraction: Double
    /// The frames of the film, and those of them that are rendered; of sound alone its samples. 0 until it is planned.
    public let frames: Int
    public let framesDone: Int
    /// The frames that are rendered in a second, by all workers together.
    public let framesPerSecond: Double
    /// Whether the film is whole, and stands at its path.
    public let isDone: Bool

    init(_ report: JobReport) {
        let work = report.work
        fraction = work.fraction
        frames = work.frames
        framesDone = work.framesDone
        framesPerSecond = report.framesPerSecond
        isDone = report.state.value == .completed
    }
}
