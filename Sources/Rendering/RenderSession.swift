package import Composition
import Diagnostics
import Foundation
import Media
import Planning

/// A plan made ready to render: the composition read and resolved once, the sources kept open between chunks.
///
/// Confined to one rendering at a time; see `SegmentRenderer`.
final class RenderSession {
    let plan: RenderPlan
    let planHash: String
    let timeline: Timeline
    /// nil where the plan has no picture.
    let sources: SourcePool?
    private var checked: Set<String> = []

    init(plan: RenderPlan, planHash: String) throws {
        guard plan.rendererVersion == RenderPlan.currentRendererVersion else {
            throw SplitreelError(
                .versionMismatch, operation: "rendering", subject: "plan \(planHash.prefix(12))",
                reason: "made for renderer \(plan.rendererVersion), this one is \(RenderPlan.currentRendererVersion)",
                hint: "install the same splitreel on the coordinator and on every worker")
        }
        let project = try Project(parsing: Data(plan.composition.utf8))
        self.plan = plan
        self.planHash = planHash
        timeline = try Timeline(
            project: project, assets: plan.assets, size: plan.output.video?.size, frameDuration: plan.frameDuration)
        sources = plan.output.video.map { [timeline] in
            SourcePool(assets: plan.assets, settings: $0, timeline: timeline)
        }
    }

    /// Before an asset's sound is first read; the picture's sources check their own.
    func checkOnce(_ facts: AssetFacts) throws {
        if checked.insert(facts.path).inserted { try checkUnchanged(facts) }
    }
}

/// The file must be the one that was planned with: same size, same first and last MiB.
package func checkUnchanged(_ facts: AssetFacts) throws {
    let now = try edgeHash(path: facts.path)
    guard now.byteCount == facts.byteCount, now.hash == facts.edgeHash else {
        throw SplitreelError(
            .mediaChanged, operation: "opening", subject: facts.path,
            reason: "the file has \(now.byteCount) bytes, \(facts.byteCount) were planned, or its content differs",
            hint: "start the render again")
    }
}
