import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

// A frame with effects, transitions or blend modes is made on a stage: a picture as large as the canvas is in the
// output, which is put into its place at the end.

extension Instruction {
    /// Whether a layer sees what lies beneath it, or is worked on in its place on the canvas.
    var needsStage: Bool {
        (layers ?? []).contains { layer in
            layer.blend.map { $0 != .normal } ?? false
                || (layer.effects ?? []).contains {
                    EffectRegistry.description(of: $0.id, version: $0.version)?.space == .canvas
                }
        }
    }
}

extension InstructionPlan {
    /// The layers of the frame at a time, bottom-most first; `origin` puts a stage into its place.
    func layers(at time: Rational, origin: Affine) -> [LayerRecipe] {
        guard let stage else { return layers.filter(\.isVisible).compactMap { $0.recipe(at: time) } }
        let recipes = worked(effects.count, at: time, stage)
        guard origin != .identity else { return recipes }
        return recipes.map { layer in
            var layer = layer
            layer.transform = layer.transform.then(origin)
            return layer
        }
    }

    /// The layers of the whole picture after so many of the effects.
    private func worked(_ count: Int, at time: Rational, _ stage: CanvasPlacement) -> [LayerRecipe] {
        guard count > 0 else { return staged(at: time, stage) }
        func whole(_ time: Rational) -> PictureNode {
            .group(over(background, worked(count - 1, at: time, stage), stage))
        }
        let (effect, input) = (effects[count - 1], whole(time))
        return [
            LayerRecipe(
                picture: effect.picture(
                    of: [input], size: stage.size, hasAlpha: background.alpha < 1, at: time, scale: stage.map,
                    neighbours: effect.neighbours(at: time, of: input) { whole($0) },
                    tracks: { picture(ofTrack: $0, at: time, stage) }))
        ]
    }

    /// The layers of the picture before its effects: blended, or on the way from one picture to another.
    private func staged(at time: Rational, _ stage: CanvasPlacement) -> [LayerRecipe] {
        if let compositor { return [LayerRecipe(picture: composed(by: compositor, at: time, on: stage))] }
        let drawn = layers.filter(\.isVisible)
        guard let transition, let upper = drawn.last else { return blended(drawn, at: time, stage) }
        let sides = [[upper], Array(drawn.dropLast())].map { over(background, blended($0, at: time, stage), stage) }
        return [
            LayerRecipe(
                picture: transition.picture(
                    of: sides.map { .group($0) }, size: stage.size, hasAlpha: background.alpha < 1, at: time,
                    scale: stage.map))
        ]
    }

    private func blended(_ plans: [LayerPlan], at time: Rational, _ stage: CanvasPlacement) -> [LayerRecipe] {
        var result: [LayerRecipe] = []
        for plan in plans {
            if let transition = plan.transition {
                // Alone on an opaque background both pictures are opaque, and mixed faster.
                let isOpaque = result.isEmpty && background.alpha == 1
                let sides = [plan.origin, [plan]].map { side -> PictureNode in
                    let recipes = side.compactMap { $0.recipe(at: time) }
                    return .group(isOpaque ? over(background, recipes, stage) : stage.clearGroup(recipes))
                }
                result.append(
                    LayerRecipe(
                        picture: transition.picture(
                            of: sides, size: stage.size, hasAlpha: !isOpaque, at: time, scale: stage.map)))
                continue
            }
            let inPlace = plan.effects.filter { $0.description.space == .canvas }
            guard let layer = placed(plan, inPlace[...], at: time, stage) else { continue }
            guard let blend = plan.blend else {
                result.append(layer)
                continue
            }
            let inputs = [over(background, result, stage), stage.clearGroup([layer])].map { PictureNode.group($0) }
            result = [
                LayerRecipe(
                    picture: .effect(
                        EffectPicture(
                            call: EffectCall(id: blend.id, version: blend.version), inputs: inputs, size: stage.size,
                            hasAlpha: background.alpha < 1)))
            ]
        }
        return result
    }

    /// The layer after the effects that work on it in its place; nil where it is not seen.
    private func placed(
        _ plan: LayerPlan, _ effects: ArraySlice<EffectPlan>, at time: Rational, _ stage: CanvasPlacement
    ) -> LayerRecipe? {
        guard let effect = effects.last else { return plan.recipe(at: time) }
        guard let layer = placed(plan, effects.dropLast(), at: time, stage) else { return nil }
        func whole(_ layer: LayerRecipe) -> PictureNode {
            var layer = layer
            layer.opacity = 1
            return .group(stage.clearGroup([layer]))
        }
        let input = whole(layer)
        let picture = effect.picture(
            of: [input], size: stage.size, hasAlpha: true, at: time, scale: stage.map,
            neighbours: effect.neighbours(at: time, of: input) {
                placed(plan, effects.dropLast(), at: $0, stage).map(whole)
            },
            tracks: { self.picture(ofTrack: $0, at: time, stage) })
        return LayerRecipe(picture: picture, opacity: layer.opacity)
    }

    private func over(_ background: Colour, _ layers: [LayerRecipe], _ stage: CanvasPlacement) -> PictureGroup {
        var group = PictureGroup(size: stage.size, matte: background, layers: layers, light: stage.light)
        group.hasAlpha = background.alpha < 1
        return group
    }

    /// The picture of a track in its place, as a layer of this instruction shows it, with nothing beneath it; nil
    /// without one.
    private func picture(ofTrack track: Int, at time: Rational, _ stage: CanvasPlacement) -> PictureNode? {
        layers.first { $0.track.id == track }?.recipe(at: time).map { .group(stage.clearGroup([$0])) }
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        layers.allSatisfy { $0.isConstant(from: start, to: end, evenUnseen: compositor != nil) }
            && (compositor == nil || data.allSatisfy { $0.isConstant(from: start, to: end) })
            && (effects + [transition, compositor].compactMap { $0 }).allSatisfy { $0.isConstant(from: start, to: end) }
    }
}

extension CanvasPlacement {
    /// The same placement for a picture of `shownSize`, which the canvas fills.
    var ofStage: CanvasPlacement {
        guard clip != nil || origin != .identity else { return self }
        var result = self
        result.size = shownSize
        result.scale = wholeScale
        result.map = wholeScale
        (result.origin, result.clip) = (.identity, nil)
        return result
    }

    /// The picture of layers with nothing beneath them.
    func clearGroup(_ layers: [LayerRecipe]) -> PictureGroup {
        var group = PictureGroup(size: size, matte: .clear, layers: layers, light: light)
        group.hasAlpha = true
        return group
    }
}

extension InstructionPlan.LayerPlan {
    /// The layer with the effects that work on its own picture.
    func withEffects(_ layer: LayerRecipe, of media: VideoTrackPlan.Media, at time: Rational) -> LayerRecipe {
        let effects = effects.filter { $0.description.space == .picture }
        guard !effects.isEmpty else { return layer }
        var layer = layer
        var (size, scale) = (placement.shownSize, placement.wholeScale)
        if fitted == nil {
            (size, scale) = (PixelSize(rounding: media.displaySize), .identity)
            layer = squared(layer, of: media)
        }
        layer.picture = worked(layer.picture, effects[...], at: time, size: size, scale: scale)
        return layer
    }

    private func worked(
        _ picture: PictureNode, _ effects: ArraySlice<EffectPlan>, at time: Rational, size: PixelSize, scale: Affine
    ) -> PictureNode {
        guard let effect = effects.last else { return picture }
        let input = worked(picture, effects.dropLast(), at: time, size: size, scale: scale)
        let around = effect.neighbours(at: time, of: input) { other in
            bare(at: other, size: size).map {
                worked($0, effects.dropLast(), at: other, size: size, scale: scale)
            }
        }
        return effect.picture(
            of: [input], size: size, hasAlpha: input.hasAlpha || around.contains(where: \.hasAlpha), at: time,
            scale: scale, neighbours: around)
    }

    /// The picture that effects begin with at another time; nil where nothing is shown, or something of another size.
    private func bare(at time: Rational, size: PixelSize) -> PictureNode? {
        guard let (media, sourceTime) = track.source(at: time), media.alpha > 0 else { return nil }
        let picture = media.picture(track: track.id, at: sourceTime)
        if let fitted { return fitted.group(of: picture, from: media, on: placement).map { .group($0) } }
        guard PixelSize(rounding: media.displaySize) == size else { return nil }
        return .group(Self.square(picture, media.displaySize, hasAlpha: media.hasAlpha))
    }

    /// The same layer of a picture in whole square pixels.
    func squared(_ layer: LayerRecipe, of media: VideoTrackPlan.Media) -> LayerRecipe {
        let size = PixelSize(rounding: media.displaySize)
        var layer = layer
        layer.picture = .group(Self.square(layer.picture, media.displaySize, hasAlpha: media.hasAlpha))
        layer.transform = Affine.scale(
            media.displaySize.width / Double(size.width), media.displaySize.height / Double(size.height)
        ).then(layer.transform)
        return layer
    }

    /// The picture of all of a source, in whole square pixels.
    private static func square(_ picture: PictureNode, _ size: DisplaySize, hasAlpha: Bool) -> PictureGroup {
        let whole = PixelSize(rounding: size)
        let map = Affine.scale(Double(whole.width) / size.width, Double(whole.height) / size.height)
        var group = PictureGroup(
            size: whole, matte: .clear,
            layers: size.width > 0 && size.height > 0 ? [LayerRecipe(picture: picture, transform: map)] : [])
        group.hasAlpha = hasAlpha || picture.hasAlpha
        return group
    }
}

extension PictureNode {
    /// Whether it may let through what lies beneath it; the file tells of sources.
    var hasAlpha: Bool {
        switch self {
        case .source, .blend, .fill: false
        case .pattern(let picture): !picture.pattern.isOpaque
        case .drawing, .script: true
        case .group(let group): group.hasAlpha
        case .effect(let effect): effect.hasAlpha
        }
    }
}

extension PixelSize {
    /// The size rounded to whole pixels, at least 1×1.
    fileprivate init(rounding size: DisplaySize) {
        func side(_ length: Double) -> Int { max(1, Int(min(length, 65536).rounded())) }
        self.init(width: side(size.width), height: side(size.height))
    }
}
