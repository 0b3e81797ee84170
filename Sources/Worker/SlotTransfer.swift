import DataPlane
import Diagnostics
import Foundation
import Glibc
import Hashing
import Outputs
import Planning
import Scheduling
import SplitreelFiles
import Synchronization
import Threads
import Transfer
import Transport

/// A slot's way to a coordinator whose work folder it does not see: it fetches what a plan names, and sends its
/// segments from a folder of its own. From any thread.
final class SlotTransfer: Sendable {
    let line: DataLine
    /// The segment that a process left which has ended, and that this slot goes on sending; nil for none.
    let left: LeftSegment?
    private let outbox: OutboxFolder
    private let objects: String
    /// The lock on the slot's folder: whoever starts later removes the folders that nobody holds.
    private let lock: FileLock
    private let state = Mutex(State())
    /// The most objects that are kept.
    private static let mostObjects = 32

    private struct State {
        var kept: [Holding: OutboxItem] = [:]
        /// The objects that were fetched, the oldest first.
        var fetched: [String] = []
        /// The stop of the render in hand.
        var stop = WorkStop()
    }

    /// Makes a folder for the slot in `base`, and starts the thread of its line. Throws as writing does.
    init(
        folder base: String, slot: String, security: LinkSecurity, events: @escaping @Sendable (SlotEvent) -> Void
    ) throws {
        let slots = "\(base)/slots"
        let own = Self.folder(in: base, slot: slot)
        lock = try Self.held(own)
        objects = "\(own)/objects"
        try Self.make(objects)
        outbox = try OutboxFolder(path: Self.outbox(in: base, slot: slot))
        left = Self.takeOver(in: slots, into: outbox)
        line = try DataLine(slot: slot, security: security, outbox: outbox) { report in
            switch report {
            // The slot's brain says so by itself.
            case .sending: break
            case .delivered(let holding): events(.delivered(holding))
            case .gaveUp(let holding, let error): events(.undelivered(holding, error))
            }
        }
        line.start()
    }

    /// The number of segments that wait to be sent, or for the word that they have come.
    var waiting: Int { state.withLock { $0.kept.count } }

    /// The folder of a slot in `base`.
    static func folder(in base: String, slot: String) -> String { "\(base)/slots/\(fileName(of: slot))" }

    /// The folder of a slot's finished segments in `base`.
    static func outbox(in base: String, slot: String) -> String { folder(in: base, slot: slot) + "/outbox" }

    private static func make(_ folder: String) throws {
        do throws(FolderFailure) {
            try makeFolders(folder)
        } catch {
            throw writingFailure("mkdir", error.path, errno: error.number)
        }
    }

    /// Makes a folder and locks it. Another slot that starts may take it for left before it is locked, and remove it.
    private static func held(_ folder: String) throws -> FileLock {
        var attempts = 0
        while true {
            try make(folder)
            do throws(FileLock.Failure) {
                return try FileLock(path: folder, kind: .folder)
            } catch {
                attempts += 1
                let number = error.errorNumber ?? EWOULDBLOCK
                guard attempts < 50, [EWOULDBLOCK, ENOENT].contains(number) else {
                    throw lockingFailure(folder, errno: number)
                }
                usleep(2000)
            }
        }
    }

    /// Ends the line's thread, and whatever waits for bytes; from any thread but its own.
    func stop() {
        line.stop()
        lock.unlock()
    }

    /// The time for which a coordinator keeps the lease of a segment of which nothing comes.
    private static let leaseOfSent: TimeInterval = 900

    /// Takes over one segment of a slot whose process is gone, and removes the folders of such slots. Those with
    /// another segment that may be wanted stay for the next slots, since each goes on with one.
    private static func takeOver(in slots: String, into outbox: OutboxFolder) -> LeftSegment? {
        let oldest = Date(timeIntervalSinceNow: -leaseOfSent)
        var left: LeftSegment?
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: slots)) ?? []).sorted() {
            let path = "\(slots)/\(name)"
            // One that another slot may take over is not locked for a look: that one would pass it by.
            if left != nil, OutboxFolder.hasLeft(path + "/outbox", since: oldest) { continue }
            // A slot that lives holds its folder, as we hold ours.
            guard let lock = try? FileLock(path: path, kind: .folder) else { continue }
            if left == nil { left = outbox.takeOver(from: path + "/outbox", since: oldest) }
            if !OutboxFolder.hasLeft(path + "/outbox", since: oldest) {
                try? FileManager.default.removeItem(atPath: path)
            }
            lock.unlock()
        }
        return left
    }

    /// Takes the stop of the render that begins.
    func beginRender(_ stop: WorkStop) { state.withLock { $0.stop = stop } }

    /// The path of an object of a job, by its SHA-256 in hexadecimal digits; fetched where it is not here. Blocks.
    /// Throws `.planMismatch` for what is no sum, else as `DataLine.fetchObject` does.
    func object(_ hash: String, of job: String, stop: WorkStop) throws -> String {
        guard let sum = bytes(ofSHA256: hash) else {
            throw SplitreelError(
                .planMismatch, operation: "fetching", subject: "job \(job)", reason: "its plan has no SHA-256")
        }
        let path = "\(objects)/\(hash)"
        if state.withLock({ $0.fetched.contains(hash) }) { return path }
        // Two threads may want the same plan, and neither waits for the other's stop.
        let own = "\(path).\(SlotConfiguration.newToken())"
        try line.fetchObject(sum, of: job, into: own, stop: stop)
        try renameFile(own, to: path)
        note(hash)
        return path
    }

    private func note(_ hash: String) {
        let gone = state.withLock { state -> String? in
            guard !state.fetched.contains(hash) else { return nil }
            state.fetched.append(hash)
            return state.fetched.count > Self.mostObjects ? state.fetched.removeFirst() : nil
        }
        if let gone { try? FileManager.default.removeItem(atPath: "\(objects)/\(gone)") }
    }

    /// The path at which a lease's segment is to be rendered.
    func place(_ order: LeaseOrder) throws -> String { try outbox.place(order.segment, of: order.holding) }

    /// Fetches the parts that a lease's sound is encoded from, with their records, to where its segment is rendered.
    /// The stop of the render in hand ends it.
    func bringParts(_ plan: RenderPlan, _ order: LeaseOrder) throws {
        // The parts' tasks follow the sound's.
        let first = plan.chunks.count + 1
        let stop = state.withLock { $0.stop }
        for (index, epoch) in order.mixEpochs.enumerated() {
            let sizes = plan.mostBytes(ofTask: first + index)
            for file in plan.soundMixes.indices where sizes.indices.contains(file) {
                let name = SegmentSet.path(RenderPlan.soundPartName(index, epoch: epoch), file: file)
                for isRecord in [false, true] {
                    let path = try outbox.place(isRecord ? name + ".json" : name, of: order.holding)
                    let part = DataSubject.segment(task: first + index, epoch: epoch, file: file, isRecord: isRecord)
                    let most = isRecord ? Int64(SegmentRecord.mostBytes) : sizes[file]
                    try line.fetchFile(part, of: order.holding.job, into: path, most: most, stop: stop)
                }
            }
        }
    }

    /// Notes that the segment's files, which have these records, are complete; they are on the disk when this returns.
    /// They begin to be sent before, since the disk takes as long as the link.
    func keep(_ order: LeaseOrder, _ result: SlotResult, _ records: [SegmentRecord]) throws {
        let names = records.indices.map { SegmentSet.path(order.segment, file: $0) }
        let word = OutboxWord(hash: hexadecimal(result.segmentHash), seconds: result.seconds)
        let segment = try outbox.complete(
            order.holding, files: names, sums: records.map(\.fileHash), word: word)
        line.begin(segment)
        try outbox.keep(segment)
        state.withLock { $0.kept[order.holding] = segment.item }
    }

    /// Sends a segment that is kept.
    func deliver(_ order: LeaseOrder) {
        if let item = state.withLock({ $0.kept.removeValue(forKey: order.holding) }) { line.send(item) }
    }

    /// Removes a segment, and sends it no more.
    func discard(_ order: LeaseOrder) {
        state.withLock { $0.kept[order.holding] = nil }
        line.drop(order.holding)
        outbox.remove(order.holding)
    }
}

extension LeftSegment {
    /// The work of a slot that goes on with it; nil where its list says nonsense. Its plan is not known any more, nor
    /// needed: it is rendered.
    var work: (order: LeaseOrder, result: SlotResult)? {
        guard let hash = bytes(ofSHA256: word.hash) else { return nil }
        let order = LeaseOrder(
            holding: holding, planPath: "", planHash: "", folder: "", segment: segment, key: ContentKey(of: []))
        return (order, SlotResult(segmentHash: hash, seconds: word.seconds, isKept: true))
    }
}
