import JSONText
import MediaFacts

extension RegisteredChoice {
    /// The description of the effect; nil where it is switched off, or not known.
    package var acting: EffectDescription? {
        enabled == false ? nil : EffectRegistry.description(of: id, version: version)
    }

    /// The assets and the tracks whose pictures are further inputs, by the parameter's name; none where it is switched
    /// off.
    package var named: (assets: [String: String], tracks: [String: Int]) {
        guard let acting else { return ([:], [:]) }
        var problems: [Problem] = []
        let parameters = EffectParameters(params, of: acting, "", problems: &problems)
        return (parameters.pictures, parameters.tracks)
    }
}

extension Instruction {
    /// The video's compositor as this instruction has it: its own parameters in place of the video's of their names.
    package func compositor(of video: VideoComposition?) -> RegisteredChoice? {
        guard var choice = video?.compositor, choice.id != EffectDescription.layerCompositor.id else { return nil }
        guard case .object(let own)? = params else { return choice }
        var members: [String: JSONValue] = [:]
        if case .object(let whole)? = choice.params { members = whole }
        choice.params = .object(members.merging(own) { _, new in new })
        return choice
    }

    /// The effects on the instruction's whole picture, in order.
    package var wholeEffects: [RegisteredChoice] { (effect.map { [$0] } ?? []) + (effects ?? []) }
}

extension Project {
    /// The effects, transitions and the compositor of this composition, without nested ones'.
    package var ownEffects: [RegisteredChoice] {
        let written = video?.instructions ?? []
        return (video?.compositor.map { [$0] } ?? []) + (video?.effects ?? [])
            + written.flatMap { $0.wholeEffects + ($0.layers ?? []).flatMap { $0.effects ?? [] } }
            + renderedTracks.map(\.track).filter { $0.type == .video }
            .flatMap(\.segments).compactMap(\.transition?.choice)
    }

    /// The assets whose pictures its effects are made of.
    package var effectAssets: Set<String> { Set(ownEffects.flatMap(\.named.assets.values)) }

    /// The taps of this composition that act, without nested ones'.
    private var ownTaps: [RegisteredChoice] {
        ((audio?.inputs ?? []).flatMap { $0.allTaps.map(\.tap) } + (audio?.taps ?? [])).map(\.choice)
    }

    /// The assets whose sound its taps look at.
    package var tapAssets: Set<String> {
        ownTaps.reduce(into: []) { names, choice in
            guard let acting = choice.acting else { return }
            var problems: [Problem] = []
            names.formUnion(EffectParameters(choice.params, of: acting, "", problems: &problems).sounds.values)
        }
    }

    /// Every effect, transition, blend mode, compositor and tap that it uses, nested compositions included: "id
    /// version", sorted. Those that are switched off, and those that the registry does not have, are not there.
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

    /// The project with a version wherever the newest is meant: another program's newest may be another one.
    package var withEffectVersions: Project {
        var result = self
        result.changeRegistered { choice in
            guard choice.version == nil, choice.id != EffectDescription.layerCompositor.id else { return }
            choice.version = EffectRegistry.description(of: choice.id, version: nil)?.version
        }
        return result
    }

    /// Changes every effect, transition, compositor and tap of the file, nested compositions included.
    package mutating func changeRegistered(_ change: (inout RegisteredChoice) -> Void) {
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
        changeTaps(change)
        for (index, track) in composition.tracks.enumerated() where track.type == .video {
            for (position, segment) in track.segments.enumerated() where segment.transition != nil {
                guard var transition = segment.transition else { continue }
                change(&transition.choice)
                composition.tracks[index].segments[position].transition = transition
            }
        }
        for (name, asset) in assets {
            guard var inner = asset.keys.project else { continue }
            inner.changeRegistered(change)
            assets[name]?.keys.project = inner
        }
    }

    private mutating func changeTaps(_ change: (inout RegisteredChoice) -> Void) {
        func changed(_ tap: AudioTap) -> AudioTap {
            var tap = tap
            change(&tap.choice)
            return tap
        }
        guard var audio else { return }
        audio.taps = audio.taps?.map(changed)
        audio.inputs = audio.inputs?.map { input in
            var input = input
            input.tap = input.tap.map(changed)
            input.taps = input.taps?.map(changed)
            return input
        }
        self.audio = audio
    }

    private var usedBlends: Set<String> {
        let layers = (video?.instructions ?? []).flatMap { $0.layers ?? [] }
        let blends = layers.compactMap(\.blend).filter { $0 != .normal }
        let own = blends.compactMap { EffectRegistry.description(of: $0.id, version: nil)?.name }
        return assets.values.compactMap(\.keys.project).reduce(into: Set(own)) { $0.formUnion($1.usedBlends) }
    }
}
