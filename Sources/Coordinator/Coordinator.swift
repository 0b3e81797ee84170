import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import Glibc
import Isolation
import JobStore
import Logging
import RemoteMedia
package import Scheduling
import SegmentCache
import SplitreelFiles
import Threads
import Transport

/// The hands of the farm's brain: sockets, store, clock and threads. An actor on its own event loop.
///
/// Receiving never acts: messages become events; at the end of the loop's turn the brain takes them, all transitions
/// are stored in one commit, and only then anything is sent or begun. Crash-only: `stop` just stops, and the next
/// start takes up what the store holds.
package actor Coordinator {
    nonisolated let loop: EventLoop
    /// The service of bytes, on a loop of its own; nil where all peers see the files.
    nonisolated let data: DataService?
    let configuration: CoordinatorConfiguration
    let logger: Logger
    let access: MediaAccess
    let clock: WallClock
    let origin = ContinuousClock.now
    /// A number that no other life of a coordinator has.
    let life = UInt64.random(in: .min ... .max)
    /// The threads that plan. There are many, since most of planning is waiting for a file to be read: sources that are
    /// slow keep few of them busy.
    nonisolated let planners = ThreadPool(name: "plan", size: 8, perAsker: 1)
    nonisolated let largePlanners = ThreadPool(name: "plan-large", size: 1, perAsker: 1)
    let verifiers = ThreadPool(name: "verify", size: 6, perAsker: 3)
    /// The threads that look at unfinished jobs' disks at the start, one for each folder.
    let takers = ThreadPool(name: "recover", size: 64, perAsker: 1)
    let cleaners: ThreadPool
    /// The threads that look at outputs' places when jobs are submitted.
    let intakes: ThreadPool
    /// The threads that read from the store.
    let readers: ThreadPool
    /// The threads that work in the store of uploads, below, for whoever asks for it.
    let storeThreads: ThreadPool
    /// The threads that sum films that wait, which takes long: uploads do not wait for them.
    let filmThreads: ThreadPool
    /// The threads that put segments into the cache, and the one that sums sources for it.
    let keepers = ThreadPool(name: "cache", size: 2)
    /// The threads that fetch segments from a cache that is far away.
    let fetchers = ThreadPool(name: "fetch", size: SharedSegments.mostAtOnce)
    let summers = ThreadPool(name: "sums", size: 1)

    var brain: CoordinatorBrain
    var store: (any JobRecords)?
    /// The store of uploads and of films that wait; nil where there is no data socket.
    var storeFolder: StoreFolder?
    /// The storing that waits, for an error for which the store takes nothing at present; nil while it works.
    var storeFault: JobDelay?
    var dataLock: FileLock?
    var control: SocketID?
    var heartbeats: SocketID?
    var heartbeatEndpoint = ""
    /// The endpoint of the data socket; empty where there is none.
    var dataEndpoint = ""

    /// The unfinished jobs, and those that planning has not let go of.
    var openJobs: [String: OpenJob] = [:]
    /// A call that ends a slot's process, of a parent that starts another in its place.
    var endProcess: @Sendable (_ pid: Int64) -> Void = { _ in }
    var slotPeers = SlotPeers()
    var sharedLists = SharedLists()
    /// The origins of heartbeats, by their slots, until they are answered.
    var heartbeatOrigins: [String: HeartbeatOrigin] = [:]
    /// The machines of slots as these told of them, by the slots' names.
    var slotFacts: [String: ToldFacts] = [:]
    /// The keys under which slots registered, and all keys under which messages came.
    var slotKeys: [String: PublicKey] = [:]
    var knownKeys: Set<PublicKey> = []
    /// The keys of slots that are gone, whose segments are still waited for or checked.
    var awaitedKeys: [String: PublicKey] = [:]

    // The state of one turn
    var events: [Event] = []
    /// The bytes of the messages of peers that those events came in.
    var waitingEventBytes = 0
    var unsaved: [Transition] = []
    var unsent: [Action] = []
    var submissions: [PendingSubmission] = []
    var afterCommit: [WaitingRequest] = []
    var isTurnDue = false

    /// The removal of each job's work folder, which has to be over before the job has ended.
    var cleaning: [String: ThreadPool.Ticket] = [:]
    var openIntakes: [String: Intake] = [:]
    /// The folders of failed jobs whose work is kept; locked while they are here.
    var keptFolders: [String: JobFolders] = [:]
    /// The failed jobs whose folders are being put in order, or looked for after a restart.
    var busyFolders: Set<String> = []
    var retries: [String: Retry] = [:]
    var recovery = Recovery()
    /// The unfinished jobs of the store that this release cannot read, each with its `fault`: they are listed, and can
    /// be cancelled.
    var unreadable: [String: RecoveredJob] = [:]
    var watchers: [Watcher] = []
    var uploads: Uploads
    var touched: Set<String> = []
    /// The reasons for waiting that watchers were told last, by job.
    var toldWaits: [String: WaitReason] = [:]
    /// The unfinished jobs of whose first frames watchers were told.
    var counted: Set<String> = []
    var malformedMessages = 0
    var unknownMessages = 0
    var droppedEvents = 0
    var hasToldCacheFault = false
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Throws `.usage` for an endpoint or root that cannot be, `.keysNeeded` for one that other machines can reach
    /// without keys and `insecure`, `.refused` for one without roots. Starts the loop's thread; `stop` ends it.
    package init(configuration: CoordinatorConfiguration) throws {
        let endpoint = try Endpoint(configuration.endpoint, wildcardAllowed: true)
        guard endpoint.isLocal || configuration.insecure || configuration.gate != nil else {
            throw SplitreelError(
                .keysNeeded, operation: "listening", subject: "\(configuration.endpoint)",
                reason: "other machines could reach it, and the farm has no keys",
                hint: """
                    make them by `splitreel keys init` and `splitreel keys add NAME`; \
                    or say \(.insecure) on a network that you trust
                    """)
        }
        // Where all roots are addresses no path is opened at all.
        let hasAddressesAlone = configuration.roots.isEmpty && configuration.remote?.hasRoots == true
        guard endpoint.isLocal || !configuration.roots.isEmpty || hasAddressesAlone else {
            throw SplitreelError(
                .refused, operation: "listening", subject: "\(configuration.endpoint)",
                reason: "without roots other machines could read and write any file",
                hint: "name the folders of media and films with \(.root)")
        }
        let dataFolder = configuration.limits.servesData ? configuration.dataDirectory : nil
        let access = try MediaAccess(
            roots: configuration.roots, dataFolder: dataFolder, remote: configuration.remote,
            hasAddressesAlone: hasAddressesAlone)
        self.access = access
        var random = SystemRandomNumberGenerator()
        // Nobody who does not see this process can know which chunks are audited.
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        brain = CoordinatorBrain(
            limits: configuration.limits, leases: LeaseSource(seedHigh: random.next(), seedLow: random.next()),
            audit: AuditRule(percent: configuration.auditPercent, secret: secret))
        uploads = Uploads(configuration.uploads)
        self.configuration = configuration
        logger = configuration.logger
        let limits = configuration.limits
        cleaners = ThreadPool(name: "clean", size: 4, capacity: 2 * limits.unfinishedJobs)
        intakes = ThreadPool(name: "intake", size: 2, capacity: limits.unfinishedJobs)
        readers = ThreadPool(name: "read", size: 1, capacity: limits.waitingQuestions)
        storeThreads = ThreadPool(name: "store", size: 4, perAsker: 2, capacity: limits.waitingQuestions)
        filmThreads = ThreadPool(name: "films", size: 2, perAsker: 1, capacity: limits.waitingQuestions)
        clock = WallClock(origin: Date().timeIntervalSince1970)
        // Sockets of both kinds, the store's files, media children, and a few workers to begin with.
        try OpenFileLimit.current.requireRoom(for: 48, "starting a coordinator")
        let gate = configuration.gate
        let service =
            try limits.servesData ? DataService(access: access, gate: gate, logger: configuration.logger) : nil
        data = service
        do {
            loop = try EventLoop(name: "coordinator", security: gate?.security ?? .open)
        } catch {
            service?.loop.shutDown()
            throw error
        }
    }

    var limits: Limits { configuration.limits }

    var planningMarks: PlanningMarks { PlanningMarks(dataDirectory: configuration.dataDirectory) }

    var now: Instant { Instant(nanoseconds: (ContinuousClock.now - origin).nanoseconds) }

    /// Opens the stores, takes up unfinished jobs, binds the sockets. Answers the control endpoint, wildcards resolved.
    package func start() async throws -> String {
        let folder = configuration.dataDirectory
        try makeDataFolder(folder)
        dataLock = try lockedDataFolder(folder)
        let store = try configuration.openStore(folder + "/jobs.sqlite")
        self.store = store
        // Taken up before anybody can ask: slots that come back find their jobs.
        try await recover(from: store)
        let bound = try bind()
        loop.every(limits.tick) { [weak self] in self?.assumeIsolated { $0.tick() } }
        loop.every(limits.reportInterval) { [weak self] in self?.assumeIsolated { $0.report() } }
        loop.every(.seconds(5)) { [weak self] in self?.assumeIsolated { $0.uploads.dropIdle(now: $0.now) } }
        if configuration.gate != nil {
            loop.every(Self.keyCheck) { [weak self] in self?.assumeIsolated { $0.checkKeys() } }
        }
        logger.info(
            "coordinator listens", metadata: ["endpoint": "\(bound)", "keys": "\(configuration.gate != nil)"])
        return bound
    }

    /// Stops at once and cancels nothing. Jobs go on at the next start; where the limits keep none, their work is
    /// removed. From any thread but the loop's; idempotent.
    package nonisolated func stop() async {
        for drop in await closeStore() {
            await withCheckedContinuation { dropped in drop { dropped.resume() } }
        }
        await onThread("coordinator-end") { [loop, data] in
            data?.letGoOfUploads()
            data?.loop.shutDown()
            loop.shutDown()
        }
    }

    /// Returns when no job is unfinished; at once where there is none.
    package func waitUntilIdle() async {
        guard !isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    /// Tells that a slot's process has ended, which is quicker than waiting for its silence. From any thread.
    package nonisolated func slotProcessEnded(pid: Int64, reason: String, cause: LossCause = .unknown) {
        post { coordinator in
            coordinator.lose(reason, cause) { $0.pid == pid }
            // It was lost before, and its number may become another's.
            guard let slot = coordinator.brain.missingSlots[pid] else { return }
            coordinator.enqueue(.slotLost(slot: slot, reason: reason, cause: cause))
        }
    }

    /// Says how the processes of slots are ended that are lost and do not come back, see `Limits.comingBack`. From any
    /// thread.
    package nonisolated func endSilentProcesses(by end: @escaping @Sendable (_ pid: Int64) -> Void) {
        post { $0.endProcess = end }
    }

    /// Tells that a slot's process has ended, by the slot's name. From any thread.
    package nonisolated func slotProcessEnded(slot: String, reason: String) {
        post { $0.lose(reason, .unknown) { $0.slot == slot } }
    }

    /// The number of jobs that a next start goes on with, those too that are not taken up yet.
    package var unfinishedJobCount: Int {
        brain.unfinishedJobs.count { brain.jobs[$0]?.isEnding == false } + recovery.jobs.count
    }

    /// Whether a thread still plans, for a job that has ended too.
    package nonisolated var isPlanning: Bool { planners.isBusy || largePlanners.isBusy }

    private func tick() {
        giveUpIntakes()
        giveUpRetries()
        // While the store fails time stands still: nobody can be told anything, so nobody is blamed for silence.
        if storeFault == nil { enqueue(.tick) }
    }

    private func lose(_ reason: String, _ cause: LossCause, where isIt: (SlotSpec) -> Bool) {
        for slot in brain.slots.values where isIt(slot.spec) {
            // A process that takes its place in the same turn is not meant.
            enqueue(.slotLost(slot: slot.spec.slot, peer: slot.spec.peer, reason: reason, cause: cause))
        }
    }

    private var isIdle: Bool { brain.isIdle && events.isEmpty && recovery.jobs.isEmpty }

    func resumeIdleWaiters() {
        guard isIdle else { return }
        for waiter in idleWaiters { waiter.resume() }
        idleWaiters = []
    }

    /// Closes the store. Answers the removals of the work of jobs that nobody takes up again, each of which waits for
    /// whatever still writes there.
    private func closeStore() -> [@Sendable (_ done: @escaping @Sendable () -> Void) -> Void] {
        turn()
        try? store?.close()
        store = nil
        dataLock?.unlock()
        // The folders stay where a next start takes them up, in this process too; not those of ended jobs.
        var drops: [@Sendable (@escaping @Sendable () -> Void) -> Void] = []
        for (job, openJob) in openJobs {
            openJob.permit.withdrawAndWait()
            openJob.assembly?.stop.stop()
            for stop in openJob.verifying.values { stop.stop() }
            if openJob.isPlanning { planningMarks.end(job) }
            let isKept = keptFolders[job] != nil || busyFolders.contains(job)
            // A cancelled job is not taken up again, though a slot may not have let go of it yet.
            let entry = brain.jobs[job]
            // An end that the store did not take has not happened: the next start goes on with the job.
            let isOver = unsaved.isEmpty && (entry?.state.isTerminal == true || entry?.outcome == .cancelled)
            if isOver && !isKept || !configuration.limits.keepsJobs {
                let folder = openJob.prepared?.folder
                let claims = openJob.claims
                let assembly = openJob.assembly
                drops.append { done in
                    let remove: @Sendable () -> Void = {
                        folder?.remove()
                        for claim in claims { claim.release() }
                        done()
                    }
                    if let assembly { assembly.abandon(done: remove) } else { remove() }
                }
            } else {
                openJob.prepared?.folder.unlock()
                for claim in openJob.claims { claim.unlock() }
            }
        }
        openJobs = [:]
        endProcess = { _ in }
        for folder in keptFolders.values { folder.unlock() }
        keptFolders = [:]
        recovery.jobs = []
        recovery.starting?.resume()
        recovery.starting = nil
        for waiter in idleWaiters { waiter.resume() }
        idleWaiters = []
        return drops
    }

    private func bind() throws -> String {
        let control = try loop.openRouter { [weak self] frames, key in
            self?.assumeIsolated { $0.receiveControl(frames, key) }
        }
        let bound = try loop.bind(control, to: configuration.endpoint)
        let heartbeats = try loop.openRouter { [weak self] frames, key in
            self?.assumeIsolated { $0.receiveHeartbeat(frames, key) }
        }
        heartbeatEndpoint = try loop.bind(
            heartbeats, to: try endpoint(beside: configuration.endpoint, bound: bound, .heartbeats))
        // Known before the first slot is welcomed.
        if let data { dataEndpoint = try bind(data, beside: bound) }
        self.control = control
        self.heartbeats = heartbeats
        return bound
    }
}

extension Coordinator {
    /// Binds the data socket, to any port where the one beside the others is taken: whoever needs it is told which.
    private func bind(_ data: DataService, beside bound: String) throws -> String {
        let place = try endpoint(beside: configuration.endpoint, bound: bound, .data)
        do {
            return try data.begin(at: place, desk: self)
        } catch let error as SplitreelError where error.code == .transportFailed {
            guard case .tcp(let host, _) = try Endpoint(place, wildcardAllowed: true).place else { throw error }
            logger.warning(
                "the port for data cannot be had, and another one is used",
                metadata: ["endpoint": "\(place)", "reason": "\(error.reason)"])
            return try data.begin(at: "tcp://\(host):*", desk: self)
        }
    }
}

/// A socket beside the one of control.
enum FurtherSocket: UInt16 {
    case heartbeats = 1
    case data = 2

    /// The name in errors, and below it the ending of a path.
    var noun: String { self == .heartbeats ? "the heartbeat" : "the data socket" }
    var ending: String { self == .heartbeats ? ".hb" : ".da" }
}

/// The endpoint of a further socket: one of the next ports beside a port that was named, any port beside one that was
/// not, and beside a path that path with an ending.
func endpoint(beside control: String, bound: String, _ socket: FurtherSocket) throws -> String {
    switch try Endpoint(control, wildcardAllowed: true).place {
    case .tcp(let host, let port?):
        guard port <= UInt16.max - socket.rawValue else {
            throw SplitreelError(
                .usage, operation: "listening", subject: control,
                reason: "\(socket.noun) needs the port that is \(socket.rawValue) higher",
                hint: "choose a port below 65534")
        }
        return "tcp://\(host):\(port + socket.rawValue)"
    case .tcp(let host, nil): return "tcp://\(host):*"
    case .ipc, .inproc: return bound + socket.ending
    }
}
