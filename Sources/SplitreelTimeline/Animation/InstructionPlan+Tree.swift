import MediaTime
import Pictures
import SplitreelProject

extension InstructionPlan.LayerPlan {
    /// The layer that shows a tree at a time: a picture of the canvas's size, as a fitted one is. nil where nothing is
    /// seen.
    func recipe(of tree: TreePlan, at time: Rational) -> LayerRecipe? {
        let visible = min(1, opacity.value(at: time) ?? 1)
        let own = effects.filter { $0.description.space == .picture }
        let outline = outline?.value(at: time)
        let isWhole = !own.isEmpty || outline != nil
        guard visible > 0, let seen = tree.picture(at: time, isWhole: isWhole) else {
            return nil
        }
        let (x, y) = (Double(seen.x), Double(seen.y))
        var layer = LayerRecipe(picture: .group(seen.group), transform: .translation(x, y), opacity: visible)
        if let crop = crop.value(at: time), !crop.isInfinite {
            let scaled = crop.scaled(by: placement.wholeScale)
            layer.crop = Rect(x: scaled.x - x, y: scaled.y - y, width: scaled.width, height: scaled.height)
        }
        layer.outline = outline?.scaled(by: placement.wholeScale)
        let canvas = (Double(placement.canvas.width), Double(placement.canvas.height))
        let placed = transform.value(at: time)?.affine(of: canvas) ?? .identity
        if placed != .identity, let back = placement.wholeScale.inverse {
            layer.transform = layer.transform.then(back).then(placed).then(placement.map)
        } else {
            layer.transform = layer.transform.then(placement.origin)
        }
        for effect in own {
            layer.picture = effect.picture(
                of: [layer.picture], size: tree.size, hasAlpha: true, at: time, scale: placement.wholeScale)
        }
        return layer
    }
}
