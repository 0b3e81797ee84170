import Diagnostics
import Drawings
import MediaFacts
import MediaReading
import Overlays
import Pictures
import SplitreelFiles
import SplitreelProject
import SplitreelTimeline

/// Draws the ASS scripts of a film. Confined to the composing thread.
final class ScriptDrawer {
    private struct Key: Hashable {
        let asset: String
        let track: Int?
        let canvas, size: PixelSize
    }

    private struct Entry {
        let rasteriser: ScriptRasteriser
        var last: Picture?
        var turn = 0
    }

    /// The most scripts that are open; each has fonts and some tens of MiB of glyphs.
    private static let mostOpen = 4

    private let assets: [String: AssetFacts]
    private let fonts: DrawingFonts
    private let opener: (any SourceOpener)?
    private var entries: [Key: Entry] = [:]
    private var turn = 0

    init(assets: [String: AssetFacts], fonts: DrawingFonts, opener: (any SourceOpener)?) {
        self.assets = assets
        self.fonts = fonts
        self.opener = opener
    }

    /// The picture of a script at its time. `write` makes it of what is inked; where nothing changed it is the last one
    /// again.
    func picture(
        of script: ScriptPicture, _ files: [String: DataFile], _ write: (InkedRaster) throws -> Picture
    ) throws -> Picture {
        let key = Key(asset: script.asset, track: script.track, canvas: script.canvas, size: script.size)
        var entry = try entries[key] ?? open(script, files)
        turn += 1
        entry.turn = turn
        defer { entries[key] = entry }
        if let inked = try entry.rasteriser.draw(at: script.milliseconds) { entry.last = try write(inked) }
        guard let picture = entry.last else {
            throw SplitreelError(
                .internalFault, operation: "drawing subtitles", subject: script.asset, reason: "nothing was drawn")
        }
        return picture
    }

    private func open(_ script: ScriptPicture, _ files: [String: DataFile]) throws -> Entry {
        guard let facts = assets[script.asset], let text = facts.text(ofTrack: script.track) else {
            throw SplitreelError(
                .internalFault, operation: "drawing subtitles", subject: script.asset, reason: "the plan lacks them")
        }
        if entries.count >= Self.mostOpen, let oldest = entries.min(by: { $0.value.turn < $1.value.turn }) {
            entries[oldest.key] = nil
        }
        let brought = try fontsBrought(by: facts, text, files[script.asset])
        let own = try brought + assets.projectFonts()
        let suppliers = assets.fontSuppliers(of: facts, text)
        let all = try fonts.scriptFonts(own: own, text.fontTexts(suppliers: suppliers))
        return Entry(
            rasteriser: try ScriptRasteriser(text, canvas: script.canvas, size: script.size, fonts: all), last: nil)
    }

    private func fontsBrought(by facts: AssetFacts, _ text: TimedText, _ file: DataFile?) throws -> [ScriptFile.Font] {
        guard text.hasFonts == true else { return [] }
        if facts.kind == .data { return ScriptFile(file?.bytes ?? []).fonts }
        let (fonts, sum) = try attachedFonts(of: facts)
        guard sum == text.fontsSum else {
            throw SplitreelError(
                .mediaChanged, operation: "drawing subtitles", subject: facts.path,
                reason: "the fonts in it are not those that were planned with", hint: "start the render again")
        }
        return fonts
    }

    private func attachedFonts(of facts: AssetFacts) throws -> (fonts: [ScriptFile.Font], sum: String) {
        guard let source = try opener?.source(of: facts, for: .pictures) else {
            return try MediaReading.attachedFonts(path: facts.path)
        }
        let attached = try MediaReading.attachedFonts(source)
        try source.checkUnchanged()
        return attached
    }
}

extension [String: AssetFacts] {
    fileprivate func projectFonts() throws -> [ScriptFile.Font] {
        try filter(\.value.isFont).sorted { $0.key < $1.key }.prefix(ScriptFile.mostFonts).map { name, facts in
            let file = try readData(path: facts.path)
            guard facts.contentSum == nil || file.sum == facts.contentSum else {
                throw SplitreelError(
                    .mediaChanged, operation: "drawing subtitles", subject: facts.path,
                    reason: "the font is not the one that was planned with", hint: "start the render again")
            }
            return ScriptFile.Font(name: name, bytes: file.bytes)
        }
    }
}

extension DrawingFonts {
    fileprivate func scriptFonts(own: [ScriptFile.Font], _ texts: [FontText]) throws -> ScriptFonts {
        switch self {
        case .planned(let plan, let paths):
            let path = Dictionary(zip(plan.faces.map(\.path), paths)) { first, _ in first }
            return try ScriptFonts(own: own, plan: plan) { try readData(path: path[$0.path] ?? $0.path).bytes }
        case .system(let assets):
            let planner = try FontPlanner(assets: assets, supplied: suppliedFonts) { try readData(path: $0).sum }
            for text in texts { try planner.add(text) }
            return try ScriptFonts(own: own, plan: planner.finish().plan) { try readData(path: $0.path).bytes }
        }
    }
}

extension FrameComposer {
    /// The picture of a script's inked part; `standsIn` says where that lies.
    func scripted(_ script: ScriptPicture, _ job: FrameJob) throws -> Picture {
        try scripts.picture(of: script, job.files) { try written($0) }
    }
}
