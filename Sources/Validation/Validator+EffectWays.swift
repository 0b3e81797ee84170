import Diagnostics
import MediaFacts
import SplitreelProject

// Pictures that effects see besides the one that they are on: other frames, and other layers.

/// An effect that acts, with its place in the file.
private struct PlacedEffect {
    let choice: RegisteredChoice
    let description: EffectDescription
    let path: String

    init?(_ choice: RegisteredChoice?, _ path: String) {
        guard let choice, let description = choice.acting else { return nil }
        self.choice = choice
        self.description = description
        self.path = path
    }

    static func all(_ choices: [RegisteredChoice]?, _ path: String) -> [PlacedEffect] {
        (choices ?? []).prefix(EffectLimits.effects).enumerated().compactMap { index, choice in
            PlacedEffect(choice, "\(path)[\(index)]")
        }
    }
}

extension [PlacedEffect] {
    /// The first effect that sees other frames; nil for none. One list has no second one.
    fileprivate var looking: PlacedEffect? { first(where: \.description.looksAround) }
}

extension Validator {
    /// Checks the ways from an instruction's sources to the film: the time that frames take multiplies with each effect
    /// on one of them that sees other frames.
    mutating func checkWays(of instruction: Instruction, _ path: String) {
        let alone = [PlacedEffect(instruction.effect, path + ".effect")].compactMap { $0 }
        let listed = PlacedEffect.all(instruction.effects, path + ".effects")
        let layers = instruction.passthroughTrack == nil ? instruction.layers ?? [] : []
        let tracks = Set(instruction.passthroughTrack.map { [$0] } ?? layers.map(\.track))
        let film = PlacedEffect.all(project.video?.effects, "video.effects").looking
        refuse(listed.looking, after: film)
        refuse(alone.looking, after: listed.looking ?? film)
        checkTracks(of: alone + listed, tracks)
        let effects = layers.enumerated().map { PlacedEffect.all($1.effects, "\(path).layers[\($0)].effects") }
        let looking = Dictionary(zip(layers, effects).map { ($0.track, $1.looking) }) { $0 ?? $1 }
        for (layer, effects) in zip(layers, effects) {
            checkTracks(of: effects, tracks)
            guard let own = effects.looking else { continue }
            refuse(own, after: alone.looking ?? listed.looking ?? film)
            let seen = effects.flatMap(\.choice.named.tracks.values).filter { $0 != layer.track }.sorted()
            refuse(own, after: seen.compactMap { looking[$0] ?? nil }.first)
            if layer.track == project.video?.animation?.track, own.description.space == .picture {
                error(
                    .valueNotAllowed, own.path,
                    "`\(own.choice.id)` sees other frames, which layers that show the animation do not have",
                    hint: "put it into the instruction's `effects`")
            }
        }
    }

    private mutating func refuse(_ effect: PlacedEffect?, after other: PlacedEffect?) {
        guard let effect, let other else { return }
        error(
            .valueNotAllowed, effect.path,
            "`\(effect.choice.id)` sees other frames, as `\(other.choice.id)` in \(other.path) does: one on the way "
                + "from a source to the film may",
            hint: "leave one of them out")
    }

    /// Checks that the tracks that effects look at have layers, which may be invisible.
    private mutating func checkTracks(of effects: [PlacedEffect], _ layers: Set<Int>) {
        for effect in effects {
            for (name, track) in effect.choice.named.tracks.sorted(by: { $0.key < $1.key })
            where !layers.contains(track) && tracks[track]?.type == .video {
                error(
                    .layerTrackUnknown, "\(effect.path).params.\(name)",
                    "no layer of this instruction shows track \(track): `\(effect.choice.id)` would see nothing",
                    hint: "add {\"track\": \(track), \"visible\": false} to its layers")
            }
        }
    }
}
