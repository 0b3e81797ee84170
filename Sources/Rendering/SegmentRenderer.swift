import Diagnostics
import Files
import Media
package import Planning
import Synchronization

/// Renders tasks of plans to segment files; keeps the last plan's sources open between its tasks.
///
/// One task at a time: a second caller waits. Call from a dedicated thread, rendering blocks.
package final class SegmentRenderer: @unchecked Sendable {
    // @unchecked: the session is only touched under `lock`.
    private let lock = Mutex(())
    private var session: RenderSession?

    package init() {}

    /// Makes the segment and, beside it as `<segmentPath>.json`, its record. Both appear whole, by rename, after they
    /// are on disk; nothing is left of a failed or cancelled render.
    ///
    /// - Parameters:
    ///   - progress: frames (chunk) or samples (sound) done and in all; from the calling thread.
    /// - Throws: `.cancelled`, or what went wrong in decoding, encoding or writing.
    package func render(
        plan: RenderPlan, planHash: String, task: RenderTask, segmentPath: String,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void, cancellation: Cancellation
    ) throws -> SegmentRecord {
        try lock.withLock { _ in
            try renderNext(plan, planHash, task, segmentPath, progress, cancellation)
        }
    }

    private func renderNext(
        _ plan: RenderPlan, _ planHash: String, _ task: RenderTask, _ segmentPath: String,
        _ progress: @escaping @Sendable (Int, Int) -> Void, _ cancellation: Cancellation
    ) throws -> SegmentRecord {
        let session = try session(for: plan, planHash, parentFolder(of: segmentPath))
        let draft = SegmentDraft(path: segmentPath)
        defer { draft.discard() }
        do {
            var facts: SegmentFacts
            switch task {
            case .chunk(let index):
                facts = try renderChunk(index, session, draft, progress, cancellation)
            case .audio:
                facts = try renderAudio(session, draft, progress, cancellation)
            }
            try cancellation.check()
            try session.files.check()
            facts.notices.add(session.takeNotices())
            return try draft.publish(facts, planHash: planHash)
        } catch {
            // What a failure left of the open sources is not worth knowing.
            self.session = nil
            // A file that was written to meanwhile explains most else.
            if (error as? SplitreelError)?.code != .cancelled { try session.files.check() }
            throw error
        }
    }

    private func session(for plan: RenderPlan, _ planHash: String, _ folder: String) throws -> RenderSession {
        if let session, session.planHash == planHash { return session }
        session = nil
        let made = try RenderSession(plan: plan, planHash: planHash, folder: folder)
        session = made
        return made
    }

    private func renderChunk(
        _ index: Int, _ session: RenderSession, _ draft: SegmentDraft,
        _ progress: @escaping @Sendable (Int, Int) -> Void, _ cancellation: Cancellation
    ) throws -> SegmentFacts {
        guard let settings = session.plan.output.video, session.plan.chunks.indices.contains(index) else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: "chunk \(index)", reason: "the plan has no such chunk")
        }
        let chunk = session.plan.chunks[index]
        try session.requireEffects(ofChunk: index)
        let encoder = try VideoEncoder(
            settings: settings, frameDuration: session.plan.frameDuration,
            clock: session.plan.timing.clock(of: chunk.frames), rate: chunk.rate)
        let writer = try SegmentWriter(path: draft.temporaryPath, video: encoder, firstFrame: chunk.firstFrame)
        let rendering = ChunkRendering(
            session: session, settings: settings, chunk: chunk, cancellation: cancellation, progress: progress)
        let light = try rendering.run(into: encoder) { packet in try writer.write(packet) }
        var facts = try writer.finish()
        facts.light = light
        return facts
    }

    private func renderAudio(
        _ session: RenderSession, _ draft: SegmentDraft, _ progress: @escaping @Sendable (Int, Int) -> Void,
        _ cancellation: Cancellation
    ) throws -> SegmentFacts {
        guard let settings = session.plan.output.audio else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: "the sound", reason: "the plan has none")
        }
        let encoder = try AudioEncoder(settings: settings)
        let writer = try SegmentWriter(path: draft.temporaryPath, audio: encoder)
        let rendering = AudioRendering(
            session: session, settings: settings, cancellation: cancellation, progress: progress)
        try rendering.run(into: encoder) { packet in try writer.write(packet) }
        return try writer.finish()
    }
}
