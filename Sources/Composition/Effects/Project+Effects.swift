extension Project {
    /// Every effect, transition, blend mode and compositor that it uses, nested compositions included: "id version",
    /// sorted. What is switched off, and what the registry does not have, is not there.
    package var usedEffects: [String] {
        var names: Set<String> = []
        var copy = self
        copy.changeRegistered { choice in
            guard choice.enabled != false, choice.id != EffectDescription.layerCompositor.id else { return }
            if let known = EffectRegistry.description(of: choice.id, version: choice.version) {
                names.insert(known.name)
            }
        }
        return names.union(usedBlends).sorted()
    }

    /// The same with a version wherever the newest is meant: another program's newest may be another one.
    package var withEffectVersions: Project {
        var result = self
        result.changeRegistered { choice in
            guard choice.version == nil, choice.id != EffectDescription.layerCompositor.id else { return }
            choice.version = EffectRegistry.description(of: choice.id, version: nil)?.version
        }
        return result
    }

    private mutating func changeRegistered(_ change: (inout RegisteredChoice) -> Void) {
        func changeOne(_ choice: inout RegisteredChoice?) {
            guard var known = choice else { return }
            change(&known)
            choice = known
        }
        func changeAll(_ choices: inout [RegisteredChoice]?) {
            choices = choices?.map { choice in
                var choice = choice
                change(&choice)
                return choice
            }
        }
        if var video {
            changeOne(&video.compositor)
            changeAll(&video.effects)
            video.instructions = video.instructions?.map { instruction in
                var instruction = instruction
                changeOne(&instruction.effect)
                changeAll(&instruction.effects)
                instruction.layers = instruction.layers?.map { layer in
                    var layer = layer
                    changeAll(&layer.effects)
                    return layer
                }
                return instruction
            }
            self.video = video
        }
        for (index, track) in composition.tracks.enumerated() {
            for (position, segment) in track.segments.enumerated() where segment.transition != nil {
                guard var transition = segment.transition else { continue }
                change(&transition.choice)
                composition.tracks[index].segments[position].transition = transition
            }
        }
        for (name, asset) in assets {
            guard var inner = asset.project else { continue }
            inner.changeRegistered(change)
            assets[name]?.project = inner
        }
    }

    private var usedBlends: Set<String> {
        let layers = (video?.instructions ?? []).flatMap { $0.layers ?? [] }
        let blends = layers.compactMap(\.blend).filter { $0 != .normal }
        let own = blends.compactMap { EffectRegistry.description(of: $0.id, version: nil)?.name }
        return assets.values.compactMap(\.project).reduce(into: Set(own)) { $0.formUnion($1.usedBlends) }
    }
}
