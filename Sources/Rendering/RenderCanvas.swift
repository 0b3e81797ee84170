import Outputs
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline

/// A canvas for frames: outputs that agree in all that a frame's samples depend on share one, and its frames.
struct RenderCanvas: Sendable {
    /// The video settings of the first of its outputs.
    let settings: VideoSettings
    let timeline: Timeline
    /// The indexes of its outputs among the plan's.
    private(set) var outputs: [Int]

    /// The canvases of a plan, whose project is valid with its assets, in the order of their first outputs; none where
    /// no output has a picture.
    static func all(of plan: RenderPlan, _ project: Project) throws -> [RenderCanvas] {
        var canvases: [RenderCanvas] = []
        for (index, output) in plan.outputs.enumerated() {
            guard let settings = output.video?.ofCanvas else { continue }
            if let place = canvases.firstIndex(where: { $0.fits(settings) }) {
                canvases[place].outputs.append(index)
                continue
            }
            let timeline = try Timeline(
                valid: project, assets: plan.assets, size: settings.size, frameDuration: plan.frameDuration,
                pixelAspect: settings.pixelAspect)
            canvases.append(RenderCanvas(settings: settings, timeline: timeline, outputs: [index]))
        }
        return canvases
    }

    private func fits(_ other: VideoSettings) -> Bool {
        settings.size == other.size && settings.format == other.format && settings.colour == other.colour
            && settings.pixelAspect == other.pixelAspect
    }
}
