import Drawings
import ExactMath
import MediaTime
import Pictures
import SplitreelProject

/// Draws a tree at one time: layers become pictures and places, in pixels from the top left, y down.
///
/// A layer is drawn in its own units first, from the top left of its bounds as it is seen, y down. A layer that needs a
/// picture of its own (faded together, masked, cut off round) is made with its raster and then put into its place, so
/// that one that only moves or fades is made once.
struct TreePainter {
    let plan: TreePlan
    /// The composed frame, as large as the plan says; nil where layers show none.
    let frame: PictureNode?
    /// The function that puts values into texts; nil where no text has places for them.
    var filled: ((TextDrawing) -> TextDrawing)?

    /// A picture in its place, and where it lies in the layer that shows it.
    struct Item {
        var recipe: LayerRecipe
        /// The picture's width and height, in display pixels.
        var width, height: Double
        /// The map from its display pixels to its layer's units; nil where these are another layer's.
        var place: Affine?
        /// The part of it that can be expected to be inked, in its display pixels; nil for all of it.
        var inked: Rect?

        var extent: Rect { (inked ?? Rect(x: 0, y: 0, width: width, height: height)).bounds(by: recipe.transform) }

        func moved(by map: Affine) -> Item {
            var item = self
            item.recipe.transform = recipe.transform.then(map)
            return item
        }
    }

    /// The place of a layer, for the layers that stand in it.
    struct Surroundings {
        /// The layer's bounds in its own units.
        var bounds: Rect
        /// The map from the layer's units to pixels.
        var map: Affine
        /// Whether y goes down in the layer.
        var down: Bool
        /// The pixels that can be seen.
        var target: Rect
    }

    /// A layer at a time.
    struct Moment {
        let layer: TreeLayer
        let state: LayerState
        let local: Rational
        let down: Bool

        var size: Rect { Rect(x: 0, y: 0, width: state.bounds.width, height: state.bounds.height) }
        var innerDown: Bool { down != layer.isFlipped }
    }

    func picture(at time: Rational) -> [Item] {
        guard let (found, local) = plan.root.state(at: time) else { return [] }
        var state = found
        (state.x, state.y) = state.anchor
        let (width, height) = (Double(plan.size.width), Double(plan.size.height))
        guard state.bounds.width > 0, state.bounds.height > 0 else { return [] }
        let map = Affine.scale(width / state.bounds.width, height / state.bounds.height)
        return items(
            Moment(layer: plan.root, state: state, local: local, down: false),
            in: Surroundings(
                bounds: state.bounds, map: map, down: false,
                target: Rect(x: 0, y: 0, width: width, height: height)))
    }

    func items(_ layer: TreeLayer, at time: Rational, in around: Surroundings) -> [Item] {
        guard let (state, local) = layer.state(at: time) else { return [] }
        return items(Moment(layer: layer, state: state, local: local, down: around.down), in: around)
    }

    private func items(_ moment: Moment, in around: Surroundings) -> [Item] {
        let state = moment.state
        let opacity = min(state.opacity, 1)
        guard !state.isHidden, opacity > 0, let own = state.transform.affine else { return [] }
        let anchor = state.anchor
        let map = Affine.fromUpright(state.bounds, down: around.down)
            .then(.translation(-anchor.x, -anchor.y)).then(own).then(.translation(state.x, state.y))
            .then(Affine.upright(around.bounds, down: around.down)).then(around.map).snapped
        guard map.determinant != 0, [map.a, map.b, map.c, map.d, map.tx, map.ty].allSatisfy(\.isFinite) else {
            return []
        }
        guard let items = direct(moment, map: map, target: around.target, opacity: opacity) else {
            return group(moment, map: map, target: around.target).map { [$0.faded(by: opacity)] } ?? []
        }
        return items.map { $0.faded(by: opacity) }
    }

    /// The items of a layer without a picture of its own; nil where it needs one.
    private func direct(_ moment: Moment, map: Affine, target: Rect, opacity: Double) -> [Item]? {
        let (layer, state) = (moment.layer, moment.state)
        guard layer.masks.isEmpty, !state.hasShadow else { return nil }
        guard layer.sublayers.isEmpty else {
            return opacity == 1 && !layer.masksToBounds
                ? inside(moment, map: map, target: target, bordered: true) : nil
        }
        if layer.masksToBounds, state.contents != .none {
            return cut(moment, map: map, target: target).map { [$0] }
        }
        let items = inside(moment, map: map, target: target, bordered: true)
        return opacity == 1 || items.count < 2 ? items : nil
    }

    /// A layer of one picture that is cut to its bounds, without a group; nil where that cannot be.
    private func cut(_ moment: Moment, map: Affine, target: Rect) -> Item? {
        let items = inside(moment, map: map, target: target, bordered: false)
        guard items.count == 1, var item = items.first, let back = item.place?.inverse,
            back.b == 0, back.c == 0, back.a > 0, back.d > 0
        else { return nil }
        let crop = moment.size.bounds(by: back).snapped
        let whole = Rect(x: 0, y: 0, width: item.width, height: item.height)
        let edge = outline(moment.state, bordered: true)
        // An outline is that of the bounds, which a smaller picture does not fill.
        guard edge == nil || crop.common(whole) == crop else { return nil }
        if crop != whole { item.recipe.crop = crop }
        item = item.outlined(edge?.scaled(by: back))
        (item.place, item.inked) = (nil, nil)
        return item
    }

    // MARK: What a layer shows

    /// The background, the contents, the sublayers and the border, by a map from the layer's units to pixels.
    func inside(_ moment: Moment, map: Affine, target: Rect, bordered: Bool) -> [Item] {
        let (layer, state) = (moment.layer, moment.state)
        var items: [Item] = []
        let hasSize = state.bounds.width > 0 && state.bounds.height > 0
        let contents = hasSize || !state.contents.needsSize ? self.contents(moment) : nil
        let isPlain = contents == nil && layer.sublayers.isEmpty
        if hasSize, state.background.alpha > 0 {
            let item = filled(state.background, moment)
            items.append(item.outlined(outline(state, bordered: bordered && isPlain)?.scaled(by: item.scaleBack)))
        }
        if let contents { items.append(contents) }
        items = items.map { $0.moved(by: map).snapped }
        let around = Surroundings(bounds: state.bounds, map: map, down: moment.innerDown, target: target)
        for sublayer in sorted(layer, at: moment.local) {
            items += self.items(sublayer, at: moment.local, in: around).map { item in
                var item = item
                item.place = nil
                return item
            }
        }
        let isDrawn = isPlain && !items.isEmpty
        if bordered, hasSize, !isDrawn, let line = outline(state, bordered: true), line.hasBorder {
            var item = Self.clear(moment)
            item.recipe.outline = line.scaled(by: item.scaleBack)
            items.append(item.moved(by: map).snapped)
        }
        return items
    }

    private func sorted(_ layer: TreeLayer, at time: Rational) -> [TreeLayer] {
        guard layer.sortsSublayers else { return layer.sublayers }
        let depths = layer.sublayers.map { $0.state(at: time)?.state.zPosition ?? 0 }
        return layer.sublayers.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }.map { layer.sublayers[$0] }
    }

    func outline(_ state: LayerState, bordered: Bool) -> LayerOutline? {
        let result = LayerOutline(
            cornerRadius: max(0, state.cornerRadius), borderWidth: bordered ? max(0, state.borderWidth) : 0,
            borderColour: state.borderColour)
        return result.cornerRadius > 0 || result.hasBorder ? result : nil
    }

    private func contents(_ moment: Moment) -> Item? {
        let (state, raster) = (moment.state, moment.layer.raster)
        let (width, height) = (state.bounds.width, state.bounds.height)
        switch state.contents {
        case .none: return nil
        case .frame:
            guard let frame else { return nil }
            let size = (Double(plan.size.width), Double(plan.size.height))
            return Item(frame, size, .scale(width / size.0, height / size.1))
        case .media(let number, let play): return picture(plan.media[number], play, moment)
        case .colour(let colour): return colour.alpha > 0 ? filled(colour, moment) : nil
        case .gradient(let gradient):
            let size = PixelSize(width: Self.side(width * raster.x), height: Self.side(height * raster.y))
            let shown = (Double(size.width), Double(size.height))
            return Item(
                .pattern(PatternPicture(pattern: .gradient(gradient), size: size)), shown,
                .scale(width / shown.0, height / shown.1))
        case .text(let written):
            let text = filled?(written) ?? written
            guard !text.string.isEmpty else { return nil }
            var item = Self.drawn(.text(text), raster)
            item.inked = item.place?.inverse.map { text.likely.bounds(by: $0) }
            return item
        case .shape(let shape):
            return shape.path.segments.isEmpty ? nil : Self.drawn(.shape(shape), raster)
        }
    }

    private static func drawn(_ drawing: Drawing, _ raster: (x: Double, y: Double)) -> Item {
        let picture = DrawingPicture(drawing, scaleX: raster.x, scaleY: raster.y)
        return Item(
            .drawing(picture), (Double(picture.size.width), Double(picture.size.height)), picture.placement)
    }

    /// The pixels of a gradient's side.
    private static func side(_ length: Double) -> Int { Int(length.rounded(.up).held(in: 1...4096)) }

    private func picture(_ media: VideoTrackPlan.Media, _ play: LayerPicture.Play, _ moment: Moment) -> Item? {
        let time: Rational =
            switch play {
            case .still: media.trackStart
            case .film: media.assetTime(after: moment.local)
            case .at(let elapsed): media.assetTime(after: elapsed)
            }
        let size = media.displaySize
        let upright = Rect(x: 0, y: 0, width: size.width, height: size.height).bounds(by: media.preferredTransform)
        guard upright.width > 0, upright.height > 0, media.alpha > 0 else { return nil }
        let box = moment.layer.gravity.box(of: upright, in: moment.size)
        let map = media.preferredTransform.then(.translation(-upright.x, -upright.y))
            .then(.scale(box.width / upright.width, box.height / upright.height)).then(.translation(box.x, box.y))
        var item = Item(media.picture(track: -moment.layer.number, at: time), (size.width, size.height), map)
        item.recipe.opacity = media.alpha
        return item
    }

    /// A picture of one colour as large as the layer. A colour is everywhere the same, so that a small picture does.
    private func filled(_ colour: Colour, _ moment: Moment) -> Item {
        var opaque = colour
        opaque.alpha = 1
        let fill = ColourFill(colour: opaque, size: PixelSize(width: 2, height: 2))
        var item = Item(.fill(fill), (2, 2), .scale(moment.size.width / 2, moment.size.height / 2))
        item.recipe.opacity = colour.alpha
        return item
    }

    private static func clear(_ moment: Moment) -> Item {
        var group = PictureGroup(size: PixelSize(width: 2, height: 2), matte: .clear, layers: [])
        group.hasAlpha = true
        return Item(.group(group), (2, 2), .scale(moment.size.width / 2, moment.size.height / 2))
    }
}

/// The effect that multiplies a picture's alpha by another one's.
package enum LayerMask {
    package static let id = "layer.mask"
}

extension TreePainter.Item {
    init(_ picture: PictureNode, _ size: (Double, Double), _ place: Affine) {
        self.init(
            recipe: LayerRecipe(picture: picture, transform: place), width: size.0, height: size.1, place: place)
    }

    /// The map from the layer's units to the item's own pixels.
    fileprivate var scaleBack: Affine { place?.inverse ?? .identity }

    var snapped: TreePainter.Item {
        var item = self
        item.recipe.transform = recipe.transform.snapped
        return item
    }

    /// The item with an outline, before it is faded: until then its opacity is its picture's own alpha, which its
    /// border lacks.
    fileprivate func outlined(_ outline: LayerOutline?) -> TreePainter.Item {
        var item = self
        item.recipe.outline = outline
        if outline?.hasBorder == true { (item.recipe.pictureAlpha, item.recipe.opacity) = (recipe.opacity, 1) }
        return item
    }

    fileprivate func faded(by opacity: Double) -> TreePainter.Item {
        var item = self
        item.recipe.opacity *= opacity
        return item
    }
}

extension [TreePainter.Item] {
    /// The rectangle around all of them; nil for none. Items that are nowhere do not count.
    var extent: Rect? {
        var result: Rect?
        for item in self {
            let extent = item.extent
            guard extent.width.isFinite, extent.height.isFinite, extent.x.isFinite, extent.y.isFinite else { continue }
            result = result.map { $0.union(extent) } ?? extent
        }
        return result
    }
}
