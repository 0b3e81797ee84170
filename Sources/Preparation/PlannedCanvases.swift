import MediaFacts
import Outputs
import Pictures
import Planning
import SplitreelProject

/// The timelines of a project's outputs, one for all that show it alike. Confined to one thread at a time.
final class PlannedCanvases {
    /// The parts of a request that decide its timeline.
    private struct Key: Hashable {
        var size: [Int]
        var frameRate: String?
        var pixelAspect: [Int]?
        var preset: String?
        var most: [Int]?
        var pitch: PitchAlgorithm?
        /// Whether it is a JPEG, whose sides are even within `most`.
        var isJPEG: Bool

        init(_ request: OutputRequest) {
            size = request.size.map { [$0.width, $0.height] } ?? []
            pitch = request.pitch
            isJPEG = request.maximumSize != nil && (try? Container(of: request)) == .jpg
            most = request.maximumSize.map { [$0.width, $0.height] }
            frameRate = request.frameRate
            pixelAspect = request.pixelAspect
            preset = request.exportPreset
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
