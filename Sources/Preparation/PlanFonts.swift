import Composition
import Diagnostics
import Media
import MediaTime
import Overlays
import Planning

/// What workers must have in common with the planner, so that all make the same pictures.
package func rendererVersions() -> [String] { libraryVersions() + drawingVersions() }

extension RenderPlan {
    /// Adds the fonts of all texts that the film shows; answers what a person should know of them. Cost: one recipe for
    /// each frame of a film that may have texts.
    mutating func addFonts(of timeline: Timeline, _ project: Project) throws -> [Notice] {
        guard output.video != nil, project.mayShowTexts else { return [] }
        let files = assets.filter { $0.value.kind == .data && $0.value.container == Asset.Kind.font.rawValue }
        let planner = try FontPlanner(assets: files.mapValues(\.path)) { try readData(path: $0).sum }
        for frame in 0..<frameCount {
            for text in PictureNode.group(timeline.recipe(at: compositionTime(ofFrame: frame))).texts {
                try planner.add(text)
            }
        }
        let (fonts, remarks) = try planner.finish()
        self.fonts = fonts
        return remarks.map { Notice(.sourceRemark, subject: "the texts", reason: $0) }
    }
}

extension Project {
    fileprivate var mayShowTexts: Bool {
        video?.animation != nil || !(video?.subtitles ?? []).isEmpty
            || assets.values.contains { $0.project?.mayShowTexts ?? false }
    }
}

extension PictureNode {
    fileprivate var texts: [TextDrawing] {
        if case .drawing(let picture) = self, case .text(let text) = picture.drawing { return [text] }
        return children.flatMap(\.texts)
    }
}
