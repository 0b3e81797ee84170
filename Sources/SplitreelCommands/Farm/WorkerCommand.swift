import ArgumentParser
import Diagnostics
import FarmKeys
import Foundation
import KeyFiles
import LocalFarm
import Preparation
import Scheduling
import SplitreelFiles
import SplitreelSettings
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
            \(WorkerSettings.usualDrain)).
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
        if connect == nil, let farmToken = try settings.tokenSource?.token() { settings.connect = farmToken.endpoint }
        if settings.tokenSource != nil { hideThisProcess() }
        try DefaultEndpoint.check(settings.connect)
        settings.chooseData(ProcessInfo.processInfo.environment)
        ServiceLog.setLevel(settings.log)
        try refuseCacheWithoutData(settings)
        let worker = try FarmWorker(settings, logger: ServiceLog.make("worker"))
        let interruption = Interruption(
            status: ExitStatus.cancelled.rawValue, oneTermination: SlotLimits().oneWish,
            first: { worker.drain() }, second: { worker.kill() })
        // The main thread has nothing else to do.
        let hopelessness = worker.wait()
        withExtendedLifetime(interruption) {}
        if let hopelessness {
            Console.note("the worker ends, since no retry could help: \(hopelessness.reason)")
            throw Exit(hopelessness.status)
        }
    }

    /// Refuses a cache that nothing would come into.
    private func refuseCacheWithoutData(_ settings: WorkerSettings) throws {
        guard settings.data == nil, let cache = settings.cache else { return }
        throw SplitreelError(
            .usage, operation: "starting a worker", subject: "--cache \(cache)",
            reason: "media come from afar only where the worker has a folder for data", hint: "name one with --data")
    }
}

extension WorkerSettings {
    /// The settings from every source.
    init(_ command: WorkerCommand, environment: [String: String]) throws {
        let settings = try command.config.settings(for: .worker, environment)
        let slurm = SlurmTask(environment)
        self.init(
            connect: settings.text(.connect, flag: command.connect) ?? DefaultEndpoint.text(environment),
            slots: settings.whole(.slots, flag: command.slots) ?? MachineShare(environment: environment).defaultWorkers,
            drainSeconds: settings.whole(.drainSeconds, flag: command.drainSeconds) ?? WorkerSettings.usualDrain,
            name: settings.text(.name, flag: command.name) ?? slurm?.workerName ?? ProcessInfo.processInfo.hostName)
        data = try settings.text(.data, flag: command.data).map(absolutePath)
        // An address is one of chunks, which a worker does not keep.
        cache = try settings.folder(.cache, flag: command.cache).map(absolutePath)
        cacheBytes = settings.whole(.cacheBytes, flag: command.cacheBytes)
        // An address is refused as it was written.
        roots = try settings.list(.root, flag: command.roots).map { $0.looksLikeAddress ? $0 : try absolutePath($0) }
        maps = settings.list(.map, flag: command.maps)
        insecure = settings.truth(.insecure, flag: command.insecure) ?? false
        sandbox = settings.truth(.sandbox, flag: command.sandbox) ?? true
        log = settings.text(.log)
        tokenSource = TokenSource(flag: command.token, environment: environment, setting: settings.text(.token))
    }

    /// The settings of a command line and an environment.
    package init(arguments: [String], environment: [String: String]) throws {
        try self.init(WorkerCommand.parse(arguments), environment: environment)
    }
}
