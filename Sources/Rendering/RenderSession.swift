import Composition
import Diagnostics
import Foundation
import Media
import Pictures
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
    let files: WatchedSources
    private var soundNotices = NoticeList()
    private var knownFonts: DrawingFonts?

    /// `folder`: where the plan lies, with the indexes of its sources.
    init(plan: RenderPlan, planHash: String, folder: String) throws {
        guard plan.rendererVersion == RenderPlan.currentRendererVersion else {
            throw SplitreelError(
                .versionMismatch, operation: "rendering", subject: "plan \(planHash.prefix(12))",
                reason: "made for renderer \(plan.rendererVersion), this one is \(RenderPlan.currentRendererVersion)",
                hint: "install the same splitreel on the coordinator and on every worker")
        }
        let project = try Project(parsing: Data(plan.composition.utf8))
        files = WatchedSources(indexesIn: folder)
        self.plan = plan
        self.planHash = planHash
        // Chunks without what this process lacks are its own: each chunk is looked at before it is rendered.
        let isPart = plan.hasChunksOfOwnNeeds
        let wrong = project.validate(assets: plan.assets, outputs: false).first {
            $0.severity == .error && !(isPart && $0.code == ErrorCode.effectUnknown.number)
        }
        if let wrong { throw wrong.asError }
        timeline = try Timeline(
            project: project, assets: plan.assets, size: plan.output.video?.size, frameDuration: plan.frameDuration,
            pixelAspect: plan.output.video?.pixelAspect, isValid: true)
        sources = plan.output.video.map { [files, timeline] in
            SourcePool(
                assets: plan.assets, colour: $0.colour, reductions: timeline.stillReductions, files: files)
        }
    }

    /// What a person should know of the sources since the last call: damage, frames that others stand in for. To be
    /// called between two renders, when no thread decodes any more.
    func takeNotices() -> NoticeList {
        var all = soundNotices
        soundNotices = NoticeList()
        if let sources { all.add(sources.takeNotices()) }
        return all
    }

    /// Throws where this process lacks something registered that the chunk's frames need.
    func requireEffects(ofChunk index: Int) throws {
        guard plan.hasChunksOfOwnNeeds else { return }
        let known = Set(EffectRegistry.all.map(\.name))
        let missing = plan.effects(ofChunk: index).filter { !known.contains($0) }
        guard missing.isEmpty else {
            throw SplitreelError(
                .workerDiffers, operation: "rendering", subject: "chunk \(index)",
                reason: "this program lacks \(missing.joined(separator: ", "))",
                hint: "start the worker from the program that has it")
        }
    }

    /// Throws where this machine lacks one of the plan's fonts; the files are read once.
    func fonts() throws -> DrawingFonts {
        if let knownFonts { return knownFonts }
        let fonts = try plan.fonts.map { try DrawingFonts($0, assets: plan.assets) } ?? .system(assets: [:])
        knownFonts = fonts
        return fonts
    }

    /// For a sound source that is about to be closed.
    func add(_ notices: NoticeList) { soundNotices.add(notices) }
}
