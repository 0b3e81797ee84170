import Foundation
import TestTools

/// Draws a composition with effects, transitions, blend modes and an animation at one moment, from its text alone.
struct EffectStage {
    let base: ReferenceStage
    let cut: Cut
    let video: JSON
    let frameDuration: Fraction

    var size: (width: Int, height: Int) { cut.outputSize }
    var unit: (x: Double, y: Double) {
        (Double(size.width) / Double(cut.width), Double(size.height) / Double(cut.height))
    }

    func clear() -> Sheet { over([0, 0, 0, 1], isClear: true) }

    func over(_ colour: [Double], isClear: Bool = false) -> Sheet {
        Sheet(
            width: size.width, height: size.height, format: base.format, encoding: base.encoding, colour: colour,
            isClear: isClear)
    }

    func picture(at time: Fraction) throws -> Sheet {
        guard let number = cut.instructions.firstIndex(where: { $0.range.contains(time) }) else {
            return over([0, 0, 0, 1])
        }
        let scene = Scene(
            stage: self, instruction: cut.instructions[number], json: try video["instructions"].list[number])
        var picture = try scene.picture(at: time)
        picture = try scene.worked(video["effects"].each { $0 }, at: time, unit: unit) { _ in picture } ?? picture
        let animation = video["animation"]
        let isProcessed = try scene.json["postProcessing"].ifPresent { try $0.flag } ?? true
        if animation.isAbsent || !isProcessed { return picture }
        if try animation["mode"].ifPresent({ try $0.text }) == "additionalLayer" { return picture }
        var canvas = over([0, 0, 0, 1])
        let tree = try LayerTree(animation, stage: self, frame: picture)
        for item in try tree.items(at: time) { canvas.draw(item.drawing, clip: item.clip) }
        return canvas
    }

    /// The picture that an asset shows `elapsed` seconds after its beginning; nil for nothing.
    func shown(_ asset: String, after elapsed: Fraction) throws -> ReferenceShown? {
        let isFilm = try isFilm(asset)
        let span = try Cut.Span(JSON(["0/1", "1000/1"]))
        let segment = Cut.Segment(asset: asset, position: nil, source: isFilm ? span : nil, target: span)
        let track = Cut.Track(id: -1, type: "video", isEnabled: true, preferredTransform: nil, segments: [segment])
        return try shown(by: track, at: elapsed)
    }

    /// The picture that a track shows at a time; generators' colours are codes.
    func shown(by track: Cut.Track, at time: Fraction) throws -> ReferenceShown? {
        guard var shown = try base.shown(by: track, in: cut, at: time) else { return nil }
        let segment = track.segments.first { $0.target.contains(time) }
        guard let asset = segment?.asset.flatMap({ cut.assets[$0] }), asset.url == nil, asset.project == nil else {
            return shown
        }
        for plane in shown.picture.planes.indices {
            shown.picture.planes[plane].values = codes(shown.picture.planes[plane].values)
        }
        return shown
    }

    /// The nearest codes, in units of 8-bit ones.
    func codes(_ values: [Float]) -> [Float] {
        let unit = Float(1 << (base.format.bits - 8))
        return values.map { ($0 * unit).rounded() / unit }
    }

    /// How long one play of an animated image is.
    func period(_ asset: String) throws -> Fraction {
        guard let url = cut.assets[asset]?.url else { throw ToolFailure("no file of \(asset)") }
        let stream = try base.sources.file(url).picture(nil)
        return (stream.times.last ?? Fraction(0)) + (try base.sources.lastLength(stream))
    }

    private func isFilm(_ asset: String) throws -> Bool {
        guard let found = cut.assets[asset] else { throw ToolFailure("no asset \(asset)") }
        if found.project != nil { return true }
        guard let url = found.url, found.kind == nil || found.kind == "media" else { return false }
        let file = try base.sources.file(url)
        return !file.isStill && !file.isAnimated
    }

    /// Upright, stretched over a picture of a size, with nothing about it.
    func stretched(_ asset: String, _ size: (width: Int, height: Int), after elapsed: Fraction) throws -> Sheet {
        var sheet = Sheet(
            width: size.width, height: size.height, format: base.format, encoding: base.encoding, isClear: true)
        guard let shown = try shown(asset, after: elapsed) else { return sheet }
        let map = ReferenceStage.fit(
            "stretch", shown.displaySize, shown.upright, into: (Double(size.width), Double(size.height)))
        sheet.draw(shown.drawing(map, opacity: 1, crop: nil))
        return sheet
    }
}
