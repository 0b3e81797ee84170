import Diagnostics
import Foundation
package import Hashing
package import Outputs
package import Planning
package import Rendering
import SourceBlocks
import Synchronization
package import Threads

/// The half of a slot that renders, as the half with the network has it: a process for each job, one after the other.
/// It has no key, no socket of the network, no environment but its libraries' and no other job's data. From any thread.
///
/// A process is started ahead: its libraries are loaded while the slot registers. It is confined once its job is known.
package final class MediaHalf: Sendable {
    /// Starts a process, with a second line where it is to ask for blocks of sources.
    package typealias Start = @Sendable (_ takesBlocks: Bool) throws -> HalfProcess

    /// The job of a process: its plan, the folders that it writes to, and who asked for it.
    private struct Key: Hashable {
        let planHash: String
        let writable: [String]
        let job: String
        let leavesDisk: Bool
    }

    private struct State {
        var process: HalfProcess?
        /// The job that the process was told; nil where it waits for its first.
        var key: Key?
        /// Whether a task has failed in the process: the next one has another.
        var isSpent = false
        var lastNumber = 0
        /// Whether the slot ends: a process that ends now has been told to.
        var isOver = false
    }

    private let configuration: SlotConfiguration
    private let start: Start
    private let onCrash: @Sendable (_ status: Int32) -> Void
    /// The threads that get blocks.
    private let pool: ThreadPool?
    private let state = Mutex(State())

    /// The threads that get blocks for one media half.
    private static let width = 8
    /// The most bytes that one task may say it needed: a number of the other half's, which may be anything.
    private static let mostNeeded = 1 << 50

    /// `onCrash` is called where a process ends in the midst of a task, on the task's thread, with the status as
    /// wait(2) has it.
    package init(
        _ configuration: SlotConfiguration, start: @escaping Start,
        onCrash: @escaping @Sendable (_ status: Int32) -> Void
    ) {
        self.configuration = configuration
        self.start = start
        self.onCrash = onCrash
        pool = configuration.sourceStore.map { _ in ThreadPool(name: "blocks", size: Self.width) }
    }

    /// Starts the first process. Throws as starting does.
    package func prepare() throws {
        let process = try start(configuration.sourceStore != nil)
        state.withLock { $0.process = process }
    }

    /// The work that the present process has done; nil where there is none.
    package var work: ProcessWork? { state.withLock { $0.process }?.work }

    /// Kills the process, and starts no other; does not wait. Idempotent.
    package func end() {
        let process = state.withLock { state in
            state.isOver = true
            return state.process
        }
        process?.end()
    }

    /// Renders a task as `SegmentRenderer` does; one at a time. Blocks.
    package func render(
        plan: RenderPlan, planHash: String, task: RenderTask, key: ContentKey, segmentPath: String,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void, cancellation: Cancellation
    ) throws -> [SegmentRecord] {
        let place = HalfPlace(
            segmentPath, own: configuration.opener?.folder(ofPlan: planHash), outbox: configuration.outboxFolder)
        let process = try self.process(for: plan, planHash, place)
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try place.bring(task)
        defer { place.tidy(task) }
        do {
            let records = try order(
                HalfTask(number: number, task: task, key: key, path: place.path), of: process, progress, cancellation)
            try place.publish(records.count)
            return records
        } catch {
            // Its rules are of the files that it found: one that was missing may be there next time.
            if (error as? SplitreelError)?.code != .cancelled { state.withLock { $0.isSpent = true } }
            throw error
        }
    }

    /// The process of a job: the present one, or a new one.
    private func process(for plan: RenderPlan, _ planHash: String, _ place: HalfPlace) throws -> HalfProcess {
        let key = Key(
            planHash: planHash, writable: place.writable, job: configuration.sourceHands?.job ?? "",
            leavesDisk: place.isMoved)
        let (present, told, isSpent) = state.withLock { ($0.process, $0.key, $0.isSpent) }
        if let present, !isSpent, !present.isGone {
            if told == key { return present }
            if told == nil {
                try begin(present, plan, key)
                return present
            }
        }
        present?.end()
        present?.reap()
        let fresh = try start(configuration.sourceStore != nil)
        let isOver = state.withLock { state in
            state.process = fresh
            state.key = nil
            state.isSpent = false
            return state.isOver
        }
        if isOver { fresh.end() }
        try begin(fresh, plan, key)
        return fresh
    }

    private func begin(_ process: HalfProcess, _ plan: RenderPlan, _ key: Key) throws {
        let session = try configuration.halfSession(
            of: plan, key.planHash, writable: key.writable, leavesDisk: key.leavesDisk)
        let bytes = try plan.canonicalBytes()
        state.withLock { $0.key = key }
        // Where it is gone, the task finds out.
        _ = process.line.send(HalfOrder.begin(session), with: bytes)
        guard let store = configuration.sourceStore, let pool, let blocks = process.takeBlocks() else { return }
        let stop = process.stop
        startThread("blocks") { store.serve(plan, on: blocks, pool: pool, stop: stop) }
    }

    private func order(
        _ task: HalfTask, of process: HalfProcess, _ progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
        _ cancellation: Cancellation
    ) throws -> [SegmentRecord] {
        guard process.line.send(HalfOrder.render(task)) else { throw lost(process) }
        let number = task.number
        return try cancellation.during({ _ = process.line.send(HalfOrder.cancel(number: number)) }) {
            () -> [SegmentRecord] in
            while let message = process.line.receive(HalfReport.self) {
                switch message.words {
                case .progress(let other, let done, let total):
                    if other == number { progress(done, total) }
                case .made(let other, let records, let needed) where other == number:
                    guard (1...SegmentSet.mostFiles).contains(records.count) else { throw Self.fault("no segment") }
                    note(needed)
                    return records
                case .failed(let other, let error) where other == number: throw error
                case .made, .failed: continue
                }
            }
            throw lost(process)
        }
    }

    private func note(_ needed: HalfBytes) {
        guard let count = configuration.sourceHands?.count else { return }
        count.need(min(max(0, needed.pictures), Self.mostNeeded), .block)
        count.need(min(max(0, needed.sound), Self.mostNeeded), .extent)
    }

    /// The error for a process that ended in the midst of a task; whoever is to know has been told.
    private func lost(_ process: HalfProcess) -> SplitreelError {
        let status = process.reap()
        process.end()
        if !state.withLock({ $0.isOver }) { onCrash(status) }
        return Self.fault("the process that renders ended")
    }

    private static func fault(_ reason: String) -> SplitreelError {
        SplitreelError(.internalFault, operation: "rendering", subject: "a slot", reason: reason)
    }
}
