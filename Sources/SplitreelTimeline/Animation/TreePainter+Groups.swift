import Drawings
import MediaTime
import Pictures
import SplitreelProject

extension TreePainter {
    /// All that a layer shows as one picture, cut off at its bounds and masked; nil where nothing of it is seen.
    func group(_ moment: Moment, map: Affine, target: Rect) -> Item? {
        let layer = moment.layer
        let scale = Affine.scale(layer.raster.x, layer.raster.y)
        guard let small = scale.inverse, let seen = small.then(map).inverse.map({ target.bounds(by: $0) }) else {
            return nil
        }
        let view = View(seen: seen, moment)
        let isRound = layer.masksToBounds && moment.state.cornerRadius > 0
        let items = inside(moment, map: scale, target: view.whole, bordered: !isRound)
        guard var region = items.extent else { return nil }
        let bounds = moment.size.bounds(by: scale).snapped
        if isRound {
            region = bounds
        } else if layer.masksToBounds {
            guard let common = region.common(bounds) else { return nil }
            region = common
        }
        let around = Surroundings(
            bounds: moment.state.bounds, map: scale, down: moment.innerDown, target: view.whole)
        let masks = layer.masks.map { self.items($0, at: moment.local, in: around) }
        for mask in masks {
            guard let common = mask.extent.flatMap({ region.common($0) }) else { return nil }
            if !isRound { region = common }
        }
        if !isRound, view.isSmall(beside: region) {
            guard let common = view.part(of: region) else { return nil }
            region = common
        }
        let cut = layer.masksToBounds ? bounds : nil
        guard var item = joined(items, masks, in: region, cutTo: cut, moment) else { return nil }
        if moment.state.hasShadow { item = shadowed(item, moment, view) ?? item }
        return item.moved(by: small.then(map)).snapped
    }

    /// One picture in the raster's pixels; `region` is the part of the items that is made. nil where that is empty.
    private func joined(
        _ items: [Item], _ masks: [[Item]], in region: Rect, cutTo bounds: Rect?, _ moment: Moment
    ) -> Item? {
        guard let box = Box(around: region, light: plan.light) else { return nil }
        var node = box.group(items)
        for mask in masks {
            node = .effect(
                EffectPicture(
                    call: EffectCall(id: LayerMask.id, version: 1), inputs: [node, box.group(mask)], size: box.size,
                    hasAlpha: true))
        }
        var item = box.item(node)
        guard let bounds else { return item }
        let crop = bounds.bounds(by: box.map).snapped
        if crop.x > 0 || crop.y > 0 || crop.x + crop.width < item.width || crop.y + crop.height < item.height {
            item.recipe.crop = crop
        }
        if moment.state.cornerRadius > 0 {
            let raster = Affine.scale(moment.layer.raster.x * box.map.a, moment.layer.raster.y * box.map.d)
            item.recipe.outline = outline(moment.state, bordered: true)?.scaled(by: raster)
        }
        return item
    }

    /// The picture over its shadow; nil where neither is seen.
    private func shadowed(_ item: Item, _ moment: Moment, _ view: View) -> Item? {
        let (shadow, raster) = (moment.state.shadow, moment.layer.raster)
        let down = moment.down ? shadow.y : -shadow.y
        let reach = 3 * max(0, shadow.radius) + 1
        let cast = Rect(
            x: item.extent.x + (shadow.x - reach) * raster.x, y: item.extent.y + (down - reach) * raster.y,
            width: item.extent.width + 2 * reach * raster.x, height: item.extent.height + 2 * reach * raster.y)
        var region = item.extent.union(cast)
        if view.isSmall(beside: region) {
            let parts = [view.part(of: item.extent), region.common(view.seen)].compactMap { $0 }
            guard let first = parts.first else { return nil }
            region = parts.dropFirst().reduce(first) { $0.union($1) }
        }
        guard let box = Box(around: region, light: plan.light) else { return nil }
        let colour = shadow.colour
        var call = EffectCall(
            id: "drop-shadow", version: 1,
            values: [
                "offset": .numbers([shadow.x, down]), "radius": .numbers([max(0, shadow.radius)]),
                "color": .numbers([colour.red, colour.green, colour.blue, colour.alpha * min(1, shadow.opacity)]),
            ])
        (call.scaleX, call.scaleY) = (raster.x * box.map.a, raster.y * box.map.d)
        return box.item(
            .effect(EffectPicture(call: call, inputs: [box.group([item])], size: box.size, hasAlpha: true)))
    }
}

/// The part for which a layer is made, in its raster's pixels: more need not be drawn.
private struct View {
    let seen: Rect
    /// The rectangle from which a shadow comes that is seen; nil without a shadow.
    private let source: Rect?

    init(seen: Rect, _ moment: TreePainter.Moment) {
        self.seen = seen
        guard moment.state.hasShadow else {
            source = nil
            return
        }
        let (shadow, raster) = (moment.state.shadow, moment.layer.raster)
        let (reach, down) = (3 * max(0, shadow.radius) + 1, moment.down ? shadow.y : -shadow.y)
        source = Rect(
            x: seen.x - (shadow.x + reach) * raster.x, y: seen.y - (down + reach) * raster.y,
            width: seen.width + 2 * reach * raster.x, height: seen.height + 2 * reach * raster.y)
    }

    var whole: Rect { source.map { $0.union(seen) } ?? seen }

    /// Whether a region is so much larger than the part that is seen that it is worth being made anew as it moves.
    func isSmall(beside region: Rect) -> Bool { region.width * region.height > 1.5 * seen.width * seen.height }

    /// The part of a region that is seen, or whose shadow is; nil where neither is.
    func part(of region: Rect) -> Rect? {
        let parts = [region.common(seen), source.flatMap { region.common($0) }].compactMap { $0 }
        return parts.first.map { first in parts.dropFirst().reduce(first) { $0.union($1) } }
    }
}

/// The whole pixels around something, in which it becomes a picture of its own.
private struct Box {
    let size: PixelSize
    /// The map from the pixels around to the box's own; no rotation.
    let map: Affine
    private let light: LightUse

    /// The pixels of a picture at most; one of more is made coarser.
    private static let mostPixels = Double(1 << 25)
    /// The pixels of a picture's side at most.
    private static let longest = 16384.0

    /// The box around a region; nil where there is nothing.
    init?(around region: Rect, light: LightUse) {
        self.light = light
        let whole = region.outward
        guard whole.width > 0, whole.height > 0, whole.width.isFinite, whole.height.isFinite else { return nil }
        let share = min(
            1, (Self.mostPixels / (whole.width * whole.height)).squareRoot(), Self.longest / whole.width,
            Self.longest / whole.height)
        let move = Affine.translation(-whole.x, -whole.y)
        map = share < 1 ? move.then(.scale(share, share)) : move
        size = PixelSize(
            width: max(1, Int((whole.width * share).rounded())), height: max(1, Int((whole.height * share).rounded())))
    }

    func group(_ items: [TreePainter.Item]) -> PictureNode {
        var group = PictureGroup(
            size: size, matte: .clear, layers: items.map { $0.moved(by: map).snapped.recipe }, light: light)
        group.hasAlpha = true
        return .group(group)
    }

    func item(_ node: PictureNode) -> TreePainter.Item {
        var item = TreePainter.Item(
            node, (Double(size.width), Double(size.height)), map.inverse ?? .identity)
        item.place = nil
        return item
    }
}
