import Diagnostics
package import FarmClient
package import Reports
import Scheduling

/// A job of a local farm. Safe from any task and thread.
package final class LocalJob: Sendable {
    /// The job's id, which no other job of the farm has.
    package let id: String
    /// The first output's path.
    private let output: String
    private let client: FarmClient
    private let deaths: SlotDeaths

    init(_ id: String, _ output: String, _ client: FarmClient, _ deaths: SlotDeaths) {
        self.id = id
        self.output = output
        self.client = client
        self.deaths = deaths
    }

    /// The time for which a coordinator in this process may be silent.
    private static let patience = Duration.seconds(60)
    /// The time that planning has to notice that its job is cancelled.
    private static let patienceWithPlanning = Duration.seconds(1)

    /// The job's news from now on: the first one tells how it stands, the last report is its end. Each call makes a
    /// stream of its own; of news that nobody takes the newest eight are kept.
    package func news() -> AsyncThrowingStream<JobNews, any Error> { client.watch(id, patience: Self.patience) }

    /// Waits for the job's end, whatever it is, and answers its last report.
    package func end() async throws -> JobReport {
        do {
            for try await case .report(let report) in news() where report.isTerminal {
                try requireWorkers(report)
                return report
            }
        } catch {
            throw cause(of: error)
        }
        throw SplitreelError(
            .cancelled, operation: "waiting for a job", subject: output, reason: "nobody waits for it any more")
    }

    /// Throws `.noWorkers` where the job ended because no worker lives here.
    package func requireWorkers(_ report: JobReport) throws {
        if report.state.value != .completed, let hopeless { throw hopeless }
    }

    /// The cause of an error that ended a watch: a job is cancelled, too, when no worker lives here.
    package func cause(of error: any Error) -> any Error {
        (error as? SplitreelError)?.code == .cancelled ? hopeless ?? error : error
    }

    private var hopeless: SplitreelError? {
        deaths.lastWords.map { last in
            SplitreelError(
                .noWorkers, operation: "rendering", subject: output, reason: "every one ends at once: \(last)",
                hint: "`splitreel doctor` checks this machine")
        }
    }

    /// Asks the job to stop; whoever watches it sees it end. Returns at once.
    package func cancel() {
        let (client, id) = (client, id)
        // Unstructured on purpose: a signal handler has no task to be a child of.
        Task {
            _ = try? await client.cancel(id)
            // Planning stops between two files only, and a film of hours takes its time to read: nobody waits for that.
            try? await Task.sleep(for: Self.patienceWithPlanning)
            let report = try? await client.job(id)
            if report.map({ $0.state.value == .waiting }) ?? true { client.endWatches(of: id) }
        }
    }
}
