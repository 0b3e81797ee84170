import Coordinator
import Diagnostics
import Dispatch
import FarmClient
import Glibc
import LocalFarm
import Planning
import Preparation
import Rendering
import Reports
import Scheduling
import SplitreelFiles
import SplitreelProject
import Synchronization

/// An errand of a command that has a farm make one output before it goes on here, in a hidden folder beside the
/// command's own, which `close` removes.
final class FarmErrand: Sendable {
    private struct State {
        var job: String?
        var isGivenUp = false
        var end: Result<JobReport, any Error>?
    }

    private let output: String
    private let endpoint: String
    private let client: FarmClient
    private let maps: PathMaps
    private let folder: WorkFolder
    private let state = Mutex(State())
    private static let current = Mutex<FarmErrand?>(nil)

    /// The time after which a coordinator that has not ended a job is not waited for any more.
    private static let patienceWithCancelling = Duration.seconds(10)

    /// Prepares the errand; `output` is the command's, absolute. Does not ask the coordinator yet.
    init(for output: String, _ farm: AskedFarm) throws {
        self.output = output
        endpoint = try farm.coordinator.settings().endpoint
        client = try farm.coordinator.client()
        maps = farm.maps
        folder = try WorkFolder(beside: output)
        // The coordinator may be another user, who may write where the output goes.
        var parent = stat()
        if stat(parentFolder(of: output), &parent) == 0 { chmod(folder.path, parent.st_mode & 0o777) }
        Self.current.withLock { $0 = self }
    }

    /// A cancellation that an interrupt sets from now on; the second interrupt removes what can be removed at once.
    static func cancellation() -> Cancellation {
        let cancellation = Cancellation()
        Interruption().handOver(
            first: { cancellation.cancel() }, second: { current.withLock { $0 }?.folder.remove() })
        return cancellation
    }

    /// Removes the output, and leaves the coordinator. Where that is still ending the job, its own folder comes and
    /// goes in this one.
    func close() {
        client.close()
        Self.current.withLock { $0 = nil }
        for _ in 0..<100 {
            folder.remove()
            guard folder.exists else { return }
            waitAMoment()
        }
    }

    /// Submits a job, shows its progress, and answers the output's path, of that name. Blocks a thread that is none of
    /// the cooperative pool's. Throws `.cancelled` after a cancellation, which ends the job, and `Exit` where the job
    /// failed, after it has told why.
    /// - Parameter file: the composition, where there is one: a problem in it tells its line and column.
    func make(
        _ name: String, of project: Project, as request: OutputRequest, in file: CompositionFile?,
        cancellation: Cancellation
    ) throws -> String {
        var request = request
        request.path = folder.path + "/" + name
        let refusing = { try refuseImpossible(project, request: request) }
        try file.map { try $0.locating(refusing) } ?? refusing()
        let ended = DispatchSemaphore(value: 0)
        let outputs = [request]
        let work = Task {
            let end: Result<JobReport, any Error>
            do { end = .success(try await follow(project, outputs)) } catch { end = .failure(error) }
            state.withLock { $0.end = end }
            ended.signal()
        }
        while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
            if cancellation.isCancelled { giveUp(work) }
        }
        try cancellation.isCancelled ? tellCancelled() : conclude(file, request.path)
        return request.path
    }

    private func follow(_ project: Project, _ outputs: [OutputRequest]) async throws -> JobReport {
        // An answer tells whether the coordinator takes files.
        _ = try await client.workers()
        let brought = try await bring(project, outputs)
        let job = try await client.submit(brought, madeFor: output)
        Console.note("job \(job.printable)")
        let isGivenUp = state.withLock { state in
            state.job = job
            return state.isGivenUp
        }
        if isGivenUp { try await client.cancel(job) }
        let report = brought.inOwnPaths(try await watch(job, through: client, waitingAt: endpoint))
        if brought.filmsWait, report.state.value == .completed {
            try await fetchFilms(of: job, to: .outputs(outputs), overwrite: true, by: client)
        }
        return report
    }

    /// Uploads what the coordinator does not see.
    private func bring(_ project: Project, _ outputs: [OutputRequest]) async throws -> BroughtJob {
        let display = TransferDisplay("uploading")
        defer { display.end() }
        return try await client.bring(project, outputs, maps: maps) { display.show($0) }
    }

    /// Asks the job to stop, once; whoever watches it sees it end.
    private func giveUp(_ work: Task<Void, Never>) {
        let (isFirst, job) = state.withLock { state in
            defer { state.isGivenUp = true }
            return (!state.isGivenUp, state.job)
        }
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.patienceWithCancelling)
            work.cancel()
        }
        guard let job else { return }
        Task { if (try? await client.cancel(job)) == nil { work.cancel() } }
    }

    private func tellCancelled() throws {
        let (job, end) = state.withLock { ($0.job, $0.end) }
        if let job, (try? end?.get())?.isTerminal != true {
            Console.note("job \(job.printable) may go on; `splitreel cancel \(job.printable)` ends it")
        }
        throw SplitreelError(.cancelled, operation: "", subject: "interrupted", reason: "nothing was written")
    }

    /// Ends the errand. `path` is the output's; that it lacks chapters and the like is no matter.
    private func conclude(_ file: CompositionFile?, _ path: String) throws {
        guard var report = try state.withLock({ $0.end })?.get() else { return }
        report.notices.removeAll { $0.subject == path }
        if report.state.value == .cancelled {
            throw SplitreelError(
                .cancelled, operation: "", subject: "job \(report.job.printable)",
                reason: "somebody stopped it; nothing of its output is left")
        }
        if report.state.value == .failed, let error = report.error {
            report.tellWarnings(isShort: true, of: file)
            throw file?.located(error) ?? error
        }
        // The path is nobody's business but ours.
        report.output = FilmOnOutput.name
        try SplitreelCommands.conclude(report, json: false, of: file)
    }

    private func waitAMoment() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20)) }
}
