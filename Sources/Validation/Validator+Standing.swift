import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

/// A film or a still that a segment shows.
private struct ShownFile {
    let name: String
    /// Its size in display pixels.
    let size: DisplaySize
    /// The transform that turns it upright.
    let upright: Affine

    /// Its size for people.
    var sizeText: String { "\(JSONValue(size.width.rounded()).text)×\(JSONValue(size.height.rounded()).text)" }

    /// Whether a layer that says nothing puts it onto the canvas by another map than this one.
    func isFitted(into canvas: PixelSize, unlike map: Affine) -> Bool {
        Layer.Fit.contain.map(of: size, upright: upright, into: canvas)?.isOther(than: map) ?? false
    }
}

/// Remarks on how pictures stand on the canvas.
extension Validator {
    /// The way in which a layer's source stands on the canvas.
    func standing(of layer: Layer) -> LayerStanding { layer.standing(filmFit: project.video?.fit) }

    /// Says once for the whole film that it was another one before layers fitted by themselves: they stood at the top
    /// left, as they were.
    mutating func remarkFittedLayers(_ instructions: [Instruction]) {
        let isSaid = problems.contains { $0.code == .layersAreFitted }
        guard project.video?.fit == nil, !isSaid, let canvas = knownCanvas else { return }
        guard let (path, shown) = instructions.isEmpty ? fittedTrack(in: canvas) : fittedLayer(instructions, in: canvas)
        else { return }
        warn(
            .layersAreFitted, path,
            "layers without `fit` or `transform` are fitted since 0.2, such as `\(shown.name)`, "
                + "\(shown.sizeText) in \(canvas.width)×\(canvas.height)",
            hint: "\"fit\": \"none\", of a layer or in `video` of all, shows them as they are; \"contain\" says that "
                + "fitting is meant")
    }

    private func fittedLayer(_ instructions: [Instruction], in canvas: PixelSize) -> (path: String, ShownFile)? {
        for (index, instruction) in instructions.enumerated() where instruction.passthroughTrack == nil {
            for (place, layer) in (instruction.layers ?? []).enumerated() {
                guard layer.visible != false, standing(of: layer) == .contained, let track = tracks[layer.track] else {
                    continue
                }
                let files = played(track, during: instruction).compactMap { file(of: $0, in: track) }
                guard let shown = files.first(where: { $0.isFitted(into: canvas, unlike: .identity) }) else { continue }
                return ("video.instructions[\(index)].layers[\(place)]", shown)
            }
        }
        return nil
    }

    private func fittedTrack(in canvas: PixelSize) -> (path: String, ShownFile)? {
        for (index, track) in project.renderedTracks where track.type == .video {
            for (place, segment) in track.segments.enumerated() {
                guard let shown = file(of: segment, in: track), shown.isFitted(into: canvas, unlike: shown.upright)
                else { continue }
                return ("composition.tracks[\(index)].segments[\(place)]", shown)
            }
        }
        return nil
    }

    private func file(of segment: TrackSegment, in track: Track) -> ShownFile? {
        guard let name = segment.asset, let video = facts?[name]?.videoTrack(of: segment)?.video else { return nil }
        let kind = project.kind(of: name, facts: facts)
        guard !kind.isGenerator, kind != .composition, video.displaySize.width > 0, video.displaySize.height > 0 else {
            return nil
        }
        return ShownFile(
            name: name, size: video.displaySize, upright: track.preferredTransform ?? video.preferredTransform)
    }

    /// The canvas's size in pixels before its scale; nil where nothing tells.
    var knownCanvas: PixelSize? {
        guard let facts else { return nil }
        let canvas = SourceLookup(project: project, facts: facts).canvasSize
        return canvas.width > 0 && canvas.height > 0 ? canvas : nil
    }
}

extension Validator {
    /// Says once for the whole film that the bottom-most picture of an instruction leaves the canvas or does not cover
    /// it. What moves, what has something beneath it or beside it, and what is cropped or worked on is meant.
    mutating func remarkCanvas(_ instructions: [Instruction]) {
        guard let canvas = knownCanvas, project.video?.compositor == nil else { return }
        for (index, instruction) in instructions.enumerated() {
            let layers = (instruction.layers ?? []).enumerated().filter { $0.element.visible != false }
            guard instruction.passthroughTrack == nil, instruction.background == nil, instruction.effect == nil,
                let (place, layer) = layers.last.map({ ($0.offset, $0.element) }), layer.isPlain,
                standing(of: layer) == .asIs, let transform = layer.restingTransform(in: instruction),
                layer.transform == nil || layers.count == 1, let track = tracks[layer.track]
            else { continue }
            for segment in played(track, during: instruction) {
                guard let shown = file(of: segment, in: track) else { continue }
                let whole = Rect(x: 0, y: 0, width: shown.size.width, height: shown.size.height)
                let seen = whole.bounds(by: transform.affine(of: shown.size))
                let path = "video.instructions[\(index)].layers[\(place)]"
                if remarkCanvas(seen, of: shown, in: canvas, isMoved: layer.transform != nil, path) { return }
            }
        }
    }

    private mutating func remarkCanvas(
        _ seen: Rect, of shown: ShownFile, in canvas: PixelSize, isMoved: Bool, _ path: String
    ) -> Bool {
        let right = seen.x + seen.width
        let bottom = seen.y + seen.height
        let width = Double(canvas.width)
        let height = Double(canvas.height)
        // A pixel more or less is a size made even.
        let covers = seen.x < 2 && seen.y < 2 && right > width - 2 && bottom > height - 2
        let leaves = right >= width + 2 || bottom >= height + 2
        // A picture that is moved so that it covers the canvas is cut to it on purpose.
        guard !covers || (leaves && !isMoved) else { return false }
        let what = leaves ? "leaves" : "does not cover"
        warn(
            .pictureOffCanvas, path,
            "`\(shown.name)`, \(shown.sizeText), \(what) the canvas of \(canvas.width)×\(canvas.height)",
            hint: "without \"fit\": \"none\" and `transform` it is shown whole; \"fit\": \"cover\" fills the canvas; a "
                + "`background` says that room is meant")
        return true
    }
}

extension Layer {
    /// Whether its picture is all that is seen of it, mixed with nothing.
    fileprivate var isPlain: Bool {
        crop == nil && effects?.isEmpty != false && (blend ?? .normal) == .normal && cornerRadius == nil
            && borderWidth == nil
    }

    /// The one transform that it has during an instruction; nil where it moves.
    fileprivate func restingTransform(in instruction: Instruction) -> Transform? {
        guard let keys = transform, !keys.isEmpty else { return .identity }
        guard keys.count == 1, let key = keys.first, let value = key.value, let at = key.at?.exact,
            let range = instruction.range.exact, at <= range.start
        else { return nil }
        return value
    }
}

extension Affine {
    /// Whether a person sees that it is another map: sizes given in fractions of a pixel are rounded.
    fileprivate func isOther(than map: Affine) -> Bool {
        let turned = zip([a, b, c, d], [map.a, map.b, map.c, map.d]).contains { abs($0 - $1) > 1e-6 }
        return turned || abs(tx - map.tx) >= 1 || abs(ty - map.ty) >= 1
    }
}
