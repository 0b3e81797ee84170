import MediaTime
import Pictures
import SplitreelProject

extension TreePainter {
    /// All that a layer shows as one picture, cut off at its bounds, masked.
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

    /// One picture in the raster's pixels; `region` is what of the items is made.
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

    /// The same over its shadow.
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

/// What a layer is made for, in its raster's pixels: more than these need not be drawn.
private struct View {
    let seen: Rect
    /// From where a shadow comes that is seen; nil without one.
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

    /// Whether something is so much larger than what is seen that it is worth being made anew as it moves.
    func isSmall(beside region: Rect) -> Bool { region.width * region.height > 1.5 * seen.width * seen.height }

    /// nil where neither it nor its shadow is seen.
    func part(of region: Rect) -> Rect? {
        let parts = [region.common(seen), source.flatMap { region.common($0) }].compactMap { $0 }
        return parts.first.map { first in parts.dropFirst().reduce(first) { $0.union($1) } }
    }
}

/// Whole pixels around something, in which it becomes a picture of its own.
private struct Box {
    let size: PixelSize
    /// From the pixels around to its own; no rotation.
    let map: Affine
    private let light: LightUse

    /// A picture's pixels at most, and those of a side; one of more is made coarser.
    private static let mostPixels = Double(1 << 25)
    private static let longest = 16384.0

    /// nil where there is nothing.
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
