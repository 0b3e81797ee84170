import Diagnostics
import FarmClient
import FarmKeys
import KeyFiles
import LocalFarm
import Planning
import Reports
import Scheduling
import SplitreelProject
import Threads

/// One export under way.
struct ExportWork: Sendable {
    typealias Tell = @Sendable (_ change: (inout ExportSession.Progress) -> Void) -> Void

    let asset: MediaAsset
    let settings: ExportSettings
    let stop: ExportStop
    let tell: Tell

    /// The time for which a coordinator that was there may be silent: enough for a machine to start anew.
    private static let patience = Duration.seconds(3600)

    /// Makes the films.
    func films(to path: String?) async throws -> ExportSession.Film {
        tell { $0.state = .preparing }
        try stop.check()
        let roots = try ReadingRoots(settings.roots)
        let loading = Task { try await asset.material(below: roots) }
        stop.means { loading.cancel() }
        var material = try await loading.value
        stop.means(nil)
        if case .connect = settings.farm { try settings.code.refuseOnFarm(material.project) }
        let (project, loan) = settings.code.lent(to: material.project)
        defer { withExtendedLifetime(loan) {} }
        material.project = project
        let requests: [OutputRequest]
        (material, requests) = try await onThread("checking") { [settings, material] in
            Result {
                var material = material
                let requests = try settings.requests(for: &material, to: path)
                return (material, requests)
            }
        }.get()
        try stop.check()
        do {
            let reports =
                switch settings.farm {
                case .local(let workers):
                    try await reports(
                        of: requests, material,
                        settings.rendersByThreads || !loan.isEmpty ? .threads : .processes, workers)
                case .threads: try await reports(of: requests, material, .threads, nil)
                case .connect(let endpoint, let token):
                    try await reports(of: requests, material, farAt: endpoint, token)
                }
            return Self.film(reports, requests, material.project)
        } catch let error as SplitreelError {
            throw material.located(error)
        }
    }

    private static func film(
        _ reports: [JobReport], _ requests: [OutputRequest], _ project: Project
    ) -> ExportSession.Film {
        let first = reports.first
        return ExportSession.Film(
            paths: reports.flatMap { $0.severalOutputs ?? [$0.output] }, warnings: reports.flatMap(\.warnings),
            duration: requests.first?.shownDuration(of: project) ?? .zero,
            frameCount: first.map { $0.isOfSound ? 0 : $0.work.frames } ?? 0)
    }

    // MARK: - Here

    /// The last reports of the jobs of a farm of this process.
    private func reports(
        of requests: [OutputRequest], _ material: ExportMaterial, _ place: LocalFarm.Place, _ workers: Int?
    ) async throws -> [JobReport] {
        if let workers, !(1...256).contains(workers) {
            throw SplitreelError(
                .usage, operation: "starting a local farm", subject: "\(workers) workers",
                reason: "a farm has 1 to 256")
        }
        let project = material.project
        let jobs = requests.byJob()
        let remote = try await onThread("checking") {
            Result {
                let remote = try ProgramNetwork.way(for: project, outputs: requests.map(\.path))
                if place == .threads { ProgramNetwork.begin() }
                // A single job is checked in the same way when it is planned.
                if jobs.count > 1 { try LocalFarm.check(requests, of: project, place, remote: remote) }
                return remote
            }
        }.get()
        try stop.check()
        let farm = try await LocalFarm(place, workers: workers, remote: remote, calling: \.property)
        do {
            stop.means { farm.cancel() }
            var reports: [JobReport] = []
            for (index, outputs) in jobs.enumerated() {
                try stop.check()
                let job = try await farm.submit(project, outputs)
                do {
                    let last = try await watch(job.news(), index, of: jobs.count)
                    if last?.state.value != .completed, let last { try job.requireWorkers(last) }
                    reports.append(try Self.requireMade(last))
                } catch {
                    throw job.cause(of: error)
                }
            }
            stop.means(nil)
            await farm.close()
            return reports
        } catch {
            stop.means(nil)
            await farm.close()
            throw error
        }
    }

    // MARK: - Elsewhere

    /// The last reports of the jobs of a coordinator, whose films are here.
    private func reports(
        of requests: [OutputRequest], _ material: ExportMaterial, farAt endpoint: String, _ token: String?
    ) async throws -> [JobReport] {
        let client = try await onThread("token") {
            Result {
                try LocalFarm.checkPlaces(of: requests)
                let token = try token.map { try FarmToken(textOrPath: $0) }
                return try FarmClient(endpoint: endpoint, token: token, watchesLink: true, calling: \.property)
            }
        }.get()
        defer {
            stop.means(nil)
            client.close()
        }
        stop.means { client.close() }
        // A coordinator that is not there is told before anything is read; an answer tells whether it has a store.
        _ = try await client.workers()
        ProgramNetwork.begin()
        let jobs = requests.byJob()
        var reports: [JobReport] = []
        for (index, outputs) in jobs.enumerated() {
            try stop.check()
            reports.append(try await report(of: outputs, material.project, client, index, of: jobs.count))
        }
        return reports
    }

    private func report(
        of outputs: [OutputRequest], _ project: Project, _ client: FarmClient, _ index: Int, of count: Int
    ) async throws -> JobReport {
        let tell = tell
        let bringing = Task {
            try await client.bring(project, outputs) { _ in tell { $0.state = .uploading } }
        }
        stop.means { bringing.cancel() }
        let brought = try await bringing.value
        // One that is handed over is waited for: only a job that is known can be cancelled.
        stop.means(nil)
        try stop.check()
        let id = try await client.submit(brought)
        stop.means {
            // Unstructured on purpose: whoever stops an export does not wait.
            Task {
                // One that cannot be told any more is not waited for.
                do { try await client.cancel(id) } catch { client.endWatches(of: id) }
            }
        }
        let last = try Self.requireMade(
            await watch(client.watch(id, patience: Self.patience), index, of: count), isStopped: stop.isStopped)
        if brought.filmsWait {
            tell { $0.state = .downloading }
            let overwrite = outputs.contains(where: \.overwrite)
            let fetching = Task {
                try await client.fetchFilms(of: id, to: .outputs(outputs), overwrite: overwrite) { _ in }
            }
            stop.means { fetching.cancel() }
            _ = try await fetching.value
        }
        return brought.inOwnPaths(last)
    }

    // MARK: - Watching

    /// Tells the progress of a job until it has ended; answers its last report.
    private func watch(
        _ news: AsyncThrowingStream<JobNews, any Error>, _ index: Int, of count: Int
    ) async throws -> JobReport? {
        var last: JobReport?
        for try await case .report(let report) in news {
            tell { $0.take(report, job: index, of: count) }
            last = report
        }
        return last
    }

    /// The report of a job that has made its films. Throws what ended another one.
    private static func requireMade(_ report: JobReport?, isStopped: Bool = true) throws -> JobReport {
        guard let report, report.isTerminal else {
            throw SplitreelError(
                .coordinatorUnreachable, operation: "watching the job", subject: report?.output ?? "the film",
                reason: "the coordinator stopped answering")
        }
        guard report.state.value != .completed else { return report }
        if report.state.value == .cancelled {
            if isStopped { throw CancellationError() }
            throw SplitreelError(
                .cancelled, operation: "exporting", subject: report.output, reason: "somebody else stopped the job")
        }
        throw report.error
            ?? SplitreelError(
                .internalFault, operation: "exporting", subject: report.output, reason: "the job ended without a word")
    }
}

extension FarmToken {
    /// Takes the text of a token, or the path of a token's file. Throws `.keyFileUnusable`.
    fileprivate init(textOrPath text: String) throws {
        if text.hasPrefix(Self.kind) {
            try self.init(text: text, subject: "the token")
        } else {
            self = try TokenSource.file(text).token()
        }
    }
}
