import Foundation
import TestTools

/// An instruction: its layers, what is between them and what is done to them.
struct Scene {
    let stage: EffectStage
    let instruction: Cut.Instruction
    let json: JSON

    private struct Row {
        var layer: Cut.Layer
        var json: JSON
        var effects: [JSON]
        var inPlace: [JSON]
        var isVisible: Bool
        var blend: String?
    }

    /// Bottom-most first.
    private func rows() throws -> [Row] {
        try zip(instruction.layers, json["layers"].each { $0 }).reversed().map { layer, json in
            let effects = try json["effects"].each { $0 }.filter(Self.isEnabled)
            let isOnCanvas = try effects.map { ["drop-shadow", "mask-track"].contains(try $0["id"].text) }
            let blend = try json["blend"].ifPresent { try $0.isText ? $0.text : $0["id"].text }
            return Row(
                layer: layer, json: json, effects: zip(effects, isOnCanvas).filter { !$0.1 }.map(\.0),
                inPlace: zip(effects, isOnCanvas).filter(\.1).map(\.0),
                isVisible: try json["visible"].ifPresent { try $0.flag } ?? true, blend: blend == "normal" ? nil : blend
            )
        }
    }

    private static func isEnabled(_ effect: JSON) throws -> Bool {
        try effect["enabled"].ifPresent { try $0.flag } ?? true
    }

    // MARK: The picture

    func picture(at time: Fraction) throws -> Sheet {
        let first = try json["effect"].ifPresent { try Self.isEnabled($0) ? $0 : nil } ?? nil
        let transition = try first.map { try Self.isTransition($0["id"].text) } ?? false
        var effects = try json["effects"].each { $0 }
        if let first, !transition { effects.insert(first, at: 0) }
        let picture = try worked(effects, at: time, unit: stage.unit) { time in
            let rows = try rows().filter(\.isVisible)
            guard transition, let first, let top = rows.last else { return try blended(rows, at: time) }
            return try passed(
                first, at: time, try blended([top], at: time), try blended(Array(rows.dropLast()), at: time))
        }
        return picture ?? stage.over(instruction.background)
    }

    static func isTransition(_ id: String) -> Bool {
        let name = id.split(separator: ".").first.map(String.init) ?? ""
        return [
            "dissolve", "wipe", "slide", "push", "cover", "reveal", "iris", "clock", "blinds", "luma-matte",
            "dip-to-color", "zoom", "blur-through", "film-burn",
        ].contains(name)
    }

    private func passed(_ json: JSON, at time: Fraction, _ from: Sheet, _ to: Sheet) throws -> Sheet {
        let call = try EffectOfFile(json, at: time, stage.cut.assets)
        let matte = try json["params"]["matte"].ifPresent { try $0.text }.map {
            try stage.stretched($0, stage.size, after: time - instruction.range.start)
        }
        return try SheetTransition(
            from: from, to: to, call: call, progress: call.progress(in: instruction.range), unit: stage.unit,
            matte: matte
        ).result()
    }

    private func blended(_ rows: [Row], at time: Fraction) throws -> Sheet {
        var canvas = stage.over(instruction.background)
        for row in rows {
            guard let drawing = try placed(row, at: time) else { continue }
            guard let blend = row.blend else {
                canvas.draw(drawing)
                continue
            }
            var layer = stage.clear()
            layer.draw(drawing)
            canvas = try SheetBlend.blended(blend, layer, over: canvas).rounded
        }
        return canvas
    }

    /// With what works on it in its place.
    private func placed(_ row: Row, at time: Fraction) throws -> ReferencePicture.Drawing? {
        guard let drawing = try drawn(row, at: time) else { return nil }
        guard !row.inPlace.isEmpty else { return drawing }
        let whole = try worked(row.inPlace, at: time, unit: stage.unit) { time in
            guard var layer = try drawn(row, at: time) else { return nil }
            layer.opacity = 1
            var sheet = stage.clear()
            sheet.draw(layer)
            return sheet
        }
        var result = whole?.drawing
        result?.opacity = drawing.opacity
        return result
    }

    // MARK: Layers

    /// The picture that a layer shows, after its own effects, and its place; nil where nothing is seen.
    private func drawn(_ row: Row, at time: Fraction) throws -> ReferencePicture.Drawing? {
        let layer = row.layer
        let opacity = min(1, max(0, layer.opacity.value(at: time)?.first ?? 1))
        guard opacity > 0 else { return nil }
        let animation = stage.video["animation"]
        if try animation["trackID"].ifPresent({ try $0.index }) == layer.track {
            return try onTree(animation, row, at: time, opacity)
        }
        guard let track = stage.cut.videoTracks.first(where: { $0.id == layer.track }),
            let shown = try stage.shown(by: track, at: time)
        else { return nil }
        if let fit = ReferenceStage.fit(of: layer, in: stage.cut) {
            return try fitted(fit, row, shown, track, at: time, opacity)
        }
        let scale: [Double] = [stage.cut.scale, 0, 0, stage.cut.scale, 0, 0]
        let placed = layer.transform.value(at: time).map { TransformReading.affine($0, shown.displaySize) }
        let map = InverseMap.joined(
            placed ?? ReferenceStage.place(of: layer, showing: shown, in: stage.cut), scale)
        var drawing = shown.drawing(map, opacity: opacity, crop: layer.crop.value(at: time))
        drawing.edge = stage.base.edge(of: layer, at: time, unit: 1)
        guard !row.effects.isEmpty else { return drawing }
        let sheet = try worked(row.effects, at: time, unit: (1, 1)) { time in
            try stage.shown(by: track, at: time).map(square)
        }
        guard let sheet else { return nil }
        (drawing.source, drawing.pixelAspect) = (sheet.picture, 1)
        return drawing
    }

    /// A source in square pixels of the film's samples.
    private func square(_ shown: ReferenceShown) -> Sheet {
        let (width, height) = (Int(shown.displaySize.width.rounded()), Int(shown.displaySize.height.rounded()))
        var sheet = Sheet(
            width: width, height: height, format: stage.base.format, encoding: stage.base.encoding,
            isClear: shown.picture.planes.count > 3)
        sheet.draw(shown.drawing([1, 0, 0, 1, 0, 0], opacity: 1, crop: nil).with { $0.alpha = 1 })
        return sheet
    }

    private func fitted(
        _ fit: String, _ row: Row, _ shown: ReferenceShown, _ track: Cut.Track, at time: Fraction, _ opacity: Double
    ) throws -> ReferencePicture.Drawing? {
        let (layer, unit) = (row.layer, stage.unit)
        let size = (width: Double(stage.cut.width), height: Double(stage.cut.height))
        let sheet = try worked(row.effects, at: time, unit: unit) { time in
            guard let shown = try stage.shown(by: track, at: time) else { return nil }
            let map = ReferenceStage.fit(fit, shown.displaySize, shown.upright, into: size)
            var sheet = stage.over(layer.matte ?? instruction.background)
            sheet.draw(shown.drawing(InverseMap.joined(map, [unit.x, 0, 0, unit.y, 0, 0]), opacity: 1, crop: nil))
            return sheet
        }
        guard let sheet else { return nil }
        return whole(sheet, layer, at: time, opacity)
    }

    /// A picture of the canvas's size in its place.
    private func whole(_ sheet: Sheet, _ layer: Cut.Layer, at time: Fraction, _ opacity: Double)
        -> ReferencePicture.Drawing
    {
        let unit = stage.unit
        let size = (width: Double(stage.cut.width), height: Double(stage.cut.height))
        var drawing = sheet.drawing
        drawing.opacity = opacity
        drawing.crop = layer.crop.value(at: time).map {
            [$0[0] * unit.x, $0[1] * unit.y, $0[2] * unit.x, $0[3] * unit.y]
        }
        drawing.edge = stage.base.edge(of: layer, at: time, unit: unit.x)
        if let placed = layer.transform.value(at: time).map({ TransformReading.affine($0, size) }) {
            let unscaled = InverseMap.joined([1 / unit.x, 0, 0, 1 / unit.y, 0, 0], placed)
            drawing.affine = InverseMap.joined(unscaled, [unit.x, 0, 0, unit.y, 0, 0])
        }
        return drawing
    }

    private func onTree(_ animation: JSON, _ row: Row, at time: Fraction, _ opacity: Double) throws
        -> ReferencePicture.Drawing?
    {
        let sheet = try worked(row.effects, at: time, unit: stage.unit) { time in
            var sheet = stage.clear()
            for item in try LayerTree(animation, stage: stage, frame: nil).items(at: time) {
                sheet.draw(item.drawing, clip: item.clip)
            }
            return sheet
        }
        return sheet.map { whole($0, row.layer, at: time, opacity) }
    }

    // MARK: Effects

    /// A picture after effects; `bare` answers what they begin with, at other times too.
    func worked(
        _ effects: [JSON], at time: Fraction, unit: (x: Double, y: Double), _ bare: (Fraction) throws -> Sheet?
    ) throws -> Sheet? {
        let effects = try effects.filter(Self.isEnabled)
        guard let last = effects.last else { return try bare(time) }
        let before = Array(effects.dropLast())
        guard let input = try worked(before, at: time, unit: unit, bare) else { return nil }
        let call = try EffectOfFile(last, at: time, stage.cut.assets)
        guard call.id == "echo" else { return try result(call, last, input, unit).rounded }
        var pictures = [input]
        for step in 0..<Int(try call.number("frames", 4).rounded(.up)) {
            let earlier = time - stage.frameDuration * Fraction(step + 1)
            let moment = earlier < Fraction(0) ? Fraction(0) : earlier
            pictures.append(try worked(before, at: moment, unit: unit, bare) ?? input)
        }
        return Self.mean(pictures, decay: try call.number("decay", 0.6)).rounded
    }

    private func result(_ call: EffectOfFile, _ json: JSON, _ sheet: Sheet, _ unit: (x: Double, y: Double)) throws
        -> Sheet
    {
        if let made = try ColourEffects(sheet: sheet, call: call).result() { return made }
        if let made = try SpatialEffects(sheet: sheet, call: call, unit: unit).result() { return made }
        switch call.id {
        case "mask":
            let other = try stage.stretched(
                json["params"]["image"].text, (sheet.width, sheet.height), after: call.time - instruction.range.start)
            return sheet.masked(
                by: other, usesLuma: try call.word("channel", "alpha") == "luma", isInverted: try call.flag("invert"))
        case "mask-shape": return try sheet.masked(byShape: call, unit: unit)
        case "mask-track":
            let track = try call.index("track")
            let row = try rows().first { $0.layer.track == track }
            var other: Sheet?
            if let drawing = try row.flatMap({ try drawn($0, at: call.time) }) {
                var drawn = stage.clear()
                drawn.draw(drawing)
                other = drawn
            }
            return sheet.masked(
                by: other, usesLuma: try call.word("channel", "alpha") == "luma", isInverted: try call.flag("invert"))
        case "drop-shadow":
            let (offset, radius) = (try call.numbers("offset", [8, 8]), try call.number("radius", 8))
            return sheet.shadowed(
                offset: (offset[0] * unit.x, offset[1] * unit.y), radius: (radius * unit.x, radius * unit.y),
                colour: try call.numbers("color", [0, 0, 0, 0.6]))
        default: throw ToolFailure("the reference knows no \(call.id)")
        }
    }

    /// Each with so much of the weight of the one before it in the list; colours count by their alpha.
    private static func mean(_ pictures: [Sheet], decay: Double) -> Sheet {
        var result = pictures[0]
        let weights = pictures.indices.map { pow(decay, Double($0)) }
        let isOpaque = pictures.allSatisfy(\.isOpaque)
        for plane in 0..<3 {
            let shares = pictures.map { $0.shares(plane) }
            for k in result.planes[plane].indices {
                var (sum, total) = (0.0, 0.0)
                for (number, weight) in weights.enumerated() {
                    sum += pictures[number].planes[plane][k] * weight * shares[number][k]
                    total += weight * shares[number][k]
                }
                if total > 1e-5 { result.planes[plane][k] = sum / total }
            }
        }
        guard !isOpaque else { return result }
        let all = weights.reduce(0, +)
        let alphas = pictures.map { $0.shares(0) }
        result.alpha = alphas[0].indices.map { k in zip(alphas, weights).reduce(0) { $0 + $1.0[k] * $1.1 } / all }
        return result
    }
}

extension ReferencePicture.Drawing {
    func with(_ change: (inout Self) -> Void) -> Self {
        var result = self
        change(&result)
        return result
    }
}
