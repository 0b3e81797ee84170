import Coordinator
import Diagnostics
import FarmClient
import FarmProtocol
import Foundation
import Logging
import Planning
import Scheduling
import SplitreelProject
import Synchronization
import Threads
import Worker

/// A coordinator in this process with worker processes as its children, in a private folder of its own.
final class EmbeddedFarm: Sendable {
    private let folder: String
    private let coordinator: Coordinator
    private let supervisor: SlotSupervisor
    private let client: FarmClient
    private let currentJob = Mutex(CurrentJob())
    private let deaths: SlotDeaths

    private struct CurrentJob {
        var job: String?
        var isCancelled = false
        /// Whether planning is over.
        var hasBegun = false
    }

    init(workers: Int) async throws {
        let folder = try RuntimeFolder.make()
        // A slot's log beside its result is of no use to a person who renders.
        setenv("SPLITREEL_LOG", "error", 0)
        let logger = Logger(label: "coordinator", level: .error)
        do {
            let coordinator = try Coordinator(
                configuration: CoordinatorConfiguration(
                    endpoint: "ipc://\(folder)/control", dataDirectory: folder, logger: logger, limits: .embedded))
            let endpoint = try await coordinator.start()
            self.folder = folder
            self.coordinator = coordinator
            client = try FarmClient(endpoint: endpoint)
            let deaths = SlotDeaths(limit: 6 * workers)
            self.deaths = deaths
            supervisor = SlotSupervisor(
                arguments: ["worker", "--slot-of", "local", "--connect", endpoint], count: workers, logger: logger,
                onEnd: { end in
                    coordinator.slotProcessEnded(pid: Int64(end.pid), reason: end.words)
                    deaths.count(end)
                })
            try supervisor.start()
        } catch {
            RuntimeFolder.remove(folder)
            throw error
        }
    }

    /// Makes the outputs, which are of one job.
    func render(_ project: Project, requests: [OutputRequest]) async throws -> Splitreel_Farm_JobReport {
        let first = requests.first?.path ?? ""
        let job = try await client.submit(project, requests)
        let isCancelled = currentJob.withLock { state in
            state.job = job
            state.hasBegun = false
            return state.isCancelled
        }
        if isCancelled { giveUp(job) }
        deaths.whenHopeless { [weak self] in self?.cancel() }
        let report = try await watch(job, through: client) { report in
            guard report.jobState != .waiting else { return }
            currentJob.withLock { $0.hasBegun = true }
        }
        if report.jobState != .completed, let last = deaths.lastWords {
            throw SplitreelError(
                .noWorkers, operation: "rendering", subject: first, reason: "every one ends at once: \(last)",
                hint: "`splitreel doctor` checks this machine")
        }
        return report
    }

    /// Asks the job in hand to stop; its watcher sees it end. From any thread.
    func cancel() {
        let job = currentJob.withLock { state in
            state.isCancelled = true
            return state.job
        }
        if let job { giveUp(job) }
    }

    private func giveUp(_ job: String) {
        // Unstructured on purpose: a signal handler has no task to be a child of; it ends with the process.
        Task {
            _ = try? await client.cancel(job)
            // Planning stops between two files only, and a film of hours takes its time to read: nobody waits for that.
            try? await Task.sleep(for: .seconds(1))
            if !currentJob.withLock({ $0.hasBegun }) { client.close() }
        }
    }

    func close() async {
        client.close()
        await onThread { self.supervisor.kill() }
        await coordinator.stop()
        RuntimeFolder.remove(folder)
    }

    /// Ends at the second interrupt: kills the children, and removes what can be removed at once.
    func abandon() {
        supervisor.kill()
        RuntimeFolder.remove(folder)
    }
}

/// Counts slot processes that end one after the other without having finished a chunk.
private final class SlotDeaths: Sendable {
    private let limit: Int
    private struct State {
        var inARow = 0
        var words = ""
        var act: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func count(_ end: ChildEnd) {
        let act = state.withLock { state in
            state.inARow = end.isHopeless ? limit : end.wasUseful ? 0 : state.inARow + 1
            state.words = end.reason ?? end.words
            return state.inARow == limit ? state.act : nil
        }
        act?()
    }

    func whenHopeless(_ act: @escaping @Sendable () -> Void) { state.withLock { $0.act = act } }

    /// The end of the last one in words, once there is no hope; nil before.
    var lastWords: String? { state.withLock { $0.inARow >= limit ? $0.words : nil } }
}

/// A private folder `${XDG_RUNTIME_DIR:-/tmp}/splitreel-<random>`, 0700: short, since a socket's path has 107 bytes at
/// most.
enum RuntimeFolder {
    static var parent: String { UserFolder.runtime() }

    /// The folder for files that take room: `${TMPDIR:-/tmp}`.
    static var roomyParent: String {
        let path = NSTemporaryDirectory()
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Makes the folder, in another place than usual where `parent` says so.
    static func make(in parent: String = parent) throws -> String {
        removeUnheld()
        var template = Array("\(parent)/splitreel-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { name in
            name.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        if let made, holdFolder(made) { return made }
        let reason = String(cString: strerror(errno))
        if let made { remove(made) }
        throw SplitreelError(
            .outputNotWritable, operation: "mkdtemp", subject: parent, reason: reason,
            hint: "set XDG_RUNTIME_DIR to a folder of yours")
    }

    /// Removes the folders of renders that were killed, in either place; answers the paths.
    @discardableResult
    static func removeUnheld() -> [String] {
        Set([parent, roomyParent]).sorted().flatMap { place in
            removeUnheldFolders(in: place) { $0.wholeMatch(of: /splitreel-[A-Za-z0-9]{6}/) != nil }
        }
    }

    static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }
}
