import MediaTime
import Pictures

/// An instruction in exact time, its layers joined to their tracks.
struct InstructionPlan: Sendable {
    struct LayerPlan: Sendable {
        let track: VideoTrackPlan
        let transform: KeyTrack<Transform>
        let opacity: KeyTrack<Double>
        let crop: KeyTrack<Rect>
        var fitted: FittedLayer?
        let placement: CanvasPlacement
    }

    let start: Rational
    let end: Rational
    let background: Colour
    /// Bottom-most first.
    let layers: [LayerPlan]

    init(start: Rational, end: Rational, background: Colour, layers: [LayerPlan]) {
        (self.start, self.end, self.background, self.layers) = (start, end, background, layers)
    }

    /// nil where the range is not numeric. Layers of tracks that render nothing are left out.
    init?(_ instruction: Instruction, tracks: [Int: VideoTrackPlan], placement: CanvasPlacement) {
        guard let range = instruction.range.exact else { return nil }
        let background = instruction.background ?? .black
        var written = instruction.layers ?? []
        if let id = instruction.passthroughTrack { written = [Layer(wholeOf: id)] }
        self.init(
            start: range.start, end: range.end, background: background,
            layers: written.reversed().compactMap { layer in
                guard let track = tracks[layer.track] else { return nil }
                return LayerPlan(
                    track: track, transform: KeyTrack(layer.transform), opacity: KeyTrack(layer.opacity),
                    crop: KeyTrack(layer.crop),
                    fitted: layer.fit.map { FittedLayer(fit: $0, matte: layer.matte ?? background) },
                    placement: placement)
            })
    }
}

extension Rect {
    /// By a map without rotation and translation.
    fileprivate func scaled(by map: Affine) -> Rect {
        Rect(x: x * map.a, y: y * map.d, width: width * map.a, height: height * map.d)
    }
}

extension InstructionPlan.LayerPlan {
    func recipe(at time: Rational) -> LayerRecipe? {
        // An easing may overshoot.
        let visible = min(1, opacity.value(at: time) ?? 1)
        guard visible > 0, let (media, sourceTime) = track.source(at: time), media.alpha > 0 else { return nil }
        let canvas = (Double(placement.canvas.width), Double(placement.canvas.height))
        let placed = transform.value(at: time)?.affine(of: fitted == nil ? media.displaySize : canvas) ?? .identity
        let cropped = crop.value(at: time)
        var layer = LayerRecipe(
            picture: media.picture(track: track.id, at: sourceTime), transform: placed,
            crop: cropped?.isInfinite == true ? nil : cropped, opacity: visible)
        guard let fitted else {
            layer.opacity *= media.alpha
            let map = placement.map
            if map != .identity { layer.transform = placed.then(map) }
            return layer
        }
        guard let group = fitted.group(of: layer.picture, from: media, on: placement) else { return nil }
        layer.picture = .group(group)
        layer.crop = layer.crop?.scaled(by: placement.wholeScale)
        // A fitted picture that is not moved is only put in its place, sample by sample.
        layer.transform = placement.origin
        if placed != .identity, let back = placement.wholeScale.inverse {
            layer.transform = back.then(placed).then(placement.map)
        }
        return layer
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        guard opacity.isConstant(from: start, to: end) else { return false }
        if opacity.value(at: start) == 0 { return true }
        if let index = track.segmentIndex(at: start) {
            let segment = track.segments[index]
            guard end <= segment.targetEnd else { return false }
            guard let media = segment.media else { return true }
            return media.isStill && transform.isConstant(from: start, to: end) && crop.isConstant(from: start, to: end)
        }
        // Before 0 or after the track's end: nothing is seen, unless the range reaches into it.
        return start >= (track.segments.last?.targetEnd ?? .zero) || end <= .zero
    }
}
