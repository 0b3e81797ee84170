import DataPlane
import Diagnostics
import Foundation
import Glibc
import Hashing
import Planning
import Scheduling
import SplitreelFiles
import Synchronization
import Transfer
import Transport

/// A slot's way to a coordinator whose work folder it does not see: it fetches what a plan names, and sends its
/// segments from a folder of its own. From any thread.
final class SlotTransfer: Sendable {
    let line: DataLine
    private let outbox: OutboxFolder
    private let objects: String
    /// The lock on the slot's folder: whoever starts later removes the folders that nobody holds.
    private let lock: FileLock
    private let state = Mutex(State())
    private let fetching = Mutex(())
    /// The most objects that are kept.
    private static let mostObjects = 32

    private struct State {
        var kept: [Holding: OutboxItem] = [:]
        /// The objects that were fetched, the oldest first.
        var fetched: [String] = []
    }

    /// Makes a folder for the slot in `base`, and starts the thread of its line. Throws as writing does.
    init(
        folder base: String, slot: String, security: LinkSecurity, events: @escaping @Sendable (SlotEvent) -> Void
    ) throws {
        let slots = "\(base)/slots"
        let own = Self.folder(in: base, slot: slot)
        Self.removeUnheld(in: slots)
        lock = try Self.held(own)
        objects = "\(own)/objects"
        try Self.make(objects)
        outbox = try OutboxFolder(path: Self.outbox(in: base, slot: slot))
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

    /// Removes the folders of slots whose processes are gone.
    private static func removeUnheld(in slots: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: slots)) ?? [] {
            let path = "\(slots)/\(name)"
            guard let lock = try? FileLock(path: path, kind: .folder) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            lock.unlock()
        }
    }

    /// The path of an object of a job, by its SHA-256 in hexadecimal digits; fetched where it is not here. Blocks.
    /// Throws `.planMismatch` for what is no sum, else as `DataLine.fetchObject` does.
    func object(_ hash: String, of job: String) throws -> String {
        guard let sum = bytes(ofSHA256: hash) else {
            throw SplitreelError(
                .planMismatch, operation: "fetching", subject: "job \(job)", reason: "its plan has no SHA-256")
        }
        let path = "\(objects)/\(hash)"
        // Two threads may want the same plan.
        try fetching.withLock { _ in
            if state.withLock({ $0.fetched.contains(hash) }) { return }
            try line.fetchObject(sum, of: job, into: path)
            note(hash)
        }
        return path
    }

    private func note(_ hash: String) {
        let gone = state.withLock { state -> String? in
            state.fetched.append(hash)
            return state.fetched.count > Self.mostObjects ? state.fetched.removeFirst() : nil
        }
        if let gone { try? FileManager.default.removeItem(atPath: "\(objects)/\(gone)") }
    }

    /// The path at which a lease's segment is to be rendered.
    func place(_ order: LeaseOrder) throws -> String { try outbox.place(order.segment, of: order.holding) }

    /// Fetches the parts that a lease's sound is encoded from, with their records, to where its segment is rendered.
    func bringParts(_ plan: RenderPlan, _ order: LeaseOrder) throws {
        // The parts' tasks follow the sound's.
        let first = plan.chunks.count + 1
        for (index, epoch) in order.mixEpochs.enumerated() {
            let name = RenderPlan.soundPartName(index, epoch: epoch)
            for isRecord in [false, true] {
                let path = try outbox.place(isRecord ? name + ".json" : name, of: order.holding)
                let part = DataSubject.segment(task: first + index, epoch: epoch, file: 0, isRecord: isRecord)
                try line.fetchFile(part, of: order.holding.job, into: path)
            }
        }
    }

    /// Notes that the segment's files are complete; they are on the disk when this returns.
    func keep(_ order: LeaseOrder, files count: Int) throws {
        let names = (0..<count).map { SegmentSet.path(order.segment, file: $0) }
        let item = try outbox.keep(order.holding, files: names)
        state.withLock { $0.kept[order.holding] = item }
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
