package import Diagnostics
import JSONText
package import MediaFacts
package import MediaTime
package import Pictures
package import SplitreelProject
package import SplitreelTimeline

extension Timeline {
    /// The timeline of a project that nobody has validated yet; see `Timeline.init(valid:assets:)` for the parameters.
    ///
    /// Throws the first error that `project.validate(assets:)` finds (outputs aside), or that an asset has no facts.
    package init(
        project: Project, assets: [String: AssetFacts], size: PixelSize? = nil, frameDuration: MediaTime? = nil,
        pixelAspect: PixelAspect? = nil
    ) throws(SplitreelError) {
        let problems = project.validate(assets: assets, outputs: false)
        if let problem = problems.first(where: { $0.severity == .error }) { throw problem.asError }
        try self.init(
            valid: project, assets: assets, size: size, frameDuration: frameDuration, pixelAspect: pixelAspect)
    }
}
