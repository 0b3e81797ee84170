import MediaFacts
import Outputs
import Pictures
import Planning
import SplitreelProject

/// The timelines of a project's outputs, one for all that show it alike. Confined to one thread at a time.
final class PlannedCanvases {
    /// The parts of a request that decide its timeline.
    private struct Key: Hashable {
        var canvas: CanvasRequest
        var frameRate: String?
        var pixelAspect: [Int]?
        var preset: String?
        /// Whether it is a JPEG, whose sides are even within `most`.
        var isJPEG: Bool

        init(_ request: OutputRequest) {
            canvas = request.canvas
            isJPEG = request.canvas.maximumSize != nil && (try? Container(of: request)) == .jpg
            frameRate = request.timing.frameRate
            pixelAspect = request.picture.pixelAspect
            preset = request.delivery.preset
        }
    }

    private let project: Project
    private let assets: [String: AssetFacts]
    private var known: [Key: CommonPlanning] = [:]

    /// The timelines of a project, which must be valid with these facts.
    init(_ project: Project, _ assets: [String: AssetFacts]) { (self.project, self.assets) = (project, assets) }

    func canvas(of request: OutputRequest) throws -> CommonPlanning {
        let key = Key(request)
        if let canvas = known[key] { return canvas }
        let canvas = CommonPlanning(try request.timeline(of: project, assets: assets))
        known[key] = canvas
        return canvas
    }
}
