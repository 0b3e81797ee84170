import Diagnostics
package import Drawings
import Libav
import MediaFacts
import MediaTime
import Overlays
import Planning
import SplitreelProject
import SplitreelTimeline

/// The versions that workers must have in common with the planner, so that all make the same pictures.
package func rendererVersions() -> [String] { libraryVersions() + drawingVersions() }

extension RenderPlan {
    /// Adds the fonts of all texts that the films show, each of which has a timeline; answers the notices on them.
    /// Cost: one recipe for each frame of a film that may have texts, and the prober's reading and setting.
    mutating func addFonts(
        of timelines: [Timeline], _ project: Project, _ prober: any AssetProber
    ) throws -> [Notice] {
        guard project.mayShowTexts else { return [] }
        var texts = FilmTexts()
        var scripts: Set<[String]> = []
        for timeline in timelines {
            for frame in 0..<frameCount {
                try prober.checkWanted()
                let picture = PictureNode.group(timeline.recipe(at: compositionTime(ofFrame: frame)))
                for text in picture.texts { try texts.add(FontText(text)) }
                for script in picture.scripts where scripts.insert([script.asset, "\(script.track ?? 0)"]).inserted {
                    guard let facts = assets[script.asset], let text = facts.text(ofTrack: script.track) else {
                        continue
                    }
                    for font in text.fontTexts(suppliers: assets.fontSuppliers(of: facts, text)) { try texts.add(font) }
                }
            }
        }
        guard !texts.list.isEmpty else { return [] }
        let files = assets.filter { $0.value.isFont }
        let found = try prober.fonts(of: texts.list, assets: files.mapValues(\.path))
        fonts = found.plan
        return found.remarks.map { Notice(.sourceRemark, subject: "the texts", reason: $0) }
    }
}

/// The texts that differ, in the order in which they are seen first.
package struct FilmTexts {
    package private(set) var list: [FontText] = []
    private var known: Set<FontText> = []
    private var byteCount = 0

    package init() {}

    package mutating func add(_ text: FontText) throws {
        guard known.insert(text).inserted else { return }
        list.append(text)
        byteCount += text.byteCount
        guard byteCount <= FontText.mostBytes else {
            throw SplitreelError(
                .settingsImpossible, operation: "planning", subject: "the texts",
                reason: "the film shows more than \(FontText.mostBytes >> 20) MiB of texts that differ",
                hint: "let fewer texts change, or render the film in ranges")
        }
    }
}

extension Project {
    var mayShowTexts: Bool {
        video?.animation != nil || !(video?.subtitles ?? []).isEmpty
            || assets.values.contains { $0.keys.project?.mayShowTexts ?? false }
    }
}

extension PictureNode {
    fileprivate var texts: [TextDrawing] {
        if case .drawing(let picture) = self, case .text(let text) = picture.drawing { return [text] }
        return children.flatMap(\.texts)
    }

    fileprivate var scripts: [ScriptPicture] {
        if case .script(let script) = self { return [script] }
        return children.flatMap(\.scripts)
    }
}
