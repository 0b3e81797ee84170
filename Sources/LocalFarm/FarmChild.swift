import Diagnostics
import Foundation
import Isolation
import Libav
import Logging
import MediaWriting
import Preparation
import Scheduling
import SplitreelFiles
import SplitreelProject
import Synchronization
import Threads
import Worker

/// The processes of a farm that are this same program, started again: the two halves of slots, and readers of media.
/// Each may crash without harm to the farm.
package enum FarmChild {
    /// Serves where the words start such a process, and ends it then; returns at once where they do not. To be called
    /// at the start of `main`, after the program has registered its own compositors, effects and taps: before anything
    /// that opens a file, starts a thread or prints.
    package static func serve(_ words: [String] = Array(CommandLine.arguments.dropFirst())) {
        isServed.store(true, ordering: .relaxed)
        if let arguments = SlotArguments(words: words) {
            prepare()
            endBeforeOthers(250)
            LibavMemory.takeSmallPages()
            // The parent reads the status: it tells whether to start the slot again.
            exit(serveSlot(arguments))
        }
        if let arguments = MediaHalfArguments(words: words) {
            prepare()
            endBeforeOthers(500)
            LibavMemory.takeSmallPages()
            LibavMemory.shareOneArena()
            _ = logger(arguments.log, slot: arguments.slot)
            serveMediaHalf(forLargePictures: LibavMemory.keepLargeBlocks)
        }
        if let arguments = MediaChildArguments(words: words) {
            prepare()
            ServiceLog.listenToLibav()
            // The parent sees by the closed line that it is gone.
            exit(serveMedia(arguments))
        }
    }

    private static let isServed = Atomic<Bool>(false)

    /// Whether `serve` was called: this program may be its own worker.
    package static var isPossible: Bool { isServed.load(ordering: .relaxed) }

    /// Throws `.usage` where `serve` was not called: this program's children would run its `main`, and start children.
    static func requireServed(_ operation: String = "starting a local farm") throws {
        guard !isPossible else { return }
        throw SplitreelError(
            .usage, operation: operation, subject: "this program",
            reason: "it would not know its own workers", hint: "let `main` begin with `serveFarmIfAsked()`")
    }

    /// Has the system end this process before its parent where memory is short: somebody must be left to tell. The
    /// score is 0 to 1000, in thousandths of the memory that there is.
    private static func endBeforeOthers(_ score: Int) {
        try? Data("\(score)".utf8).write(to: URL(fileURLWithPath: "/proc/self/oom_score_adj"))
    }

    private static func prepare() {
        OpenFileLimit.raise()
        LibavMemory.joinFreedBlocks()
        // SVT-AV1 prints its settings for each encoder; its warnings are told.
        setenv("SVT_LOG", "2", 0)
        // Swift's runtime catches it for a backtrace and goes on: it kills, as everywhere.
        signal(SIGQUIT, SIG_DFL)
    }

    private static func serveSlot(_ arguments: SlotArguments) -> Int32 {
        // It renders in its media half alone.
        LibavMemory.keepFreedBlocks()
        let token = arguments.token ?? SlotConfiguration.newToken()
        var configuration = SlotConfiguration(
            endpoint: arguments.endpoint, workerName: arguments.worker,
            slotName: SlotConfiguration.slotName(worker: arguments.worker, token: token), roots: arguments.roots,
            watchStandardInput: true)
        do { configuration.maps = try PathMaps(arguments.maps) } catch { return ExitStatus.usage.rawValue }
        configuration.describeProgram()
        configuration.workerPID = getppid()
        if arguments.tellsMachine {
            configuration.fontFiles = FontFiles.names(in: FontFiles.folders(ProcessInfo.processInfo.environment))
        }
        configuration.memoryBytes = arguments.memoryBytes
        configuration.tokenSource = arguments.tokenSource
        configuration.dataFolder = arguments.data
        configuration.cacheFolder = arguments.cache
        configuration.cacheBytes = arguments.cacheBytes ?? SlotConfiguration.usualCacheBytes
        configuration.isConfined = arguments.isConfined
        if let seconds = arguments.drainSeconds { configuration.limits.leave(within: .seconds(seconds)) }
        return runWorkerSlot(
            configuration, media: MediaHalfArguments(slot: configuration.slotName, log: arguments.log),
            logger: logger(arguments.log, slot: configuration.slotName))
    }

    /// The log of a slot, whose lines name it as the coordinator's do.
    private static func logger(_ level: String?, slot: String) -> Logger {
        guard level != SlotArguments.noLog else {
            Libav.listen(nil)
            return Logger(label: "slot") { _ in SwiftLogNoOpLogHandler() }
        }
        ServiceLog.setLevel(level)
        var logger = ServiceLog.make("slot")
        logger[metadataKey: "worker.id"] = "\(slot)"
        return logger
    }
}

extension SlotConfiguration {
    /// Says what this program renders with, and on which machine: jobs go to slots that can make them.
    mutating func describeProgram() {
        encoders = availableEncoders()
        versions = rendererVersions()
        effects = EffectRegistry.all.map(\.name)
        release = Release.version
        host = MachineName.current
    }
}
