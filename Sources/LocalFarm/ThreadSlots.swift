import Diagnostics
import Glibc
import Libav
import Logging
import MediaWriting
import Preparation
import Rendering
import Scheduling
import SplitreelFiles
import SplitreelProject
import Synchronization
import Threads
import Worker

/// The slots of a local farm that are threads of this process: for a program that cannot start itself as its own
/// worker. They read media unconfined, and a file that brings a reader down takes the program along. From any thread.
final class ThreadSlots: Sendable {
    private struct State {
        var isOver = false
        /// The slots at work, by the number of their thread.
        var slots: [Int: WorkerSlot] = [:]
        var threads: [DedicatedThread] = []
    }

    private let make: @Sendable () throws -> WorkerSlot
    private let count: Int
    /// A call for each slot that ends though nobody ended it, with the words for it.
    private let onEnd: @Sendable (String) -> Void
    private let state = Mutex(State())
    /// Opened when the slots are ended.
    private let ended = Latch()

    /// The time that a render has to stop once it is cancelled: it cannot be ended by force.
    private static let patience = Duration.seconds(60)
    /// The time before a slot that ended by itself is made anew.
    private static let pause = Duration.milliseconds(200)

    /// - Parameters:
    ///   - folder: the farm's own folder.
    ///   - memoryBytes: the memory that all slots together may take; nil for no limit.
    ///   - cache: the folder of blocks of sources from afar; nil where none come.
    init(
        endpoint: String, folder: String, count: Int, memoryBytes: Int?, cache: String?,
        onEnd: @escaping @Sendable (String) -> Void
    ) {
        Self.prepare()
        self.count = count
        self.onEnd = onEnd
        make = {
            var configuration = SlotConfiguration(
                endpoint: endpoint, workerName: "local",
                slotName: SlotConfiguration.slotName(worker: "local", token: SlotConfiguration.newToken()),
                watchStandardInput: false)
            configuration.describeProgram()
            configuration.workerPID = getpid()
            configuration.memoryBytes = memoryBytes
            configuration.limits.cancel = Self.patience
            if let cache {
                configuration.dataFolder = folder + "/slots"
                configuration.cacheFolder = cache
            }
            try configuration.decideOpening()
            let logger = Logger(label: "slot") { _ in SwiftLogNoOpLogHandler() }
            return try WorkerSlot(
                configuration, logger: logger, exitNow: { _ in },
                render: rendering(with: SegmentRenderer(opener: configuration.opener)))
        }
    }

    private static let prepared: Void = {
        // SVT-AV1 prints its settings for each encoder; its warnings are told.
        setenv("SVT_LOG", "2", 0)
        if ServiceLog.level == nil { Libav.listen(nil) }
    }()

    private static func prepare() { _ = prepared }

    /// Starts the threads. Throws `.systemLimit` with none left where one cannot be had.
    func start() throws {
        do {
            for number in 0..<count {
                let thread = try DedicatedThread(name: "slot-\(number)", stackBytes: 8 << 20) { [self] in keep(number) }
                state.withLock { $0.threads.append(thread) }
            }
        } catch {
            end()
            throw error
        }
    }

    /// Runs one slot after the other until all are ended.
    private func keep(_ number: Int) {
        while true {
            let words: String
            do {
                let slot = try make()
                let isOver = state.withLock { state in
                    state.slots[number] = slot
                    return state.isOver
                }
                if isOver { slot.abandon() }
                words = "a slot ended with the status \(slot.run())"
            } catch {
                words = (error as? SplitreelError)?.reason.description ?? String(describing: error)
            }
            let isOver = state.withLock { state in
                state.slots[number] = nil
                return state.isOver
            }
            if isOver { return }
            onEnd(words)
            if ended.isOpen(within: Self.pause) { return }
        }
    }

    /// Ends what is rendered, and waits until the threads have ended. Idempotent. Blocks.
    func end() {
        let (slots, threads) = state.withLock { state in
            state.isOver = true
            defer { state.threads = [] }
            return (Array(state.slots.values), state.threads)
        }
        ended.open()
        for slot in slots { slot.abandon() }
        for thread in threads { thread.join() }
    }
}
