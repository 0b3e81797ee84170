import Coordinator
package import Diagnostics
import FarmClient
import Isolation
import Logging
package import Planning
package import RemoteMedia
import Scheduling
package import SegmentCache
package import SplitreelProject
import Synchronization
import Threads
import Worker

/// A farm of this process alone: a coordinator in it, with workers as its children, in a private folder of its own.
///
/// It prints nothing and ends nothing; what goes wrong is thrown. A process may have several, one after the other and
/// side by side. Safe from any task and thread. `close` is to be called at the end; a process that ends without it
/// takes its children along, and the next farm removes the folder.
package final class LocalFarm: Sendable {
    private let folder: RuntimeFolder
    private let coordinator: Coordinator
    private let hands: Hands
    private let client: FarmClient
    private let deaths: SlotDeaths
    private let state = Mutex(State())

    /// The place where its slots are.
    package enum Place: Sendable {
        /// Processes of their own, which are confined, and may crash without harm to this one.
        case processes
        /// Threads of this process, which read media unconfined.
        case threads
    }

    /// The slots, which render.
    private enum Hands {
        case processes(SlotSupervisor)
        case threads(ThreadSlots)

        func end() {
            switch self {
            case .processes(let supervisor): supervisor.kill()
            case .threads(let slots): slots.end()
            }
        }
    }

    private struct State {
        var isCancelled = false
        /// The jobs that were handed over and that somebody still holds.
        var jobs: [WeakJob] = []
    }

    private struct WeakJob {
        weak var job: LocalJob?
    }

    /// The descriptors that a farm may come to need without its workers; 38 were counted while a film was made.
    private static let descriptors = 56
    /// The descriptors for a worker: its standard input and two connections, and one to spare.
    private static let descriptorsOfWorker = 4

    /// Starts the farm; its workers come up while the first job is planned.
    ///
    /// - Parameters:
    ///   - place: where the slots are. Threads need no call of `FarmChild.serve`.
    ///   - workers: the number of slots that render a chunk each at a time. nil: as many as the machine has cores
    ///     for, of which so many work at a time as there is memory for, by the plan's estimate.
    ///   - remote: the way to media and outputs of object stores and of the web; nil for none.
    ///   - chunkCache: the cache of segments; nil for none.
    ///   - logsErrors: whether coordinator and workers log their errors on standard error.
    ///   - name: the name by which reports call a setting.
    /// - Throws: `.usage` where `main` has not called `FarmChild.serve` first; `.noWorkers` or `.systemLimit` where no
    ///   process can be started; `.outputNotWritable` where there is no place for the folder.
    package init(
        _ place: Place = .processes, workers: Int? = nil, remote: RemoteMedia? = nil, chunkCache: SegmentCache? = nil,
        logsErrors: Bool = false, calling name: @escaping @Sendable (Setting) -> String = { $0.rawValue }
    ) async throws {
        if place == .processes { try FarmChild.requireServed() }
        let count = workers ?? Machine.defaultWorkers
        let needed = Self.descriptors + Self.descriptorsOfWorker * min(count, OpenFileLimit.mostTaken)
        try OpenFileLimit.current.requireRoom(for: needed, "starting a local farm")
        let folder = try RuntimeFolder()
        let logger = Self.logger(logsErrors)
        let memoryBytes = MachineShare.current.bytesForWorkers
        self.folder = folder
        do {
            let media: any MediaWork =
                place == .threads ? InProcessMediaWork() : IsolatedMediaWork(children: MediaChildren(door: remote))
            var configuration = CoordinatorConfiguration(
                endpoint: "ipc://\(folder.path)/control", dataDirectory: folder.path, logger: logger,
                limits: Self.limits(remote), mediaWork: media)
            configuration.memoryBytes = memoryBytes
            configuration.remote = remote
            configuration.chunkCache = chunkCache
            coordinator = try Coordinator(configuration: configuration)
        } catch {
            folder.remove()
            throw error
        }
        let (coordinator, deaths) = (coordinator, SlotDeaths(limit: 6 * count))
        self.deaths = deaths
        let slots = Slots(
            count: count, memoryBytes: workers == nil ? memoryBytes : nil, folder: folder.path, cache: remote?.folder,
            log: Self.slotLog(logsErrors))
        do {
            let endpoint = try await coordinator.start()
            client = try FarmClient(endpoint: endpoint, calling: name)
            switch place {
            case .processes: hands = .processes(try slots.start(endpoint, coordinator, deaths, logger))
            case .threads: hands = .threads(try slots.start(endpoint, deaths))
            }
        } catch {
            await coordinator.stop()
            folder.remove()
            throw error
        }
        deaths.whenHopeless { [weak self] in self?.cancelJobs() }
    }

    /// The limits: data are sent to slots where some lie elsewhere.
    private static func limits(_ remote: RemoteMedia?) -> Limits {
        var limits = Limits.embedded
        limits.servesData = remote != nil
        return limits
    }

    private static func logger(_ logsErrors: Bool) -> Logger {
        logsErrors
            ? Logger(label: "coordinator", level: .error)
            : Logger(label: "coordinator") { _ in SwiftLogNoOpLogHandler() }
    }

    /// The level of the slots' logs: a log beside the result is of no use to a person who renders, unless it was asked
    /// for.
    private static func slotLog(_ logsErrors: Bool) -> String? {
        guard logsErrors else { return SlotArguments.noLog }
        return ServiceLog.level == nil ? Logger.Level.error.rawValue : nil
    }

    /// Hands over outputs that are of one job (see `byJob`); planning follows, and its faults end the job.
    ///
    /// - Parameters:
    ///   - project: the composition, its URLs absolute.
    ///   - requests: the outputs, at least one, their paths absolute.
    package func submit(_ project: Project, _ requests: [OutputRequest]) async throws -> LocalJob {
        let id = try await client.submit(project, requests)
        let job = LocalJob(id, requests.first?.path ?? "", client, deaths)
        let isCancelled = state.withLock { state in
            state.jobs.removeAll { $0.job == nil }
            state.jobs.append(WeakJob(job: job))
            return state.isCancelled
        }
        if isCancelled || deaths.lastWords != nil { job.cancel() }
        return job
    }

    /// Asks all jobs to stop, and those that are handed over later; whoever watches them sees them end. From any
    /// thread; returns at once.
    package func cancel() {
        state.withLock { $0.isCancelled = true }
        cancelJobs()
    }

    private func cancelJobs() {
        for job in state.withLock({ $0.jobs.compactMap(\.job) }) { job.cancel() }
    }

    /// Ends workers and coordinator, and removes the folder. Jobs that have not ended are lost, and leave nothing.
    package func close() async {
        client.close()
        await onThread { self.hands.end() }
        await coordinator.stop()
        folder.remove()
    }

    /// Kills the children and removes what can be removed at once, for a process that ends right after.
    package func abandon() {
        hands.end()
        folder.remove()
    }
}

/// The slots of a farm, before they are started.
private struct Slots {
    let count: Int
    /// The memory that all of them together may take; nil where nobody limits them.
    let memoryBytes: Int?
    let folder: String
    /// The folder of blocks of sources from afar; nil where none come.
    let cache: String?
    let log: String?

    func start(
        _ endpoint: String, _ coordinator: Coordinator, _ deaths: SlotDeaths, _ logger: Logger
    ) throws -> SlotSupervisor {
        var arguments = SlotArguments(worker: "local", endpoint: endpoint, log: log, memoryBytes: memoryBytes)
        // Slots have the blocks of the cache, and what it has not from the coordinator.
        arguments.data = cache.map { _ in folder + "/slots" }
        arguments.cache = cache
        let supervisor = SlotSupervisor(
            arguments: arguments.words, count: count, logger: logger,
            onEnd: { end in
                coordinator.slotProcessEnded(
                    pid: Int64(end.pid), reason: end.words, cause: end.isOutOfMemory ? .outOfMemory : .unknown)
                deaths.count(end)
            })
        coordinator.endSilentProcesses { [weak supervisor] pid in
            if let pid = Int32(exactly: pid) { supervisor?.replace(pid) }
        }
        try supervisor.start()
        return supervisor
    }

    func start(_ endpoint: String, _ deaths: SlotDeaths) throws -> ThreadSlots {
        let slots = ThreadSlots(
            endpoint: endpoint, folder: folder, count: count, memoryBytes: memoryBytes, cache: cache,
            onEnd: { deaths.countUseless($0) })
        try slots.start()
        return slots
    }
}
