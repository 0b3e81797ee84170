import DataPlane
import Diagnostics
import Drawings
import FarmProtocol
import Foundation
import Hashing
import MediaFacts
import Outputs
import Planning
import Scheduling
import SplitreelFiles
import SplitreelProject

// The data service's questions: it knows no jobs.
extension Coordinator: DataDesk {
    nonisolated func find(
        _ question: DataQuestion, _ answer: @escaping @Sendable (Result<DataPlace, any Error>) -> Void
    ) {
        post { answer($0.place(of: question)) }
    }

    nonisolated func admit(
        _ offer: SegmentOffer, _ answer: @escaping @Sendable (Result<String, any Error>) -> Void
    ) {
        post { answer($0.place(for: offer)) }
    }

    nonisolated func came(_ bytes: [Holding: Int64]) {
        post { coordinator in
            // Time stands still while nothing can be stored.
            guard coordinator.storeFault == nil else { return }
            for (holding, count) in bytes { coordinator.enqueue(.arriving(holding, bytes: count)) }
        }
    }

    nonisolated func over(
        of holdings: Set<Holding>, _ answer: @escaping @Sendable (Set<EndedAttempt>) -> Void
    ) {
        post { answer($0.over(of: holdings)) }
    }

    private func over(of holdings: Set<Holding>) -> Set<EndedAttempt> {
        let ended = holdings.filter { !brain.isCurrent($0) }.map { holding in
            let isDone = brain.isDone(holding.job, task: holding.task, epoch: holding.epoch)
            return EndedAttempt(holding: holding, isKept: isDone || brain.jobs[holding.job] == nil)
        }
        return Set(ended)
    }

    private func place(of question: DataQuestion) -> Result<DataPlace, any Error> {
        let job = question.job
        guard brain.slots[question.slot] != nil, isTakenUp(job) else {
            return .failure(Self.notYet("fetching", "job \(job)"))
        }
        guard brain.isGiven(job, to: question.slot), let prepared = openJobs[job]?.prepared else {
            return .failure(Self.notGiven("job \(job)", "that job is not given to this slot"))
        }
        guard !question.isOfMedia || brain.isLeased(job, to: question.slot) else {
            return .failure(Self.notGiven("job \(job)", "no task of it is leased to this slot's worker"))
        }
        let folder = prepared.folder.path
        let files = planFiles(of: job, prepared.plan)
        let place: DataPlace?
        switch question.what {
        case .source(let path):
            place = files.paths.contains(path) ? DataPlace(path: path, isSource: true) : nil
        case .blockMap(let path): place = Self.blockMap(path, of: job, files, prepared)
        // Clients ask for these, see Coordinator+Store.swift.
        case .film: place = nil
        case .object(let bytes):
            place = Self.object(hexadecimal(bytes), files, prepared, allotment: openJobs[job]?.allotmentHash)
        case .segment(let file):
            place = segment(file, of: job, prepared).map { DataPlace(path: "\(folder)/\($0)", isSource: false) }
        }
        guard var found = place else { return .failure(Self.notGiven("job \(job)", "it has nothing of that name")) }
        found.view = storeFolder?.view(ofJob: job)
        if case .object(let bytes) = question.what, hexadecimal(bytes) == prepared.hash {
            found.ahead = mapsAhead(of: job, prepared)
        }
        return .success(found)
    }

    /// The most bytes of sources whose maps are made before they are asked for: some tenths of a second of reading.
    private static let mostBytesAhead: Int64 = 512 << 20
    private static let mostMapsAhead = 64

    /// The maps that a worker asks for when it has read the plan: they are made while it does. None the second time,
    /// and none of sources that take long to read, since the worker may see them.
    private func mapsAhead(of job: String, _ prepared: PreparedJob) -> [SourceMap] {
        guard openJobs[job]?.hasMapsAhead == false else { return [] }
        openJobs[job]?.hasMapsAhead = true
        let files = prepared.plan.assets.sorted { $0.key < $1.key }.flatMap(\.value.files)
        let sources = files.filter { $0.indexName != nil }
        guard sources.count <= Self.mostMapsAhead, sources.reduce(0, { $0 + $1.byteCount }) <= Self.mostBytesAhead
        else { return [] }
        return sources.map { SourceMap(of: $0, job: job, in: prepared.folder.path) }
    }

    /// Whether it is known what has become of a job: after a restart its disk may not have answered yet.
    private func isTakenUp(_ job: String) -> Bool {
        brain.jobs[job] != nil || !recovery.jobs.contains { $0.submission.id == job }
    }

    private static func notYet(_ operation: String, _ subject: String) -> SplitreelError {
        SplitreelError(
            .transportFailed, operation: "\(operation)", subject: "\(subject)",
            reason: "the slot has not registered (again), or the job is not taken up yet", hint: "it is tried again")
    }

    private static func notGiven(_ subject: String, _ reason: String) -> SplitreelError {
        SplitreelError(.refused, operation: "fetching", subject: "\(subject)", reason: "\(reason)")
    }

    /// The files of a job's plan, which are noted once.
    private func planFiles(of job: String, _ plan: RenderPlan) -> PlanFiles {
        if let known = openJobs[job]?.planFiles { return known }
        let files = PlanFiles(plan)
        openJobs[job]?.planFiles = files
        return files
    }

    /// The place of the map of a source's blocks beside the plan, whether it is made or not.
    private static func blockMap(
        _ path: String, of job: String, _ files: PlanFiles, _ prepared: PreparedJob
    ) -> DataPlace? {
        guard let facts = files.file(at: path, in: prepared.plan) else { return nil }
        let map = SourceMap(of: facts, job: job, in: prepared.folder.path)
        return DataPlace(path: map.file, isSource: false, map: map)
    }

    /// The place of what a plan names by its SHA-256: itself, an index, a font, a table or an allotment.
    private static func object(
        _ sum: String, _ files: PlanFiles, _ prepared: PreparedJob, allotment: String?
    ) -> DataPlace? {
        let folder = prepared.folder.path
        if sum == prepared.hash { return DataPlace(path: "\(folder)/plan.json", isSource: false) }
        if sum == allotment { return DataPlace(path: "\(folder)/\(Allotment.fileName)", isSource: false) }
        // Fonts of the system lie outside of all roots.
        if let face = prepared.plan.fonts?.faces.first(where: { $0.sum == sum }) {
            return DataPlace(path: face.path, isSource: face.asset != nil)
        }
        guard let file = files.file(ofSum: sum, in: prepared.plan) else { return nil }
        guard let index = file.indexName else { return DataPlace(path: file.path, isSource: true) }
        return DataPlace(path: "\(folder)/\(index)", isSource: false)
    }

    /// The name of a file of a segment that is done.
    private func segment(
        _ file: Splitreel_Farm_SegmentFile, of job: String, _ prepared: PreparedJob
    ) -> String? {
        let task = Int(file.task)
        let epoch = Int(file.epoch)
        let number = Int(file.file)
        guard brain.isDone(job, task: task, epoch: epoch), number < SegmentSet.mostFiles else { return nil }
        let holding = Holding(job: job, task: task, epoch: epoch, lease: LeaseID(high: 0, low: 0))
        return Self.name(of: holding, prepared.plan, file: number, isRecord: file.isRecord)
    }

    private static func name(of holding: Holding, _ plan: RenderPlan, file: Int, isRecord: Bool) -> String {
        let first = SegmentFile.name(holding, plan.part(ofTask: holding.task))
        return SegmentSet.path(first, file: file) + (isRecord ? ".json" : "")
    }

    private func place(for offer: SegmentOffer) -> Result<String, any Error> {
        let holding = offer.key.holding
        let task = "task \(holding.task) of job \(holding.job)"
        guard isTakenUp(holding.job) else { return .failure(Self.notYet("taking a segment", task)) }
        // The lease, which nobody else knows, is the proof that it is the slot's; under keys the slot is the key's too.
        guard let slot = brain.slot(of: holding), offer.sender.mayBe(slot),
            let prepared = openJobs[holding.job]?.prepared
        else {
            let error = SplitreelError(
                .cancelled, operation: "taking a segment", subject: "\(task)",
                reason: "another attempt has taken its place, or it is taken already")
            return .failure(error)
        }
        let files = prepared.plan.mostBytes(ofTask: holding.task)
        guard files.indices.contains(offer.key.file) else {
            return .failure(Self.notGiven("job \(holding.job)", "the segment has not that many files"))
        }
        let most = offer.key.isRecord ? Int64(SegmentRecord.mostBytes) : files[offer.key.file]
        guard offer.size <= most else {
            let error = SplitreelError(
                .segmentInvalid, operation: "taking a segment", subject: "\(task)",
                reason: "a file of \(offer.size) bytes is offered; this one has \(most) at most")
            return .failure(error)
        }
        let name = Self.name(
            of: holding, prepared.plan, file: offer.key.file, isRecord: offer.key.isRecord)
        return .success("\(prepared.folder.path)/\(name)")
    }
}
