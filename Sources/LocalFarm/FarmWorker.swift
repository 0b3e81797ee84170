package import Diagnostics
import FarmKeys
import Glibc
import KeyFiles
package import Logging
import Scheduling
import SplitreelFiles
import Synchronization
import Threads
import Transport
import Worker

/// A worker of a farm: the parent of its slots, each of which is this same program, started again. From any thread.
///
/// It takes over nothing of the process but its secrets: where it has a token, other processes of the user cannot look
/// into this one from then on, and no core file is written. Signals are its owner's.
package final class FarmWorker: Sendable {
    /// The reason why none can work here, and the exit status of a worker that ends for it.
    package struct Hopelessness: Sendable {
        package let reason: String
        package let status: ExitStatus
    }

    private let supervisor: SlotSupervisor
    private let losses: LossReporter
    private let leaving = Leaving()
    /// The worker's word to whoever asks on its machine; nil where it has no folder for it.
    private let sign: ReadySign?
    private let patience: Duration

    /// The time after which a slot that has not left by itself is killed.
    private static let reserve = Duration.seconds(5)

    /// Starts the slots, which connect by themselves and wait for a coordinator that is not there.
    ///
    /// - Parameters:
    ///   - logsSlots: whether the slots log on standard error, at the level that the environment says.
    /// - Throws: `.usage` where `main` has not called `FarmChild.serve`, for an endpoint, a root or a map that cannot
    ///   be; `.refused` for a coordinator elsewhere without a token, or without a sandbox; `.keyFileUnusable`;
    ///   `.noWorkers` or `.systemLimit` where no slot can be started.
    package init(_ settings: WorkerSettings, logsSlots: Bool = true, logger: Logger) throws {
        try FarmChild.requireServed("starting a worker")
        let farmToken = try settings.token()
        if farmToken != nil {
            CoreFiles.forbid()
            hideThisProcess()
        }
        let security = try farmToken?.security() ?? .open
        try Self.refuseUnlessLocal(settings)
        let sandbox = ServiceSandbox(isWanted: settings.sandbox)
        try sandbox.require(for: settings.connect, "connecting")
        try checkRoots(settings.roots)
        try PathMaps(settings.maps).checkFolders()
        try settings.data.map(Self.makeFolder)
        let slotToken = SlotConfiguration.newToken()
        if let lack = sandbox.lack { logger.warning("what renders is not confined as it should be", metadata: lack) }
        try Self.announce(settings, logger)
        let (losses, leaving) = (LossReporter(endpoint: settings.connect, security: security), leaving)
        self.losses = losses
        sign = settings.data.map { ReadySign(ofWorker: slotToken, slots: settings.slots, data: $0) }
        patience = Duration.seconds(settings.drainSeconds) + Self.reserve
        supervisor = SlotSupervisor(
            arguments: Self.slots(settings, slotToken, log: logsSlots ? nil : SlotArguments.noLog).words,
            variables: settings.slotVariables, count: settings.slots, logger: logger,
            onEnd: { [name = settings.name] end in
                if end.isHopeless {
                    let status = end.isLockedOut ? ExitStatus.coordinatorUnreachable : .usage
                    return leaving.giveUp(Hopelessness(reason: end.reason ?? end.words, status: status))
                }
                if end.exitStatus == SlotExit.left || end.exitStatus == SlotExit.refused { return }
                losses.report(
                    slot: SlotConfiguration.slotName(worker: name, pid: end.pid, token: slotToken), reason: end.words,
                    isOutOfMemory: end.isOutOfMemory)
            })
        try supervisor.start()
        sign?.raise()
    }

    /// Makes the folder for data, so that one that cannot be is told here, and not by each slot again and again.
    private static func makeFolder(_ data: String) throws {
        func refused(_ call: String, _ path: String, _ number: Int32) -> SplitreelError {
            var error = writingFailure(call, path, errno: number)
            if error.hint.isEmpty { error.hint = "name a folder that you may write to with \(.dataFolder)" }
            return error
        }
        do throws(FolderFailure) { try makeFolders(data) } catch { throw refused("mkdir", error.path, error.number) }
        guard access(data, W_OK | X_OK) == 0 else { throw refused("access", data, errno) }
    }

    /// Begins to leave: no chunk is begun, those in hand are finished and sent if the time suffices, else handed back.
    /// Returns at once.
    package func drain() {
        sign?.lower()
        // Drained on a thread of its own: the next signal must not wait for it.
        startThread("drain") { [self] in
            supervisor.drain(timeout: patience)
            leaving.drained()
        }
    }

    /// Ends the slots at once. `wait` does not return then: the caller ends the process.
    package func kill() {
        leaving.hurry()
        supervisor.kill()
        losses.close()
    }

    /// Blocks until the worker has left; answers the reason why none can work here, if that is the end.
    package func wait() -> Hopelessness? {
        let hopelessness = leaving.wait()
        if hopelessness != nil { supervisor.drain(timeout: patience) }
        losses.close()
        return hopelessness
    }

    /// The arguments of the processes that are the slots.
    private static func slots(_ settings: WorkerSettings, _ token: String, log: String?) -> SlotArguments {
        var arguments = SlotArguments(
            worker: settings.name, endpoint: settings.connect, token: token, roots: settings.roots,
            maps: settings.maps, log: log, memoryBytes: MachineShare.current.bytesForWorkers, data: settings.data)
        arguments.tokenSource = settings.tokenSource
        arguments.cache = settings.cache
        arguments.cacheBytes = settings.cacheBytes
        arguments.isConfined = settings.sandbox
        arguments.tellsMachine = true
        arguments.drainSeconds = settings.drainSeconds
        return arguments
    }

    /// Says in the log where the worker connects to, and whether anybody is there.
    private static func announce(_ settings: WorkerSettings, _ logger: Logger) throws {
        var facts: Logger.Metadata = [
            "endpoint": "\(settings.connect)", "slots": "\(settings.slots)",
            "machine": "\(MachineShare.current.words)",
        ]
        if let reason = try Endpoint(settings.connect).refusal {
            facts["reason"] = "\(reason)"
            logger.warning("waiting for the coordinator, which is not there yet", metadata: facts)
        } else {
            logger.info("connecting, and waiting for the coordinator if it is not there", metadata: facts)
        }
    }

    /// Refuses a coordinator elsewhere: traffic that leaves this machine in the clear must be asked for.
    private static func refuseUnlessLocal(_ settings: WorkerSettings) throws {
        _ = try Endpoint(settings.connect)
        guard !settings.insecure, settings.tokenSource == nil, !isLocal(endpoint: settings.connect) else { return }
        throw SplitreelError(
            .refused, operation: "connecting", subject: Phrase(settings.connect),
            reason: "it is not on this machine, and no token is named",
            hint: """
                name one with \(.token): beside the coordinator `splitreel keys add NAME --role worker --endpoint \
                \(settings.connect) -o FILE` makes it. On a network of your own say \(.insecure)
                """)
    }
}

/// The end of a worker's parent: after the drain, unless a second signal ends it first.
private final class Leaving: Sendable {
    private let isHurried = Mutex(false)
    private let end = OneShot<FarmWorker.Hopelessness?>()

    /// Ends the worker, since a slot has said that none can work here.
    func giveUp(_ hopelessness: FarmWorker.Hopelessness) { end.set(hopelessness) }

    /// Lets whoever was told to hurry end the process from now on, with a status of its own.
    func hurry() { isHurried.withLock { $0 = true } }

    func drained() {
        if !isHurried.withLock({ $0 }) { end.set(nil) }
    }

    func wait() -> FarmWorker.Hopelessness? { end.wait() }
}
