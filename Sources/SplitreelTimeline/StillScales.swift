import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

/// The largest scale with which each still of a composition is shown, over all of its time: output pixels for each of
/// its own.
///
/// These are bounds from above, from the keys alone: of a ramp its ends count, and how far its easing goes beyond them;
/// of parts the largest factor, and what a skew may add to it. A scale that cannot be told counts as shown pixel by
/// pixel.
struct StillScales {
    private var largest: [String: Double] = [:]

    /// The largest whole number by which a still may be reduced.
    static let mostReduction = 64
    /// The pixels above which stills are reduced: 1920×1080 has less.
    static let leastPixels = 1 << 21
    /// The reduction that is left at least for when a frame is sampled.
    static let leastRest = 2.0

    mutating func note(_ media: VideoTrackPlan.Media, at scale: Double = .infinity) {
        guard media.isStill, media.fill == nil, media.pattern == nil, media.nested == nil else { return }
        largest[media.asset] = max(largest[media.asset] ?? 0, scale)
    }

    mutating func note(_ plan: InstructionPlan) {
        note(plan.effects + [plan.transition, plan.compositor].compactMap { $0 })
        for layer in plan.layers {
            for part in layer.origin + [layer] { note(part, from: plan) }
        }
    }

    private mutating func note(_ layer: InstructionPlan.LayerPlan, from plan: InstructionPlan) {
        note(layer.effects + [layer.transition].compactMap { $0 })
        let (segments, start) = (layer.track.segments, plan.start)
        var index = max(0, (segments.lastIndexStarting(atOrBefore: start, { $0.targetStart }) ?? 0))
        // Effects work on whole square pixels of the source.
        let isWorked = layer.effects.contains { $0.description.space == .picture }
        let scale = layer.transform.largestScale(from: start) * layer.placement.map.largestScale
        let isMoved = layer.standing == .asIs
        while index < segments.count, segments[index].targetStart < plan.end {
            if let media = segments[index].media {
                if plan.compositor != nil {
                    // A compositor of somebody's own may look at any pixel.
                    note(media)
                } else if isWorked, layer.standing.fit == nil {
                    note(media)
                } else {
                    note(media, at: isMoved ? scale : layer.standing.largestScale(of: media, on: layer.placement))
                }
            }
            index += 1
        }
    }

    /// Notes the assets that effects show: they are stretched over whole pictures.
    mutating func note(_ effects: [EffectPlan]) {
        for (_, media) in effects.flatMap(\.pictures) { note(media) }
    }

    /// Notes all that a track shows without instructions.
    mutating func note(_ track: VideoTrackPlan, _ standing: LayerStanding, on placements: [CanvasPlacement]) {
        for join in track.joins { note([join.effect]) }
        let scale = placements.map(\.map.largestScale).max() ?? 1
        for media in track.segments.compactMap(\.media) {
            let fitted = placements.map { standing.largestScale(of: media, on: $0) }.max()
            let upright = media.preferredTransform.largestScale * scale
            note(media, at: standing == .asIs ? upright : fitted ?? upright)
        }
    }

    /// The whole number by which each still is reduced before anything is made of it, by its name in recipes; stills
    /// that stay as they are have none. `facts` answers the facts of an asset.
    func reductions(_ facts: (String) -> AssetFacts?) -> [String: Int] {
        var result: [String: Int] = [:]
        for (name, scale) in largest {
            guard let known = facts(name), known.kind == .image, let video = known.firstTrack(of: .video)?.video,
                video.pixelAspectNumerator == video.pixelAspectDenominator
            else { continue }
            let most = scale > 0 ? 1 / (Self.leastRest * scale) : Double(Self.mostReduction)
            // A number that falls short of a whole one by no more than arithmetic does is that one.
            let factor = Int(min(most + 1e-9, Double(Self.mostReduction)))
            let (pixels, overflow) = video.codedSize.width.multipliedReportingOverflow(by: video.codedSize.height)
            if factor > 1, overflow || pixels > Self.leastPixels { result[name] = factor }
        }
        return result
    }
}

extension Affine {
    /// The factor by which it lengthens what it lengthens most: its larger singular value.
    var largestScale: Double {
        let (first, second) = (a * a + b * b, c * c + d * d)
        let (difference, product) = (first - second, a * c + b * d)
        let root = (difference * difference + 4 * (product * product)).squareRoot()
        return ((first + second + root) / 2).squareRoot()
    }
}

extension KeyTrack<Transform> {
    /// The largest scale from that time on; nothing may stand before the first key.
    fileprivate func largestScale(from start: Rational) -> Double {
        let isBare = spans.first.map { $0.start > start } ?? true
        return spans.reduce(isBare ? 1 : 0) { result, span in
            let (low, high) = span.easing.bounds
            return max(result, Transform.largestScale(span.from, span.to, low, high))
        }
    }
}

extension Easing {
    /// The bounds between which its shares of the way lie.
    fileprivate var bounds: (low: Double, high: Double) {
        guard case .cubicBezier(_, let y1, _, let y2) = self else { return (0, 1) }
        return (min(0, y1, y2), max(1, y1, y2))
    }
}

extension Transform {
    /// The largest scale on the way from one transform to another. The norm of a matrix is convex: of a ramp it is
    /// largest at an end. Of parts the largest factor counts with the largest lean.
    fileprivate static func largestScale(_ from: Transform, _ to: Transform, _ low: Double, _ high: Double) -> Double {
        var (matrix, factor, lean) = (0.0, 0.0, 0.0)
        for value in [mix(from, to, low), mix(from, to, high), from, to] {
            switch value {
            case .matrix(let affine): matrix = max(matrix, affine.largestScale)
            case .parts(let parts):
                factor = max(factor, parts.largestFactor)
                lean = max(lean, parts.largestLean)
            }
        }
        return max(matrix, factor * (1 + lean))
    }
}

extension TransformParts {
    fileprivate var largestFactor: Double {
        let factors = scale ?? NumberPair(1, 1)
        return max(abs(factors.x), abs(factors.y))
    }

    fileprivate var largestLean: Double {
        let degrees = skew ?? NumberPair(0, 0)
        return max(abs(Self.lean(degrees.x)), abs(Self.lean(degrees.y)))
    }
}
