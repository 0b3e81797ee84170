import MediaTime
import Pictures
import SplitreelProject

extension InstructionPlan {
    /// The picture that a compositor of somebody's own makes of the instruction: one node over the pictures of its
    /// layers.
    func composed(by compositor: EffectPlan, at time: Rational, on stage: CanvasPlacement) -> PictureNode {
        var inputs: [PictureNode] = []
        let required = compositor.parameters.requiredTracks
        let values = layers.reversed().map { plan in
            var value = CompositorInstruction.Layer(track: plan.track.id)
            value.isVisible = plan.isVisible
            guard let (media, _) = plan.track.source(at: time), let layer = plan.square(at: time, media) else {
                return value
            }
            value.transform = layer.transform
            value.opacity = layer.opacity
            value.crop = layer.crop
            if plan.fitted == nil { value.preferredTransform = media.preferredTransform }
            // A track that the compositor does not need is not decoded.
            if required?.contains(plan.track.id) == false { return value }
            value.input = inputs.count
            inputs.append(layer.picture)
            return value
        }
        let node = compositor.picture(
            of: inputs, size: stage.size, hasAlpha: background.alpha < 1, at: time, scale: stage.map)
        guard case .effect(var effect) = node else { return node }
        effect.call.instruction = CompositorInstruction(
            start: start, end: end, background: background, layers: values)
        if let index { effect.call.place.path = compositor.shown("video.instructions[\(index)]") }
        for track in data { effect.call.instruction?.samples[track.id] = track.sample(at: time) }
        return .effect(effect)
    }
}

extension InstructionPlan.LayerPlan {
    /// The layer with its picture in whole square pixels, also where it is not seen.
    fileprivate func square(at time: Rational, _ media: VideoTrackPlan.Media) -> LayerRecipe? {
        guard let layer = recipe(at: time, evenUnseen: true) else { return nil }
        guard fitted == nil, !effects.contains(where: { $0.description.space == .picture }) else { return layer }
        return squared(layer, of: media)
    }
}
