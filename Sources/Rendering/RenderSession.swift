import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaReading
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelFiles
import SplitreelProject
import SplitreelTimeline
import Validation

/// A plan made ready to render: the composition read and resolved once, the sources kept open between chunks.
///
/// Confined to one rendering at a time; see `SegmentRenderer`.
final class RenderSession {
    let plan: RenderPlan
    let planHash: String
    /// The plan as each of its outputs has it.
    let views: [RenderPlan]
    /// The timeline of the first canvas; the sound is the same in all.
    let timeline: Timeline
    let canvases: [RenderCanvas]
    /// The source pools by the film's colour, for which sources of R'G'B' are converted: outputs of one colour have
    /// one.
    private let pools: [ColourTriple: SourcePool]
    let files: WatchedSources
    /// The encoders that serve the next chunk as well.
    let encoders = KeptEncoders()
    let nestedLevels = NestedLevels()
    /// The folder with room for sound that has to be kept: the plan's own, or the system's for temporary files.
    let scratchFolder: String
    private var soundNotices = NoticeList()
    private var knownFonts: DrawingFonts?
    private var knownAssets: [String: AssetFacts]?
    /// Opens sources that are not read under the plan's paths, from any thread; nil where all are.
    let opener: (any SourceOpener)?

    /// `folder` holds the plan and the indexes of its sources, where the opener has no other one; empty for none.
    init(plan: RenderPlan, planHash: String, folder: String, opener: (any SourceOpener)? = nil) throws {
        guard plan.rendererVersion == RenderPlan.currentRendererVersion else {
            throw SplitreelError(
                .versionMismatch, operation: "rendering", subject: "plan \(planHash.prefix(12))",
                reason: "made for renderer \(plan.rendererVersion), this one is \(RenderPlan.currentRendererVersion)",
                hint: "install the same splitreel on the coordinator and on every worker")
        }
        let project = try Project(parsing: Data(plan.composition.utf8))
        let folder = opener?.folder(ofPlan: planHash) ?? folder
        files = WatchedSources(indexesIn: folder, opener: opener)
        scratchFolder = folder.isEmpty ? NSTemporaryDirectory() : folder
        self.plan = plan
        self.planHash = planHash
        self.opener = opener
        // Chunks without what this process lacks are its own: each chunk is looked at before it is rendered.
        let isPart = plan.hasChunksOfOwnNeeds
        let wrong = project.validate(assets: plan.assets, outputs: false).first {
            $0.severity == .error && !(isPart && $0.code == .effectUnknown)
        }
        if let wrong { throw wrong.asError }
        views = plan.outputs.indices.map(plan.view(ofOutput:))
        canvases = try RenderCanvas.all(of: plan, project)
        timeline =
            try canvases.first?.timeline
            ?? Timeline(
                valid: project, assets: plan.assets, frameDuration: plan.frameDuration)
        var pools: [ColourTriple: SourcePool] = [:]
        for canvas in canvases where pools[canvas.settings.colour] == nil {
            pools[canvas.settings.colour] = SourcePool(
                assets: plan.assets, colour: canvas.settings.colour, reductions: canvas.timeline.stillReductions,
                files: files)
        }
        self.pools = pools
    }

    /// The source pool of the first canvas; nil where the plan has no picture.
    var sources: SourcePool? { canvases.first.flatMap { pools[$0.settings.colour] } }

    /// The number of frames that have been asked of the sources' readers.
    var readCount: Int { pools.values.reduce(0) { $0 + $1.readCount } }

    /// The jobs of all canvases for a time, in their order: a frame that several of them show is decoded once. For the
    /// decoding thread.
    func jobs(at time: Rational) throws -> [FrameJob] {
        var jobs: [Int: FrameJob] = [:]
        for (colour, pool) in pools {
            let places = canvases.indices.filter { canvases[$0].settings.colour == colour }
            let made = try pool.jobs(
                places.map { (canvases[$0].timeline.recipe(at: time), canvases[$0].timeline.stillReductions) })
            for (place, job) in zip(places, made) { jobs[place] = job }
        }
        return canvases.indices.compactMap { jobs[$0] }
    }

    /// Says which frames the chunk needs of its sources, where some may lie elsewhere. For the decoding thread.
    func expectSources(of chunk: Chunk) {
        guard files.mayReadFromAfar else { return }
        let times = chunk.frames.map { plan.compositionTime(ofFrame: $0) }
        for (colour, pool) in pools {
            let timelines = canvases.filter { $0.settings.colour == colour }.map(\.timeline)
            pool.expect(times.flatMap { time in timelines.flatMap { $0.recipe(at: time).needs } })
        }
    }

    /// Takes the notices on the sources since the last call: damage, frames that others stand in for. To be called
    /// between two renders, when no thread decodes any more.
    func takeNotices() -> NoticeList {
        var all = soundNotices
        soundNotices = NoticeList()
        for pool in canvases.compactMap({ pools[$0.settings.colour] }) { all.add(pool.takeNotices()) }
        return all
    }

    /// Throws where this process lacks something registered that the chunk's frames need.
    func requireEffects(ofChunk index: Int) throws {
        guard plan.hasChunksOfOwnNeeds else { return }
        try require(plan.effects(ofChunk: index), "chunk \(index)")
    }

    /// Throws where this process lacks something registered that the sound needs.
    func requireSoundEffects() throws { try require(plan.effectsOfSound, "the sound") }

    private func require(_ effects: [String], _ subject: String) throws {
        let known = Set(EffectRegistry.all.map(\.name))
        let missing = effects.filter { !known.contains($0) }
        guard missing.isEmpty else {
            throw SplitreelError(
                .workerDiffers, operation: "rendering", subject: subject,
                reason: "this program lacks \(missing.joined(separator: ", "))",
                hint: "start the worker from the program that has it")
        }
    }

    /// Throws where this machine lacks one of the plan's fonts; the files are read once.
    func fonts() throws -> DrawingFonts {
        if let knownFonts { return knownFonts }
        let assets = try drawnAssets()
        let fonts = try plan.fonts.map { try DrawingFonts($0, assets: assets) } ?? .system(assets: [:])
        knownFonts = fonts
        return fonts
    }

    /// The plan's assets, with the paths under which this machine has their fonts: one that lies elsewhere is written
    /// beside the plan, since fonts are opened by their paths.
    func drawnAssets() throws -> [String: AssetFacts] {
        if let knownAssets { return knownAssets }
        let assets = try plan.assets.mapValues { facts in
            guard facts.isFont, let source = try opener?.source(of: facts, for: .pictures) else { return facts }
            let file = try readData(source)
            var own = facts
            own.path = "\(scratchFolder)/\(file.sum).font"
            try replaceFile(Data(file.bytes), at: own.path)
            return own
        }
        knownAssets = assets
        return assets
    }

    /// Adds the notices of a sound source that is about to be closed.
    func add(_ notices: NoticeList) { soundNotices.add(notices) }
}
