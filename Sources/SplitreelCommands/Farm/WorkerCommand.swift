import ArgumentParser
import Diagnostics
import FarmKeys
import Foundation
package import KeyFiles
import LocalFarm
import Logging
import Preparation
import Scheduling
import SplitreelFiles
import SplitreelSettings
import Synchronization
import Threads
import Transport
import Worker

struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Render chunks for a coordinator, one per slot.",
        discussion: """
            Each slot is a process of its own, so that one that hangs or leaks is ended alone. SIGTERM drains: no \
            chunk is begun, and those in hand are finished and sent if --drain-seconds suffices, else handed back; the \
            status is 0 then. A second signal ends it at once; two SIGTERM within 3 s are one. All ends must see the \
            same files, under the same paths or under those that --map says. With --data nothing need be shared: media \
            that the worker does not see are sent to it, and what a slot cannot write beside the output it sends back.

            As a task of Slurm it is called NODE-slurm-JOB where no name is given, and takes no more cores and memory \
            than the job has.

            Every option can stand in the file of --config under its own name (connect, slots, drain-seconds, name, \
            data, cache, cache-bytes, root and map as lists, insecure, sandbox, token; log for the level of logging), \
            or in the environment (SPLITREEL_CONNECT and so on; several roots or maps separated by colons). The \
            command line outranks the environment, the environment the file. Relative paths in a file start from the \
            file's folder.
            """)

    static let slotCounts = 1...256
    /// The seconds that a drain may take: at least what handing back may, up to a day.
    static let drainTimes = Int((SlotLimits().cancel + SlotLimits().drainAnswer).components.seconds)...86400
    static let usualDrain = Int(SlotLimits().whole.components.seconds)
    /// The bytes of blocks that may be kept: 64 MiB to 1 PiB.
    static let cacheSizes = 1 << 26...1 << 50

    @Option(help: "The coordinator's endpoint (default: the token's, else \(DefaultEndpoint.words)).")
    var connect: String?

    @Option(help: TokenOption.help, completion: .file())
    var token: String?

    @Option(help: "Chunks rendered at a time (default: the cores, at most one per GiB of memory).")
    var slots: Int?

    @Option(
        help: """
            Seconds after SIGTERM within which the worker has left, \(Self.drainTimes.lowerBound) or more (default: \
            \(Self.usualDrain)).
            """)
    var drainSeconds: Int?

    @Option(help: "What others see this worker as (default: the machine's name).")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where segments wait until they are sent (default: none is; off this machine, without --root and --map, "
                + "~/.local/state/splitreel/worker)."), completion: .directory)
    var data: String?

    @Option(help: "Where blocks of media that come from afar are kept (default: --data's).", completion: .directory)
    var cache: String?

    @Option(help: "The most bytes of these blocks (default: \(SlotConfiguration.usualCacheBytes)).")
    var cacheBytes: Int?

    @Option(
        name: .customLong("root"), help: "Only media under this folder; may be given several times.",
        completion: .directory)
    var roots: [String] = []

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "Where a folder of the coordinator is on this machine; may be given several times.", valueName: "from=to"))
    var maps: [String] = []

    @Flag(inversion: .prefixedNo, help: "Connect off loopback without a token.")
    var insecure: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Confine what renders; off loopback, refuse to start where the kernel cannot (default).")
    var sandbox: Bool?

    @OptionGroup var config: ConfigOptions

    func validate() throws {
        if let slots, !Self.slotCounts.contains(slots) {
            throw ValidationError("--slots takes \(SettingKey.slots.kind.expectation)")
        }
        if let drainSeconds, !Self.drainTimes.contains(drainSeconds) {
            throw ValidationError("--drain-seconds takes \(SettingKey.drainSeconds.kind.expectation)")
        }
        if let cacheBytes, !Self.cacheSizes.contains(cacheBytes) {
            throw ValidationError("--cache-bytes takes \(SettingKey.cacheBytes.kind.expectation)")
        }
    }

    func run() throws {
        var settings = try WorkerSettings(self, environment: ProcessInfo.processInfo.environment)
        CoreFiles.forbid()
        let farmToken = try settings.tokenSource?.token()
        if connect == nil, let farmToken { settings.connect = farmToken.endpoint }
        if farmToken != nil { hideThisProcess() }
        let security = try farmToken?.security() ?? .open
        try DefaultEndpoint.check(settings.connect)
        settings.chooseData(ProcessInfo.processInfo.environment)
        try refuseUnlessLocal(settings)
        let sandbox = ServiceSandbox(isWanted: settings.sandbox)
        try sandbox.require(for: settings.connect, "connecting")
        ServiceLog.setLevel(settings.log)
        try checkRoots(settings.roots)
        try refuseCacheWithoutData(settings)
        try PathMaps(settings.maps).checkFolders()
        try settings.data.map(makeFolder)
        let slotToken = SlotConfiguration.newToken()
        let logger = ServiceLog.make("worker")
        if let lack = sandbox.lack { logger.warning("what renders is not confined as it should be", metadata: lack) }
        try announce(settings, logger)
        let losses = LossReporter(endpoint: settings.connect, security: security)
        let leaving = Leaving()
        let sign = settings.data.map { ReadySign(ofWorker: slotToken, slots: settings.slots, data: $0) }
        let supervisor = SlotSupervisor(
            arguments: slots(settings, slotToken).words, count: settings.slots, logger: logger,
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
        let patience = Duration.seconds(settings.drainSeconds) + Self.reserve
        let interruption = Interruption(
            status: ExitStatus.cancelled.rawValue, oneTermination: SlotLimits().oneWish,
            // Drained on a thread of its own: the next signal must not wait for it.
            first: {
                sign?.lower()
                startThread("drain") {
                    supervisor.drain(timeout: patience)
                    leaving.drained()
                }
            },
            second: {
                leaving.hurry()
                supervisor.kill()
                losses.close()
            })
        // The main thread has nothing else to do.
        let hopelessness = leaving.wait()
        if hopelessness != nil { supervisor.drain(timeout: patience) }
        losses.close()
        withExtendedLifetime(interruption) {}
        if let hopelessness {
            Console.note("the worker ends, since no retry could help: \(hopelessness.reason)")
            throw Exit(hopelessness.status)
        }
    }

    /// The arguments of the processes that are the slots.
    private func slots(_ settings: WorkerSettings, _ token: String) -> SlotArguments {
        var arguments = SlotArguments(
            worker: settings.name, endpoint: settings.connect, token: token, roots: settings.roots,
            maps: settings.maps, memoryBytes: MachineShare.current.bytesForWorkers, data: settings.data)
        arguments.tokenSource = settings.tokenSource
        arguments.cache = settings.cache
        arguments.cacheBytes = settings.cacheBytes
        arguments.isConfined = settings.sandbox
        arguments.tellsMachine = true
        arguments.drainSeconds = settings.drainSeconds
        return arguments
    }

    /// The time after which a slot that has not left by itself is killed.
    private static let reserve = Duration.seconds(5)

    /// Says in the log where the worker connects to, and whether anybody is there.
    private func announce(_ settings: WorkerSettings, _ logger: Logger) throws {
        if let reason = try Endpoint(settings.connect).refusal {
            logger.warning(
                "waiting for the coordinator, which is not there yet",
                metadata: [
                    "endpoint": "\(settings.connect)", "reason": "\(reason)", "slots": "\(settings.slots)",
                    "machine": "\(MachineShare.current.words)",
                ])
        } else {
            logger.info(
                "connecting, and waiting for the coordinator if it is not there",
                metadata: [
                    "endpoint": "\(settings.connect)", "slots": "\(settings.slots)",
                    "machine": "\(MachineShare.current.words)",
                ])
        }
    }

    /// Refuses a cache that nothing would come into.
    private func refuseCacheWithoutData(_ settings: WorkerSettings) throws {
        guard settings.data == nil, let cache = settings.cache else { return }
        throw SplitreelError(
            .usage, operation: "starting a worker", subject: "--cache \(cache)",
            reason: "media come from afar only where the worker has a folder for data", hint: "name one with --data")
    }

    /// Makes the folder for data, so that one that cannot be is told here, and not by each slot again and again.
    private func makeFolder(_ data: String) throws {
        let hint = "name a folder that you may write to with --data"
        do throws(FolderFailure) { try makeFolders(data) } catch {
            throw writingFailure("mkdir", error.path, errno: error.number, hint: hint)
        }
        guard access(data, W_OK | X_OK) == 0 else { throw writingFailure("access", data, errno: errno, hint: hint) }
    }

    /// Refuses a coordinator elsewhere: traffic that leaves this machine in the clear must be asked for.
    private func refuseUnlessLocal(_ settings: WorkerSettings) throws {
        _ = try Endpoint(settings.connect)
        guard !settings.insecure, settings.tokenSource == nil, !isLocal(endpoint: settings.connect) else { return }
        throw SplitreelError(
            .refused, operation: "connecting", subject: settings.connect,
            reason: "it is not on this machine, and no token is named",
            hint: """
                name one with --token: beside the coordinator `splitreel keys add NAME --role worker --endpoint \
                \(settings.connect) -o FILE` makes it. On a network of your own say --insecure
                """)
    }
}

/// The settings of a worker, from every source; paths are absolute.
package struct WorkerSettings: Equatable {
    package var connect: String
    package var slots: Int
    /// The seconds after SIGTERM within which the slots have left.
    package var drainSeconds: Int
    package var name: String
    /// The folder for what is sent and fetched; nil where the work folders are shared.
    package var data: String?
    /// The folder for blocks of media that come from afar; nil for the one above.
    package var cache: String?
    /// The most bytes of these blocks; nil for the usual number.
    package var cacheBytes: Int?
    package var roots: [String]
    /// The texts `FROM=TO` of folders that are mapped.
    package var maps: [String]
    package var insecure: Bool
    package var sandbox: Bool
    package var log: String?
    /// The place of the token; nil for none.
    package var tokenSource: TokenSource?

    init(_ command: WorkerCommand, environment: [String: String]) throws {
        let settings = try command.config.settings(for: .worker, environment)
        connect = settings.text(.connect, flag: command.connect) ?? DefaultEndpoint.text(environment)
        let slurm = SlurmTask(environment)
        slots = settings.whole(.slots, flag: command.slots) ?? MachineShare(environment: environment).defaultWorkers
        drainSeconds = settings.whole(.drainSeconds, flag: command.drainSeconds) ?? WorkerCommand.usualDrain
        name = settings.text(.name, flag: command.name) ?? slurm?.workerName ?? ProcessInfo.processInfo.hostName
        data = try settings.text(.data, flag: command.data).map(absolutePath)
        cache = try settings.text(.cache, flag: command.cache).map(absolutePath)
        cacheBytes = settings.whole(.cacheBytes, flag: command.cacheBytes)
        // An address is refused as it was written.
        roots = try settings.list(.root, flag: command.roots).map { $0.looksLikeAddress ? $0 : try absolutePath($0) }
        maps = settings.list(.map, flag: command.maps)
        insecure = settings.truth(.insecure, flag: command.insecure) ?? false
        sandbox = settings.truth(.sandbox, flag: command.sandbox) ?? true
        log = settings.text(.log)
        tokenSource = TokenSource(flag: command.token, environment: environment, setting: settings.text(.token))
    }

    /// Names a folder for data where nobody has, and the worker opens no path that the coordinator names: all comes and
    /// goes over the network then.
    package mutating func chooseData(_ environment: [String: String]) {
        guard data == nil, roots.isEmpty, maps.isEmpty, !isLocal(endpoint: connect) else { return }
        data = UserFolder.state(in: environment) + "/worker"
    }

    /// The settings of a command line and an environment.
    package init(arguments: [String], environment: [String: String]) throws {
        try self.init(WorkerCommand.parse(arguments), environment: environment)
    }
}

/// The reason why none can work here, and the status with which the worker ends for it.
private struct Hopelessness {
    let reason: String
    let status: ExitStatus
}

/// The end of a worker's parent: after the drain, unless a second signal ends it first.
private final class Leaving: Sendable {
    private let isHurried = Mutex(false)
    private let end = OneShot<Hopelessness?>()

    /// Ends the worker, since a slot has said that none can work here.
    func giveUp(_ hopelessness: Hopelessness) { end.set(hopelessness) }

    /// Lets whoever was told to hurry end the process from now on, with a status of its own.
    func hurry() { isHurried.withLock { $0 = true } }

    func drained() {
        if !isHurried.withLock({ $0 }) { end.set(nil) }
    }

    /// Waits for the end; answers the reason why none can work here, if that is the end.
    func wait() -> Hopelessness? { end.wait() }
}
