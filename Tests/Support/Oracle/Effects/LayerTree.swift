import Foundation
import TestTools

/// A tree of animated layers at one moment: what it draws, bottom-most first, on a picture of the canvas's size.
struct LayerTree {
    let stage: EffectStage
    let frame: Sheet?
    private let root: JSON
    private let films: Set<String>

    /// A picture in its place.
    struct Item {
        var picture: Planes
        var width, height: Double
        /// From its pixels to those of what it is drawn on.
        var affine: [Double]
        var opacity = 1.0
        /// The picture's own, which is not its border's.
        var alpha = 1.0
        var edge: ReferenceEdge?
        var clip: Sheet.Clip?

        var drawing: ReferencePicture.Drawing {
            var drawing = ReferencePicture.Drawing(
                source: picture, pixelAspect: aspect, affine: affine, opacity: opacity, alpha: alpha)
            drawing.crop = [0, 0, width, height]
            drawing.edge = edge
            return drawing
        }

        var aspect = 1.0

        func moved(by map: [Double]) -> Item {
            var item = self
            item.affine = InverseMap.joined(affine, map)
            if let clip { item.clip?.affine = InverseMap.joined(clip.affine, map) }
            return item
        }

        /// Around it: left, top, right, bottom.
        var extent: [Double] { LayerTree.extent(width, height, affine) }
    }

    /// The space that a layer stands in, and its way to pixels.
    struct Ground {
        var bounds: [Double]
        /// From its upright units to pixels.
        var map: [Double]
        var isDown: Bool
        /// Pixels for each of its units, with which pictures are made.
        var raster: (x: Double, y: Double)
    }

    init(_ animation: JSON, stage: EffectStage, frame: Sheet?) throws {
        (self.stage, self.frame, root) = (stage, frame, animation["root"])
        films = Set(try animation["videoLayers"].each { try $0.text })
    }

    func items(at time: Fraction) throws -> [Item] {
        let bounds =
            try root["bounds"].ifPresent { try $0.numbers } ?? [
                0, 0, Double(stage.cut.width), Double(stage.cut.height),
            ]
        let scale = (x: Double(stage.size.width) / bounds[2], y: Double(stage.size.height) / bounds[3])
        var written = try root.object
        written["bounds"] = bounds
        let ground = Ground(bounds: bounds, map: [scale.x, 0, 0, scale.y, 0, 0], isDown: false, raster: scale)
        return try items(JSON(written), at: time, in: ground, isRoot: true)
    }

    static func extent(_ width: Double, _ height: Double, _ map: [Double]) -> [Double] {
        let corners = [(0, 0), (width, 0), (0, height), (width, height)].map {
            (map[0] * $0.0 + map[2] * $0.1 + map[4], map[1] * $0.0 + map[3] * $0.1 + map[5])
        }
        let (x, y) = (corners.map(\.0), corners.map(\.1))
        return [x.min() ?? 0, y.min() ?? 0, x.max() ?? 0, y.max() ?? 0]
    }

    /// From a layer's space to its units from the top left, y down.
    private static func upright(_ bounds: [Double], _ isDown: Bool) -> [Double] {
        isDown ? [1, 0, 0, 1, -bounds[0], -bounds[1]] : [1, 0, 0, -1, -bounds[0], bounds[1] + bounds[3]]
    }

    // MARK: Layers

    private func items(_ json: JSON, at parent: Fraction, in ground: Ground, isRoot: Bool = false) throws -> [Item] {
        guard let layer = try Layer(json, at: parent, films) else { return [] }
        let now = layer.now
        guard !now.isHidden, now.opacity > 0, let own = now.turn.affine else { return [] }
        let anchor = now.anchorPlace
        let place = isRoot ? anchor : now.position
        let back =
            ground.isDown
            ? [1, 0, 0, 1, now.bounds[0], now.bounds[1]] : [1, 0, 0, -1, now.bounds[0], now.bounds[1] + now.bounds[3]]
        let steps = [
            [1, 0, 0, 1, -anchor[0], -anchor[1]], own, [1, 0, 0, 1, place[0], place[1]],
            Self.upright(ground.bounds, ground.isDown), ground.map,
        ]
        let map = steps.reduce(back, InverseMap.joined)
        guard !InverseMap(map).isFlat else { return [] }
        let still = try LayerNow(json).turn.affine ?? own
        let raster = (
            x: hypot(still[0] * ground.raster.x, still[1] * ground.raster.y),
            y: hypot(still[2] * ground.raster.x, still[3] * ground.raster.y)
        )
        let inner = Ground(bounds: now.bounds, map: map, isDown: ground.isDown != layer.isFlipped, raster: raster)
        let opacity = min(1, now.opacity)
        if let simple = try direct(layer, inner) { return simple.map { Self.faded($0, opacity) } }
        return try group(layer, inner, isDown: ground.isDown).map { [Self.faded($0, opacity)] } ?? []
    }

    private static func faded(_ item: Item, _ opacity: Double) -> Item {
        var item = item
        item.opacity *= opacity
        return item
    }

    /// nil where it needs a picture of its own.
    private func direct(_ layer: Layer, _ ground: Ground) throws -> [Item]? {
        let now = layer.now
        if !layer.json["mask"].isAbsent || now.hasShadow { return nil }
        let hasMany = try !layer.json["sublayers"].each { $0 }.isEmpty
        if layer.cuts, !now.contents.isAbsent || hasMany || layer.isFilm {
            let inside = try inside(layer, ground, isBordered: false)
            guard !hasMany, inside.count == 1, var item = inside.first else { return nil }
            // The outline is that of the bounds, which a smaller picture does not fill.
            let filled = try contents(layer, ground.raster, hasSize: true)?.extent ?? [0, 0, 0, 0]
            let isFilled =
                filled[0] < 1e-6 && filled[1] < 1e-6 && filled[2] > now.bounds[2] - 1e-6
                && filled[3] > now.bounds[3] - 1e-6
            if edge(now) != nil, !isFilled { return nil }
            item.clip = clip(now, ground.map)
            return [item]
        }
        let items = try inside(layer, ground, isBordered: true)
        return now.opacity >= 1 || (items.count < 2 && !hasMany) ? items : nil
    }

    private func clip(_ now: LayerNow, _ map: [Double]) -> Sheet.Clip {
        Sheet.Clip(affine: map, width: now.bounds[2], height: now.bounds[3], edge: edge(now))
    }

    private func edge(_ now: LayerNow) -> ReferenceEdge? {
        guard now.corner > 0 || now.border > 0 else { return nil }
        let colour = now.borderColour
        return ReferenceEdge(
            radius: now.corner, width: now.border,
            values: stage.base.encoding.values(SIMD3(colour[0], colour[1], colour[2])), alpha: colour[3])
    }

    /// The background, the contents, the sublayers and the border.
    private func inside(_ layer: Layer, _ ground: Ground, isBordered: Bool) throws -> [Item] {
        let now = layer.now
        var items: [Item] = []
        let hasSize = now.bounds[2] > 0 && now.bounds[3] > 0
        let contents = try self.contents(layer, ground.raster, hasSize: hasSize)
        let sublayers = try layer.json["sublayers"].each { $0 }
        let isPlain = contents == nil && sublayers.isEmpty
        var frame = edge(now)
        if !isBordered || !isPlain { frame?.width = 0 }
        if hasSize, now.background[3] > 0 {
            var item = filled(now.background, now)
            item.edge = frame
            items.append(item.moved(by: ground.map))
        }
        if let contents { items.append(contents.moved(by: ground.map)) }
        let depths = try sublayers.map { try Layer($0, at: layer.local, films)?.now.z ?? 0 }
        for k in sublayers.indices.sorted(by: { (depths[$0], $0) < (depths[$1], $1) }) {
            items += try self.items(sublayers[k], at: layer.local, in: ground)
        }
        if isBordered, hasSize, now.border > 0, !(isPlain && now.background[3] > 0) {
            var item = filled([0, 0, 0, 0], now)
            item.edge = edge(now)
            items.append(item.moved(by: ground.map))
        }
        return items
    }

    /// One colour in the layer's units; its alpha is not the border's.
    func filled(_ colour: [Double], _ now: LayerNow) -> Item {
        let format = PixelFormat(stage.base.format.bits > 8 ? "yuv444p10le" : "yuv444p")
        var sheet = Sheet(
            width: Int(now.bounds[2].rounded(.up)), height: Int(now.bounds[3].rounded(.up)), format: format,
            encoding: stage.base.encoding, colour: colour)
        if colour[3] < 1 { sheet.alpha = [Double](repeating: colour[3], count: sheet.width * sheet.height) }
        return Item(
            picture: sheet.picture, width: now.bounds[2], height: now.bounds[3], affine: [1, 0, 0, 1, 0, 0])
    }

    // MARK: Groups

    /// All that a layer shows as one picture, made with its raster's pixels.
    private func group(_ layer: Layer, _ ground: Ground, isDown: Bool) throws -> Item? {
        let now = layer.now
        let scale = [ground.raster.x, 0, 0, ground.raster.y, 0, 0]
        var inner = ground
        inner.map = scale
        let isRound = layer.cuts && now.corner > 0
        let items = try inside(layer, inner, isBordered: !isRound)
        guard var region = Self.union(items.map(\.extent)) else { return nil }
        let bounds = [0, 0, now.bounds[2] * ground.raster.x, now.bounds[3] * ground.raster.y]
        if isRound { region = bounds } else if layer.cuts { region = Self.common(region, bounds) }
        let mask = layer.json["mask"]
        let masks = mask.isAbsent ? [] : try self.items(mask, at: layer.local, in: inner)
        if !mask.isAbsent {
            guard let extent = Self.union(masks.map(\.extent)) else { return nil }
            if !isRound { region = Self.common(region, extent) }
        }
        guard region[0] < region[2], region[1] < region[3] else { return nil }
        var box = Box(region, stage)
        box.draw(items)
        if !mask.isAbsent {
            var other = Box(region, stage)
            other.draw(masks)
            box.sheet = box.sheet.masked(by: other.sheet, usesLuma: false, isInverted: false).rounded
        }
        var item = box.item
        if layer.cuts {
            item.clip = clip(now, scale)
            if !isRound { item.clip?.edge = nil }
        }
        if now.hasShadow { item = shadowed(item, now, ground.raster, isDown: isDown) }
        return item.moved(by: InverseMap.joined([1 / ground.raster.x, 0, 0, 1 / ground.raster.y, 0, 0], ground.map))
    }

    private func shadowed(_ item: Item, _ now: LayerNow, _ raster: (x: Double, y: Double), isDown: Bool) -> Item {
        let (shadow, down) = (now.shadow, isDown ? now.shadow.offset[1] : -now.shadow.offset[1])
        let reach = 3 * shadow.radius + 1
        let own = item.extent
        let cast = [
            own[0] + (shadow.offset[0] - reach) * raster.x, own[1] + (down - reach) * raster.y,
            own[2] + (shadow.offset[0] + reach) * raster.x, own[3] + (down + reach) * raster.y,
        ]
        var box = Box([min(own[0], cast[0]), min(own[1], cast[1]), max(own[2], cast[2]), max(own[3], cast[3])], stage)
        box.draw([item])
        let colour = shadow.colour.prefix(3) + [shadow.colour[3] * min(1, shadow.opacity)]
        box.sheet =
            box.sheet.shadowed(
                offset: (shadow.offset[0] * raster.x, down * raster.y),
                radius: (shadow.radius * raster.x, shadow.radius * raster.y),
                colour: Array(colour)
            ).rounded
        return box.item
    }

    private static func union(_ extents: [[Double]]) -> [Double]? {
        guard let first = extents.first else { return nil }
        return extents.dropFirst().reduce(first) {
            [min($0[0], $1[0]), min($0[1], $1[1]), max($0[2], $1[2]), max($0[3], $1[3])]
        }
    }

    private static func common(_ a: [Double], _ b: [Double]) -> [Double] {
        [max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])]
    }

    /// Whole pixels around something.
    private struct Box {
        var sheet: Sheet
        let x, y: Double

        init(_ region: [Double], _ stage: EffectStage) {
            func low(_ value: Double) -> Double { (value + 1e-6).rounded(.down) }
            func high(_ value: Double) -> Double { (value - 1e-6).rounded(.up) }
            (x, y) = (low(region[0]), low(region[1]))
            sheet = Sheet(
                width: max(1, Int(high(region[2]) - x)), height: max(1, Int(high(region[3]) - y)),
                format: stage.base.format, encoding: stage.base.encoding, isClear: true)
        }

        mutating func draw(_ items: [Item]) {
            for item in items.map({ $0.moved(by: [1, 0, 0, 1, -x, -y]) }) { sheet.draw(item.drawing, clip: item.clip) }
        }

        var item: Item {
            Item(
                picture: sheet.picture, width: Double(sheet.width), height: Double(sheet.height),
                affine: [1, 0, 0, 1, x, y])
        }
    }
}
