import Diagnostics
import MediaFacts
import MediaTime
import Outputs

/// The cutting of a film into chunks, of which some may be copies of its sources' packets.
struct CopyCutting {
    private let cutting: ChunkCutting
    private let finder: CopyFinder?
    /// The film's copies; nil where it may have none.
    private let copies: CopyPlan?
    /// The reason in what was asked for why nothing is copied; nil where it allows copies.
    private let refusal: String?

    /// Looks for what can be copied, unless `refusal` says why nothing may be. Cost: a recipe for each frame.
    init(_ cutting: ChunkCutting, _ video: VideoSettings?, _ coded: CodedTracks, frameCount: Int, refusal: String?) {
        (self.cutting, self.refusal) = (cutting, refusal)
        finder = video.map {
            CopyFinder(
                timeline: cutting.timeline, terms: CopyTerms(video: $0, assets: cutting.assets, tracks: coded),
                time: cutting.time)
        }
        copies =
            refusal == nil && !coded.byPlace.isEmpty ? finder.map { CopyPlan($0, frameCount: frameCount) } : nil
    }

    /// The chunks with their copies, of a plan that is told what these need; nil where nothing is copied.
    func chunks(frameCount: Int, of plan: inout RenderPlan) throws -> [Chunk]? {
        guard let copies, !copies.spans.isEmpty else { return nil }
        plan.copiedSets = copies.sets
        plan.output.video?.parameterSetID = copies.ownNumber
        plan.output.video?.copiedReorderDepth = copies.reorderDepth
        return try copies.chunks(frameCount: frameCount) { try cutting.chunks(of: $0, in: frameCount) }
    }

    /// Adds to each chunk that shows one source, and is rendered, why it is not copied.
    func sayWhyRendered(_ chunks: inout [Chunk]) {
        for index in chunks.indices where chunks[index].kind == .source {
            guard let reason = reason(in: chunks[index].frames) else { continue }
            chunks[index].why += "; not copied: " + reason
        }
    }

    /// Throws `.copyImpossible`, naming the first frames that are rendered though no cut is the reason.
    func requireCopies(_ chunks: [Chunk]) throws {
        guard let chunk = chunks.first(where: { $0.kind != .passthrough && $0.kind != .cut }) else { return }
        let start = cutting.timing.time(ofFrame: chunk.firstFrame).shortSeconds
        let end = cutting.timing.time(ofFrame: chunk.frames.upperBound).shortSeconds
        throw SplitreelError(
            .copyImpossible, operation: "planning", subject: "\(start) s to \(end) s of the film",
            reason: "it cannot be copied: \(refusal ?? reason(in: chunk.frames) ?? "its picture is changed")",
            hint: "say \(.passthrough, Passthrough.auto.rawValue) to have it rendered")
    }

    private func reason(in frames: Range<Int>) -> String? {
        copies?.unfitReason(in: frames) ?? finder?.reason(in: frames, copies?.refusals ?? [:], refusal: refusal)
    }
}
