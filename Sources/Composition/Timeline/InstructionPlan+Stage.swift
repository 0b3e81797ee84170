import MediaTime
import Pictures

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
        var recipes = staged(at: time, stage)
        for effect in effects {
            let group = over(background, recipes, stage)
            recipes = [
                LayerRecipe(
                    picture: effect.picture(
                        of: [.group(group)], size: stage.size, hasAlpha: group.hasAlpha, at: time, scale: stage.map,
                        tracks: { picture(ofTrack: $0, at: time, stage) }))
            ]
        }
        guard origin != .identity else { return recipes }
        return recipes.map { layer in
            var layer = layer
            layer.transform = layer.transform.then(origin)
            return layer
        }
    }

    /// Blended, or on the way from one picture to another.
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
            guard var layer = plan.recipe(at: time) else { continue }
            for effect in plan.effects where effect.description.space == .canvas {
                var whole = layer
                whole.opacity = 1
                let picture = effect.picture(
                    of: [.group(stage.clearGroup([whole]))], size: stage.size, hasAlpha: true, at: time,
                    scale: stage.map, tracks: { self.picture(ofTrack: $0, at: time, stage) })
                layer = LayerRecipe(picture: picture, opacity: layer.opacity)
            }
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

    private func over(_ background: Colour, _ layers: [LayerRecipe], _ stage: CanvasPlacement) -> PictureGroup {
        var group = PictureGroup(size: stage.size, matte: background, layers: layers, light: stage.light)
        group.hasAlpha = background.alpha < 1
        return group
    }

    /// A track in its place, as a layer of this instruction shows it, with nothing beneath it.
    private func picture(ofTrack track: Int, at time: Rational, _ stage: CanvasPlacement) -> PictureNode? {
        layers.first { $0.track.id == track }?.recipe(at: time).map { .group(stage.clearGroup([$0])) }
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        layers.allSatisfy { $0.isConstant(from: start, to: end) }
            && (effects + [transition, compositor].compactMap { $0 }).allSatisfy { $0.isConstant(from: start, to: end) }
    }
}

extension CanvasPlacement {
    /// The same for a picture of `shownSize`, which the canvas fills.
    var ofStage: CanvasPlacement {
        guard clip != nil || origin != .identity else { return self }
        var result = self
        (result.size, result.scale, result.map) = (shownSize, wholeScale, wholeScale)
        (result.origin, result.clip) = (.identity, nil)
        return result
    }

    /// Layers with nothing beneath them.
    func clearGroup(_ layers: [LayerRecipe]) -> PictureGroup {
        var group = PictureGroup(size: size, matte: .clear, layers: layers, light: light)
        group.hasAlpha = true
        return group
    }
}

extension InstructionPlan.LayerPlan {
    /// A layer with those effects that work on its own picture.
    func withEffects(_ layer: LayerRecipe, of media: VideoTrackPlan.Media, at time: Rational) -> LayerRecipe {
        let effects = effects.filter { $0.description.space == .picture }
        guard !effects.isEmpty else { return layer }
        var layer = layer
        var (size, scale) = (placement.shownSize, placement.wholeScale)
        if fitted == nil {
            (size, scale) = (PixelSize(rounding: media.displaySize), .identity)
            layer = squared(layer, of: media)
        }
        for effect in effects {
            layer.picture = effect.picture(
                of: [layer.picture], size: size, hasAlpha: layer.picture.hasAlpha, at: time, scale: scale)
        }
        return layer
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

    /// All of a source, in whole square pixels.
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
    /// Whether it may let through what lies beneath it; of sources the file tells.
    fileprivate var hasAlpha: Bool {
        switch self {
        case .source, .fill: false
        case .pattern(let picture): !picture.pattern.isOpaque
        case .drawing: true
        case .group(let group): group.hasAlpha
        case .effect(let effect): effect.hasAlpha
        }
    }
}

extension PixelSize {
    /// At least 1×1.
    fileprivate init(rounding size: DisplaySize) {
        func side(_ length: Double) -> Int { max(1, Int(min(length, 65536).rounded())) }
        self.init(width: side(size.width), height: side(size.height))
    }
}
