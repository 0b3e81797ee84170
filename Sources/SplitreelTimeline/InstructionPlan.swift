import MediaTime
import Pictures
import SplitreelProject

/// An instruction in exact time, its layers joined to their tracks.
struct InstructionPlan: Sendable {
    struct LayerPlan: Sendable {
        let track: VideoTrackPlan
        let transform: KeyTrack<Transform>
        let opacity: KeyTrack<Double>
        let crop: KeyTrack<Rect>
        var outline: OutlinePlan?
        let standing: LayerStanding
        /// The colour that a fitted source leaves free.
        var matte = Colour.black
        var effects: [EffectPlan] = []
        /// Whether the layer is drawn; false where it is only looked at by effects.
        var isVisible = true
        /// The way of blending; nil for source-over.
        var blend: EffectDescription?
        /// The tree that it shows in place of its track; nil for its track.
        var tree: Boxed<TreePlan>?
        /// The transition by which it comes in from `origin`, on a stage; nil where it has none.
        var transition: EffectPlan?
        /// The layer from which the transition comes: one or none.
        var origin: [LayerPlan] = []
        let placement: CanvasPlacement

        /// The picture of the canvas's size in which its source stands; nil where it has none.
        var fitted: FittedLayer? { standing.fit.map { FittedLayer(fit: $0, matte: matte) } }
    }

    let start: Rational
    let end: Rational
    let background: Colour
    /// The layers, bottom-most first.
    let layers: [LayerPlan]
    /// The transition from the top-most layer to the others; nil where there is none.
    var transition: EffectPlan?
    /// The placement of layers for what is done to all of them; nil where nothing is.
    var stage: CanvasPlacement?
    /// The effects of the whole picture, in order.
    var effects: [EffectPlan] = []
    /// The compositor of somebody's own, in place of everything up to `effects`; nil for layers over each other, and
    /// where the instruction has the video's as it is.
    var compositor: EffectPlan?
    /// Its index in the file; nil where the file has none.
    var index: Int?
    /// The metadata tracks that the compositor is told of; nil for all.
    var dataTracks: [Int]?
    var data: [DataTrackPlan] = []
    /// Whether it shows one track as it is, whatever composes the others.
    var isPassthrough = false
    /// Whether an animation around the picture is there.
    var isProcessed = true

    init(start: Rational, end: Rational, background: Colour, layers: [LayerPlan]) {
        self.start = start
        self.end = end
        self.background = background
        self.layers = layers
    }

    /// The plan of an instruction; nil where its range is not numeric. Layers of tracks that render nothing are left
    /// out. `media` answers the pictures of assets that effects name; `prefix` stands before their names in recipes; a
    /// frame lasts `frame` seconds; it is the instruction of that index in `video`; `tree` is shown by layers that
    /// name its track.
    init?(
        _ instruction: Instruction, at index: Int, of video: VideoComposition?, tracks: [Int: VideoTrackPlan],
        placement: CanvasPlacement, media: (String) -> VideoTrackPlan.Media?, prefix: String, frame: Rational,
        tree: Boxed<TreePlan>? = nil
    ) {
        guard let range = instruction.range.exact else { return nil }
        let background = instruction.background ?? .black
        func plan(_ choice: RegisteredChoice, _ key: String) -> EffectPlan? {
            EffectPlan(
                choice, at: "video.instructions[\(index)]\(key)", range: range, media: media, prefix: prefix,
                frame: frame)
        }
        func plans(_ choices: [RegisteredChoice]?, _ key: String) -> [EffectPlan] {
            (choices ?? []).enumerated().compactMap { plan($1, "\(key).effects[\($0)]") }
        }
        let first = instruction.effect.flatMap { plan($0, ".effect") }
        let whole = (first.map { [$0] } ?? []) + plans(instruction.effects, "")
        let stage = whole.isEmpty && !instruction.needsStage ? nil : placement.ofStage
        let placement = stage ?? placement
        var written = instruction.layers ?? []
        if let id = instruction.passthroughTrack { written = [Layer(wholeOf: id)] }
        self.init(
            start: range.start, end: range.end, background: background,
            layers: written.enumerated().reversed().compactMap { number, layer in
                let isTree = tree != nil && tree?.value.track == layer.track
                guard let track = isTree ? VideoTrackPlan(id: layer.track, segments: []) : tracks[layer.track] else {
                    return nil
                }
                var plan = LayerPlan(
                    track: track, transform: KeyTrack(layer.transform), opacity: KeyTrack(layer.opacity),
                    crop: KeyTrack(layer.crop), outline: OutlinePlan(layer),
                    standing: layer.standing(filmFit: video?.fit), matte: layer.matte ?? background,
                    placement: placement)
                plan.effects = plans(layer.effects, ".layers[\(number)]")
                plan.isVisible = layer.visible ?? true
                plan.tree = isTree ? tree : nil
                plan.blend = layer.blend.flatMap { EffectRegistry.description(of: $0.id, version: nil) }
                return plan
            })
        self.stage = stage
        dataTracks = instruction.sampleDataTracks
        isPassthrough = instruction.passthroughTrack != nil
        transition = whole.first { $0.description.kind == .transition }
        effects = whole.filter { $0.description.kind != .transition }
        isProcessed = instruction.postProcessing ?? true
        self.index = index
        if instruction.params != nil, !isPassthrough {
            compositor = instruction.compositor(of: video).flatMap { plan($0, "") }
        }
    }
}

/// A layer's round corners and border in exact time.
struct OutlinePlan: Sendable {
    private let cornerRadius: KeyTrack<Double>
    private let borderWidth: KeyTrack<Double>
    private let borderColour: Colour

    /// The outline of a layer; nil for a layer that has neither round corners nor a border.
    init?(_ layer: Layer) {
        guard layer.cornerRadius != nil || layer.borderWidth != nil else { return nil }
        (cornerRadius, borderWidth) = (KeyTrack(layer.cornerRadius), KeyTrack(layer.borderWidth))
        borderColour = layer.borderColor ?? .black
    }

    /// The outline at a time; nil for none. An easing may undershoot.
    func value(at time: Rational) -> LayerOutline? {
        let result = LayerOutline(
            cornerRadius: max(0, cornerRadius.value(at: time) ?? 0),
            borderWidth: max(0, borderWidth.value(at: time) ?? 0), borderColour: borderColour)
        return result.cornerRadius > 0 || result.hasBorder ? result : nil
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        cornerRadius.isConstant(from: start, to: end) && borderWidth.isConstant(from: start, to: end)
    }
}

extension Rect {
    /// The rectangle by a map without rotation and translation. Parts that lie far outside of any picture are cut off
    /// before, where a ramp from an infinite rectangle begins: its numbers have no room to grow.
    func scaled(by map: Affine) -> Rect {
        let far = 1e12
        guard abs(x) > far || abs(y) > far || width > far || height > far else {
            return Rect(x: x * map.a, y: y * map.d, width: width * map.a, height: height * map.d)
        }
        let (left, top) = (max(x, -far), max(y, -far))
        let (right, bottom) = (min(x + width, far), min(y + height, far))
        return Rect(
            x: left * map.a, y: top * map.d, width: max(0, right - left) * map.a, height: max(0, bottom - top) * map.d)
    }
}

extension InstructionPlan.LayerPlan {
    /// The layer's recipe at a time; nil where nothing of it is seen, or with `evenUnseen` where its track shows
    /// nothing.
    func recipe(at time: Rational, evenUnseen: Bool = false) -> LayerRecipe? {
        if let tree { return recipe(of: tree.value, at: time) }
        // An easing may overshoot.
        let visible = max(0, min(1, opacity.value(at: time) ?? 1))
        guard visible > 0 || evenUnseen, let (media, sourceTime) = track.source(at: time),
            media.alpha > 0 || evenUnseen
        else { return nil }
        let placed = placed(media, at: time)
        let cropped = crop.value(at: time)
        var layer = LayerRecipe(
            picture: media.picture(track: track.id, at: sourceTime), transform: placed,
            crop: cropped?.isInfinite == true ? nil : cropped, opacity: visible)
        layer.outline = outline?.value(at: time)
        guard let fitted else {
            if layer.outline?.hasBorder == true {
                layer.pictureAlpha = media.alpha
            } else {
                layer.opacity *= media.alpha
            }
            let map = placement.map
            if map != .identity { layer.transform = placed.then(map) }
            return withEffects(layer, of: media, at: time)
        }
        guard let group = fitted.group(of: layer.picture, from: media, on: placement) else { return nil }
        layer.picture = .group(group)
        layer.crop = layer.crop?.scaled(by: placement.wholeScale)
        layer.outline = layer.outline?.scaled(by: placement.wholeScale)
        // A fitted picture that is not moved is only put in its place, sample by sample.
        layer.transform = placement.origin
        if placed != .identity, let back = placement.wholeScale.inverse {
            layer.transform = back.then(placed).then(placement.map)
        }
        return withEffects(layer, of: media, at: time)
    }

    /// The map from the picture's display pixels, or from those of the canvas where it is fitted, to the canvas.
    private func placed(_ media: VideoTrackPlan.Media, at time: Rational) -> Affine {
        let canvas = placement.canvas
        if standing == .contained { return media.containedMap(into: canvas) }
        let whole = (width: Double(canvas.width), height: Double(canvas.height))
        let size = standing.fit == nil ? media.displaySize : whole
        return transform.value(at: time)?.affine(of: size) ?? .identity
    }

    /// Whether it shows the same at every time of [start, end). Compositors of somebody's own see it `evenUnseen`.
    func isConstant(from start: Rational, to end: Rational, evenUnseen: Bool = false) -> Bool {
        if let transition, !transition.isConstant(from: start, to: end) { return false }
        guard opacity.isConstant(from: start, to: end) else { return false }
        if !evenUnseen, opacity.value(at: start) == 0 { return true }
        if let tree { return tree.value.isConstant(from: start, to: end) && keysAreConstant(from: start, to: end) }
        if let index = track.segmentIndex(at: start) {
            let segment = track.segments[index]
            guard end <= segment.targetEnd else { return false }
            guard let media = segment.media else { return true }
            return media.isStill && keysAreConstant(from: start, to: end)
        }
        // Before 0 or after the track's end: nothing is seen, unless the range reaches into it.
        return start >= (track.segments.last?.targetEnd ?? .zero) || end <= .zero
    }

    private func keysAreConstant(from start: Rational, to end: Rational) -> Bool {
        transform.isConstant(from: start, to: end) && crop.isConstant(from: start, to: end)
            && outline?.isConstant(from: start, to: end) != false
            && effects.allSatisfy { $0.isConstant(from: start, to: end) }
    }
}
