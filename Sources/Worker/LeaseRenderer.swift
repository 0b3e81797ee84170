import Diagnostics
import Foundation
import Glibc
import Hashing
import MediaFacts
import Outputs
import Planning
import Rendering
import Scheduling
import SplitreelFiles
import Threads
import Transfer
import Transport

/// Renders one lease at a time on a thread of its own.
final class LeaseRenderer: Sendable {
    private let configuration: SlotConfiguration
    private let policy: RootPolicy
    private let transfer: SlotTransfer?
    private let render: RenderFunction
    private let plans = PlanCache()
    private let allotments = AllotmentCache()
    /// The threads that check assets. A mount that hangs keeps one thread and not the others.
    private let checkers = ThreadPool(name: "assets", size: 4, capacity: 1024)

    init(
        configuration: SlotConfiguration, transfer: SlotTransfer? = nil, render: @escaping RenderFunction
    ) throws {
        self.configuration = configuration
        self.transfer = transfer
        self.render = render
        policy = try RootPolicy(configuration.pathRoots, opensPaths: configuration.opensPaths)
    }

    /// Starts the thread; `events` gets progress and, last, exactly one `.rendered`, on that thread.
    func start(
        _ order: LeaseOrder, cancellation: Cancellation, events: @escaping @Sendable (SlotEvent) -> Void
    ) {
        let holding = order.holding
        let order = order.here(configuration.maps)
        do {
            _ = try DedicatedThread(name: "render", stackBytes: configuration.renderStackBytes) { [self] in
                let stop = WorkStop()
                transfer?.beginRender(stop)
                let result = Result {
                    try cancellation.during({ stop.stop() }) { try make(order, cancellation, stop, events) }
                }
                events(.rendered(holding, result.mapError { Self.known($0, order) }))
            }
        } catch {
            events(.rendered(holding, .failure(Self.known(error, order))))
        }
    }

    private func make(
        _ order: LeaseOrder, _ cancellation: Cancellation, _ stop: WorkStop,
        _ events: @escaping @Sendable (SlotEvent) -> Void
    ) throws -> SlotResult {
        let started = ContinuousClock.now
        let sender = sender(order.folder)
        if sender == nil { try policy.check(order) }
        let planPath = try sender?.object(order.planHash, of: order.holding.job, stop: stop) ?? order.planPath
        let plan = try plans.plan(path: planPath, hash: order.planHash)
        try plan.requireName(of: order)
        if configuration.opener == nil { try policy.check(plan) }
        try requireSameLibraries(plan)
        let holding = order.holding
        configuration.sourceHands?.begin(holding.job)
        try sender?.line.requireRoom(for: plan.estimatedBytes(ofTask: holding.task))
        let task = try plan.task(at: holding.task, mixEpochs: order.mixEpochs) {
            try allotments.allotment(order, at: try sender?.object(order.allotmentHash, of: holding.job, stop: stop))
        }
        let path = try sender?.place(order) ?? order.segmentPath
        do {
            try sender?.bringParts(plan, order)
            let records = try render(
                plan, order.planHash, task, order.key, path,
                { done, total in events(.progress(holding, done: done, total: total)) }, cancellation)
            guard !records.isEmpty, let hash = bytes(ofSHA256: SegmentSet.hash(of: records)) else {
                throw SplitreelError(
                    .internalFault, operation: "rendering", subject: order.segment,
                    reason: "the segment's hash is not a SHA-256")
            }
            let result = SlotResult(
                segmentHash: hash, seconds: (ContinuousClock.now - started).inSeconds, isKept: sender != nil,
                sources: configuration.sourceHands?.takeBytes() ?? SourceBytes())
            try sender?.keep(order, result, records)
            return result
        } catch {
            sender?.discard(order)
            throw error
        }
    }

    /// The way by which files come and go where this slot cannot write into the coordinator's work folder, or must not;
    /// nil where it can, and where there is no other way.
    private func sender(_ folder: String) -> SlotTransfer? {
        guard let transfer else { return nil }
        guard configuration.opensPaths else { return transfer }
        guard (try? policy.check(folder)) != nil else { return transfer }
        return unsafe access(folder, W_OK | X_OK) == 0 ? nil : transfer
    }

    /// Looks whether this process could work with a job's files; `answer` is called once, on another thread. Where too
    /// many questions wait, or the slot ends, it is not called, and the coordinator asks again.
    func check(_ order: AssetOrder, answer: @escaping @Sendable (SplitreelError?) -> Void) {
        _ = try? checkers.run(for: order.job) { [self] in
            do {
                try look(order.here(configuration.maps))
                answer(nil)
            } catch let error as SplitreelError where error.code == .cancelled {
                // The slot ends, which says nothing of the files.
            } catch let error as SplitreelError {
                answer(error)
            } catch {
                answer(
                    SplitreelError(
                        .internalFault, operation: "checking the assets", subject: order.job,
                        reason: String(describing: error)))
            }
        }
    }

    private func look(_ order: AssetOrder) throws {
        let sender = sender(order.folder)
        if sender == nil {
            try policy.check(order.planPath)
            try policy.check(order.folder)
        }
        // Read anew, not from the cache: a question about another job must not push out the plan that is being
        // rendered.
        let planPath = try sender?.object(order.planHash, of: order.job, stop: WorkStop()) ?? order.planPath
        let plan = try PlanCache().plan(path: planPath, hash: order.planHash)
        if configuration.opener == nil { try policy.check(plan) }
        try requireSameLibraries(plan)
        let mayWrite = unsafe access(order.folder, W_OK | X_OK) == 0
        guard sender != nil || mayWrite else {
            throw SplitreelError(
                .outputNotWritable, operation: "checking the work folder", subject: order.folder,
                reason: unsafe String(cString: strerror(errno)),
                hint: "workers write their segments beside the output, and need the right to")
        }
        var seen: Set<String> = []
        for asset in plan.assets.sorted(by: { $0.key < $1.key }).flatMap(\.value.files)
        where seen.insert(asset.path).inserted {
            // Films of hours are read whole only by who renders from them: the answer is waited for.
            if let opener = configuration.opener { try opener.check(asset) } else { try checkEdges(asset) }
        }
    }

    /// Throws where the plan was made with other libraries. The coordinator compares too; this is for one that does
    /// not.
    private func requireSameLibraries(_ plan: RenderPlan) throws {
        guard let versions = plan.versions, !configuration.versions.isEmpty, versions != configuration.versions else {
            return
        }
        throw SplitreelError(
            .workerDiffers, operation: "reading the plan", subject: configuration.workerName,
            reason: "the plan was made with \(versions.joined(separator: ", ")), and here are "
                + configuration.versions.joined(separator: ", "),
            hint: "install the same packages on all machines")
    }

    /// Removes a task's segments and their records from the work folder, where they are there, and where this slot may
    /// write.
    func discard(_ order: LeaseOrder) {
        let order = order.here(configuration.maps)
        guard sender(order.folder) == nil, (try? policy.check(order.folder)) != nil else { return }
        for path in SegmentSet.allPaths(order.segmentPath) { unsafe unlink(path) }
    }

    private static func known(_ error: any Error, _ order: LeaseOrder) -> SplitreelError {
        error as? SplitreelError
            ?? SplitreelError(
                .internalFault, operation: "rendering", subject: order.segment, reason: String(describing: error))
    }
}

extension RenderPlan {
    /// Throws `.planMismatch` unless the lease's segment has the name of its task's: another one may be anybody's file.
    fileprivate func requireName(of order: LeaseOrder) throws {
        let name = part(ofTask: order.holding.task)?.segmentName(epoch: order.holding.epoch)
        guard name == order.segment else {
            throw SplitreelError(
                .planMismatch, operation: "reading a lease", subject: "\(order.segment)",
                reason: "the segment of its task has another name")
        }
    }
}

extension LeaseOrder {
    /// The order with the paths that its files have on this machine.
    fileprivate func here(_ maps: PathMaps) -> LeaseOrder {
        var order = self
        order.planPath = maps.here(planPath)
        order.folder = maps.here(folder)
        return order
    }
}

extension AssetOrder {
    /// The question with the paths that the files have on this machine.
    fileprivate func here(_ maps: PathMaps) -> AssetOrder {
        AssetOrder(job: job, planPath: maps.here(planPath), planHash: planHash, folder: maps.here(folder))
    }
}
