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
        timeline = try Timeline(
            project: project, assets: plan.assets, size: plan.output.video?.size, frameDuration: plan.frameDuration,
            pixelAspect: plan.output.video?.pixelAspect)
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
