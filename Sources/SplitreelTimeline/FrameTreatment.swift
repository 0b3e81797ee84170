import MediaTime
import Pictures
import SplitreelProject

/// The things that are done to every frame, whatever instruction draws it.
struct FrameTreatment: Sendable {
    /// The effects on every frame, in order; empty for none.
    let effects: [EffectPlan]
    /// The compositor of somebody's own; nil for `builtin`.
    let compositor: EffectPlan?
    /// The tree around every frame, or shown by layers as a track; nil for none.
    let tree: Boxed<TreePlan>?
    /// The data that compositors and texts are told beside pictures.
    let data: [DataTrackPlan]

    /// The treatment that a project's file says. A frame lasts `frame` seconds.
    init(_ sources: SourceLookup, canvas: PixelSize, placement: CanvasPlacement, frame: Rational) {
        let project = sources.project
        let range = (start: Rational.zero, end: project.exactDuration)
        let media = { (name: String) in sources.media(named: name, canvas: canvas) }
        func plan(_ choice: RegisteredChoice, _ path: String) -> EffectPlan? {
            EffectPlan(choice, at: path, range: range, media: media, prefix: sources.prefix, frame: frame)
        }
        effects = (project.video?.effects ?? []).enumerated().compactMap { plan($1, "video.effects[\($0)]") }
        compositor = project.video?.compositor.flatMap { choice in
            choice.id == EffectDescription.layerCompositor.id ? nil : plan(choice, "video.compositor")
        }
        let data = (project.video?.sampleDataTracks ?? []).compactMap { id in
            project.composition.tracks.first { $0.id == id && $0.isEnabled }.map { DataTrackPlan($0, sources.facts) }
        }
        self.data = data
        tree = project.video?.animation.map { tree in
            Boxed(
                TreePlan(
                    tree, canvas: canvas, size: placement.ofStage.size, light: placement.light, media: media,
                    font: sources.fontName, data: data))
        }
    }

    /// The tree where it is around the picture; nil where it is not.
    var treeAround: Boxed<TreePlan>? { tree?.value.track == nil ? tree : nil }

    /// Whether frames are drawn on a stage, as large as the whole canvas, before that is done to them.
    var needsStage: Bool { !effects.isEmpty || compositor != nil || treeAround != nil }
}
