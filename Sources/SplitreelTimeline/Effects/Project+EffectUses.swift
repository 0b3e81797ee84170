package import MediaFacts
package import MediaTime
import Pictures
package import SplitreelProject

/// The registered things that are used in a span of composition time, and never outside of [start, end).
package struct EffectUse: Sendable, Hashable {
    package var start, end: Rational
    /// The names, each "id version".
    package var names: Set<String>
}

extension Project {
    /// The uses of each of `usedEffects`, wherever it may matter. nil where that cannot be told of parts: an effect
    /// sees frames other than its own, or a still is so large that it may be reduced, which all of its uses decide.
    package func effectUses(_ facts: [String: AssetFacts]) -> [EffectUse]? {
        let stills = facts.values.filter { $0.kind != .media && $0.kind != .composition }.flatMap(\.tracks)
        let isLarge = stills.compactMap(\.video?.codedSize).contains { $0.width * $0.height >= StillScales.leastPixels }
        guard !isLarge, !ownEffects.contains(where: { $0.acting?.looksAround == true }) else { return nil }
        let always = (video?.compositor.map { [$0] } ?? []) + (video?.effects ?? [])
        var uses = [use(over: (.zero, exactDuration), always)]
        for instruction in video?.instructions ?? [] {
            guard let range = instruction.range.exact else { return nil }
            let layers = instruction.layers ?? []
            let blends = layers.compactMap(\.blend).compactMap { EffectRegistry.description(of: $0.id, version: nil) }
            var own = use(
                over: range, instruction.wholeEffects + layers.flatMap { $0.effects ?? [] })
            own.names.formUnion(blends.map(\.name))
            uses.append(own)
        }
        for join in segmentJoins {
            let segment = composition.tracks[join.place.track].segments[join.place.segment]
            uses.append(use(over: (join.start, join.end), [segment.transition?.choice].compactMap { $0 }))
        }
        for name in playedNested { uses += nestedUses(name) }
        return uses.filter { !$0.names.isEmpty }
    }

    private func use(over range: (start: Rational, end: Rational), _ choices: [RegisteredChoice]) -> EffectUse {
        let known = choices.compactMap(\.acting).filter { $0.id != EffectDescription.layerCompositor.id }
        return EffectUse(start: range.start, end: range.end, names: Set(known.map(\.name)))
    }

    /// The uses of all that a nested composition uses, whenever something of it is shown.
    private func nestedUses(_ name: String) -> [EffectUse] {
        let names = Set(assets[name]?.keys.project?.usedEffects ?? [])
        guard !names.isEmpty else { return [] }
        if animatedAssets.contains(name) || effectAssets.contains(name) {
            return [EffectUse(start: .zero, end: exactDuration, names: names)]
        }
        return renderedTracks.filter { $0.track.type == .video }.flatMap { _, track in
            // About a cut with a transition it is seen for longer.
            let more = track.segments.compactMap { $0.transition?.duration.exact }.max() ?? .zero
            return track.segments.filter { $0.asset == name }.compactMap(\.target.exact).map {
                EffectUse(start: $0.start - more, end: $0.end + more, names: names)
            }
        }
    }
}
