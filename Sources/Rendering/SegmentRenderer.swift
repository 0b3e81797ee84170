import Diagnostics
import Dispatch
package import Hashing
import MediaReading
import MediaTime
package import Outputs
package import Planning
import SplitreelFiles
import Synchronization

/// Renders tasks of plans to segment files; keeps the last plan's sources open between its tasks.
///
/// One task at a time: a second caller waits. Call from a dedicated thread, rendering blocks.
package final class SegmentRenderer: @unchecked Sendable {
    // @unchecked: the session is only touched under `lock`.
    private let lock = Mutex(())
    private var session: RenderSession?
    private var renderCount = 0

    private let patience: Double
    private let opener: (any SourceOpener)?

    /// - Parameters:
    ///   - patience: seconds for which encoders that no task needs are kept.
    ///   - opener: opens the sources that are not read under the plan's paths; nil where all are.
    package init(patience: Double = 5, opener: (any SourceOpener)? = nil) {
        self.patience = patience
        self.opener = opener
    }

    /// Whether encoders wait for the next chunk.
    package var hasWaitingEncoders: Bool { lock.withLock { _ in session?.encoders.isEmpty == false } }

    /// The number of frames asked of the readers of the plan's sources so far; each decodes what it does not hold.
    package var sourceReads: Int { lock.withLock { _ in session?.readCount ?? 0 } }

    /// Makes the segments of a task, see `SegmentSet`, and beside each as `<its path>.json` its record. All appear
    /// whole, by rename, after they are on disk, the first one last; nothing is left of a failed or cancelled render.
    ///
    /// - Parameters:
    ///   - key: the task's content key, for the records.
    ///   - progress: frames (chunk) or samples (sound) done and in all; one call at a time, from any thread.
    /// - Throws: `.cancelled`, or what went wrong in decoding, encoding or writing.
    package func render(
        plan: RenderPlan, planHash: String, task: RenderTask, key: ContentKey, segmentPath: String,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void, cancellation: Cancellation
    ) throws -> [SegmentRecord] {
        try lock.withLock { _ in
            guard let opener else {
                return try renderNext(plan, planHash, task, key, segmentPath, progress, cancellation)
            }
            if !opener.beginReading() { session = nil }
            // Whoever waits for bytes from afar does not look at the flag.
            return try cancellation.during({ opener.stopReading() }) {
                try renderNext(plan, planHash, task, key, segmentPath, progress, cancellation)
            }
        }
    }

    private func renderNext(
        _ plan: RenderPlan, _ planHash: String, _ task: RenderTask, _ key: ContentKey, _ segmentPath: String,
        _ progress: @escaping @Sendable (Int, Int) -> Void, _ cancellation: Cancellation
    ) throws -> [SegmentRecord] {
        renderCount += 1
        let session = try session(for: plan, planHash, parentFolder(of: segmentPath))
        defer { restLater() }
        let drafts = try drafts(for: task, plan, segmentPath)
        defer { for draft in drafts { draft.discard() } }
        do {
            let paths = drafts.map(\.temporaryPath)
            var facts: [SegmentFacts]
            switch task {
            case .chunk(let index):
                try session.requireEffects(ofChunk: index)
                facts = try ChunkRendering(
                    session: session, chunk: plan.chunks[index], paths: paths, cancellation: cancellation,
                    progress: progress
                ).run()
            case .analysis(let index):
                facts = [try passes(index, session, drafts[0], progress, cancellation).analyse()]
                // The second pass finds the same things.
                _ = session.takeNotices()
            case .allotted(let index, let search):
                facts = [try passes(index, session, drafts[0], progress, cancellation).encode(search)]
            case .audio(let parts):
                let folder = parentFolder(of: segmentPath)
                facts = try SoundRendering(
                    session: session, paths: paths, parts: parts.map { folder + "/" + $0 }, cancellation: cancellation,
                    progress: progress
                ).run()
            case .soundPart(let index):
                facts = try SoundPartRendering(
                    session: session, index: index, paths: paths, cancellation: cancellation, progress: progress
                ).run()
            }
            try cancellation.check()
            try session.files.check()
            facts[0].notices.add(session.takeNotices())
            return try publish(drafts, facts, key)
        } catch {
            // The state in which a failure left the open sources is not worth knowing.
            self.session = nil
            // A file that was written to meanwhile explains most other errors.
            if (error as? SplitreelError)?.code != .cancelled { try session.files.check() }
            throw error
        }
    }

    /// Lets go of waiting encoders after `patience` seconds without a task: the memory is the next job's, or another
    /// program's.
    private func restLater() {
        guard session?.encoders.isEmpty == false else { return }
        let count = renderCount
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
            // Where it is locked there is a task, after which this is asked anew.
            self?.lock.withLockIfAvailable { _ in
                if self?.renderCount == count { self?.session?.encoders.letGo() }
            }
        }
    }

    /// The drafts of a task, one for each file of its set.
    private func drafts(for task: RenderTask, _ plan: RenderPlan, _ path: String) throws -> [SegmentDraft] {
        guard case let count = fileCount(of: task, plan), (1...SegmentSet.mostFiles).contains(count) else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: "\(task)", reason: "the plan has no such part")
        }
        return (0..<count).map { SegmentDraft(path: SegmentSet.path(path, file: $0)) }
    }

    /// The number of files in the task's set; 0 where the plan has no such task.
    private func fileCount(of task: RenderTask, _ plan: RenderPlan) -> Int {
        switch task {
        case .chunk(let index), .analysis(let index), .allotted(let index, _):
            let isOfPlan =
                plan.chunks.indices.contains(index) && task.hasTwoPasses == (plan.output.video?.isTwoPass == true)
            return isOfPlan ? plan.segmentParts(ofTask: index).count : 0
        case .audio(let parts):
            return parts.count == plan.soundPartCount ? plan.segmentParts(ofTask: plan.chunks.count).count : 0
        case .soundPart(let index):
            return (0..<plan.soundPartCount).contains(index) ? plan.soundMixes.count : 0
        }
    }

    private func passes(
        _ index: Int, _ session: RenderSession, _ draft: SegmentDraft,
        _ progress: @escaping @Sendable (Int, Int) -> Void, _ cancellation: Cancellation
    ) throws -> ChunkPasses {
        try session.requireEffects(ofChunk: index)
        let chunk = session.plan.chunks[index]
        return ChunkPasses(
            chunk: chunk, seconds: session.plan.timing.time(ofFrame: chunk.firstFrame).double,
            factors: session.plan.output.video?.analysisFactors ?? [], draft: draft,
            encode: { factors, paths, progress in
                // Each encoding finds what the one before it found.
                _ = session.takeNotices()
                return try ChunkRendering(
                    session: session, chunk: chunk, factors: factors, paths: paths, cancellation: cancellation,
                    progress: progress
                ).run()
            }, progress: progress)
    }

    /// Publishes the drafts, the first one last: a set whose first file has its name is whole.
    private func publish(
        _ drafts: [SegmentDraft], _ facts: [SegmentFacts], _ key: ContentKey
    ) throws -> [SegmentRecord] {
        precondition(drafts.count == facts.count, "Every file of a set is made.")
        do {
            let records = try zip(drafts, facts).reversed().map { try $0.publish($1, key: key) }
            return records.reversed()
        } catch {
            for draft in drafts { draft.withdraw() }
            throw error
        }
    }

    private func session(for plan: RenderPlan, _ planHash: String, _ folder: String) throws -> RenderSession {
        if let session, session.planHash == planHash { return session }
        session = nil
        let made = try RenderSession(plan: plan, planHash: planHash, folder: folder, opener: opener)
        session = made
        return made
    }
}
