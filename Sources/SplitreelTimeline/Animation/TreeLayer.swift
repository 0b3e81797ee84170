import Drawings
import ExactMath
import MediaTime
import Pictures
import SplitreelProject

/// A layer of a tree in exact time, joined to what it shows.
struct TreeLayer: Sendable {
    /// The layer's number, from 1, which no other layer has: readers of films are told apart by it.
    let number: Int
    /// The layer's state as the file has it.
    let base: LayerState
    let timing: MediaTiming
    /// The text that appears bit by bit; nil where it does not.
    let reveal: TextSettings?
    let isFlipped: Bool
    let masksToBounds: Bool
    let gravity: AnimationLayer.Gravity
    let animations: [AnimationPlan]
    let sublayers: [TreeLayer]
    /// The layer's mask: one or none.
    let masks: [TreeLayer]
    /// Whether the layer or an animation gives a sublayer a place above or below its turn.
    let sortsSublayers: Bool
    /// The pixels for each of its units, the most that it is shown with: what stands still is made once, and what grows
    /// is made as large as it gets.
    private(set) var raster = (x: 1.0, y: 1.0)

    init(
        _ layer: AnimationLayer, number: Int, base: LayerState, animations: [AnimationPlan], sublayers: [TreeLayer],
        masks: [TreeLayer]
    ) {
        self.number = number
        self.base = base
        self.animations = animations
        (self.sublayers, self.masks) = (sublayers, masks)
        timing = MediaTiming(layer)
        reveal = layer.contents?.text?.reveal == nil ? nil : layer.contents?.text
        isFlipped = layer.geometryFlipped ?? false
        masksToBounds = layer.masksToBounds ?? false
        gravity = layer.contentsGravity ?? .resize
        sortsSublayers = sublayers.contains { sublayer in
            sublayer.base.zPosition != 0
                || !sublayer.animations.flatMap { $0.keyTimes { $0.name == "zPosition" } }.isEmpty
        }
    }

    /// The layer at a time of its parent, with `local`, its own time; nil where it is not there.
    func state(at parent: Rational) -> (state: LayerState, local: Rational)? {
        guard let local = timing.phase(at: parent)?.elapsed else { return nil }
        return (state(atOwn: local), local)
    }

    private func state(atOwn local: Rational) -> LayerState {
        var state = base
        if let reveal, case .text(var text) = state.contents {
            text.reveal = reveal.reveal(at: local)
            state.contents = .text(text)
        }
        for animation in animations { animation.apply(to: &state, at: local) }
        if case .text(var text) = state.contents {
            (text.width, text.height) = (max(0, state.bounds.width), max(0, state.bounds.height))
            state.contents = .text(text)
        }
        return state
    }

    /// This layer and the layers in it, with their rasters.
    ///
    /// - Parameter scale: the pixels for each unit of its parent, at most.
    func rastered(_ scale: (x: Double, y: Double)) -> TreeLayer {
        var most = (x: 0.0, y: 0.0)
        let times = sampled(animations.flatMap { $0.keyTimes(\.isOfGeometry) })
        for state in [base] + times.map({ state(atOwn: $0) }) {
            guard let map = state.transform.affine else { continue }
            let (a, b, c, d) = (map.a * scale.x, map.b * scale.y, map.c * scale.x, map.d * scale.y)
            most.x = Self.larger(most.x, (a * a + b * b).squareRoot())
            most.y = Self.larger(most.y, (c * c + d * d).squareRoot())
        }
        let usable = 1e-3...64
        return with(raster: (most.x.held(in: usable), most.y.held(in: usable)))
    }

    /// The larger scale of the two. A turn makes nothing larger, whatever the doubles make of its sine and cosine.
    private static func larger(_ known: Double, _ other: Double) -> Double {
        other > known * (1 + 1e-9) ? other : known
    }

    /// Some of the times, evenly, where they are very many: each costs as much as there are animations.
    private func sampled(_ times: [Rational]) -> [Rational] {
        let most = min(max(Self.mostChanges / max(1, animations.reduce(0) { $0 + $1.count }), 16), 1000)
        return times.count <= most ? times : (0..<most).map { times[$0 * (times.count - 1) / (most - 1)] }
    }

    /// The properties that are changed at most to find a layer's raster: some tenths of a second.
    private static let mostChanges = 200_000

    private func with(raster: (x: Double, y: Double)) -> TreeLayer {
        TreeLayer(
            self, raster: raster, sublayers: sublayers.map { $0.rastered(raster) },
            masks: masks.map { $0.rastered(raster) })
    }

    private init(
        _ other: TreeLayer, raster: (x: Double, y: Double), sublayers: [TreeLayer], masks: [TreeLayer]
    ) {
        number = other.number
        base = other.base
        timing = other.timing
        reveal = other.reveal
        isFlipped = other.isFlipped
        masksToBounds = other.masksToBounds
        gravity = other.gravity
        (animations, sortsSublayers) = (other.animations, other.sortsSublayers)
        self.sublayers = sublayers
        self.masks = masks
        self.raster = raster
    }
}

extension TreeLayer {
    /// Whether the layer, with all that stands in it, looks the same at every time of its parent from one to another,
    /// for sure. `isStill` tells of an asset's number whether it has one picture for all times.
    func isConstant(from start: Rational, to end: Rational, isStill: (Int) -> Bool) -> Bool {
        if timing.rests(from: start, to: end) { return true }
        // Otherwise it must be in the middle of its one play.
        let (first, last) = (
            (start - timing.begin) * timing.speed + timing.offset, (end - timing.begin) * timing.speed + timing.offset
        )
        guard timing.hasNoBegin || !first.isNegative else { return false }
        if let duration = timing.duration, last > duration || first.isNegative { return false }
        guard animations.allSatisfy({ $0.rests(from: first, to: last) }) else { return false }
        if case .media(let number, .film) = state(atOwn: first).contents, !isStill(number) { return false }
        if let reveal, reveal.reveal(at: first) != nil { return false }
        return (sublayers + masks).allSatisfy { $0.isConstant(from: first, to: last, isStill: isStill) }
    }
}
