import Diagnostics
import Foundation
import Outputs
package import Planning
package import Rendering
import Scheduling
import SplitreelFiles
import Synchronization

/// Reads plans and keeps the last one: the chunks of a job share it.
final class PlanCache: Sendable {
    private let last = Mutex<(hash: String, plan: RenderPlan)?>(nil)

    /// The plan at `path`. Throws `.planMismatch` where the file is missing, not the frozen one, or of another
    /// renderer.
    func plan(path: String, hash: String) throws -> RenderPlan {
        if let kept = last.withLock({ $0?.hash == hash ? $0?.plan : nil }) { return kept }
        let bytes = try read(path)
        guard RenderPlan.hash(ofBytes: bytes) == hash else {
            throw mismatch(path, "its SHA-256 is not the one that the lease names")
        }
        let plan: RenderPlan
        do {
            plan = try RenderPlan.decode(bytes)
        } catch {
            throw mismatch(path, "it cannot be decoded: \(error)")
        }
        guard plan.rendererVersion == RenderPlan.currentRendererVersion else {
            throw SplitreelError(
                .versionMismatch, operation: "reading the plan", subject: path,
                reason: "it is for renderer \(plan.rendererVersion), and this one is "
                    + "\(RenderPlan.currentRendererVersion)",
                hint: "install the same release of splitreel on both machines")
        }
        last.withLock { $0 = (hash, plan) }
        return plan
    }

    private func read(_ path: String) throws -> Data {
        do {
            return try RegularFile.contents(of: path, limit: RenderPlan.mostBytes, failure: .planMismatch)
        } catch let error as SplitreelError {
            throw mismatch(path, "it cannot be read: \(error.reason)")
        }
    }

    private func mismatch(_ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .planMismatch, operation: "reading the plan", subject: path, reason: reason,
            hint: "check that coordinator and worker see the same shared folder at the same path")
    }
}

extension RenderPlan {
    /// The task at a position of the plan. `allotment` is asked for where the chunk has a share of the film's bits;
    /// `mixEpochs` are the lease's.
    package func task(
        at position: Int, mixEpochs: [Int] = [], allotment: () throws -> Allotment
    ) throws -> RenderTask {
        switch part(ofTask: position) {
        case .chunk(let chunk):
            guard output.video?.isTwoPass == true else { return .chunk(chunk) }
            if let search = try allotment().search(ofChunk: chunk) { return .allotted(chunk, search) }
        case .audio:
            guard mixEpochs.count == soundPartCount else {
                throw SplitreelError(
                    .planMismatch, operation: "reading the lease", subject: "the sound",
                    reason: "it names \(mixEpochs.count) parts, and the plan has \(soundPartCount)")
            }
            return .audio(parts: mixEpochs.enumerated().map { Self.soundPartName($0, epoch: $1) })
        case .soundPart(let part): return .soundPart(part)
        case .analysis(let chunk): return .analysis(chunk)
        case nil: break
        }
        throw SplitreelError(
            .planMismatch, operation: "reading the plan", subject: "task \(position)",
            reason: "the plan has \(chunks.count) chunks and \(sampleCount > 0 ? "a" : "no") sound")
    }
}
