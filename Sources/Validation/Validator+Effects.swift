import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

/// The numbers of effects that may stand in one another: each is made of the one before it, a blended layer of all
/// beneath it.
enum EffectLimits {
    static let effects = 64
    static let blends = 64
}

extension Validator {
    /// Checks a list of effects: the place where an effect stands decides which kinds it may be of.
    mutating func checkEffects(
        _ choices: [RegisteredChoice]?, _ path: String, layer: Bool = false, film: Bool = false
    ) {
        var sawCanvas: String?
        var looksAround: String?
        if let count = choices?.count, count > EffectLimits.effects {
            error(
                .valueNotAllowed, path, "there are \(count) effects; \(EffectLimits.effects) in one list is the limit")
        }
        for (index, choice) in (choices ?? []).prefix(EffectLimits.effects).enumerated() {
            let place = "\(path)[\(index)]"
            guard let description = checkRegistered(choice, place, kinds: [.effect]) else { continue }
            if choice.acting?.looksAround == true {
                if let looksAround {
                    error(
                        .valueNotAllowed, place,
                        "`\(choice.id)` sees other frames, as `\(looksAround)` before it does: one of a list may",
                        hint: "leave one of them out")
                }
                looksAround = description.id
            }
            if film, description.parameters.contains(where: { if case .track = $0.kind { true } else { false } }) {
                error(
                    .valueNotAllowed, place,
                    "`\(choice.id)` looks at a track in its place: only an instruction has such",
                    hint: "put it among the `effects` of a layer or of an instruction")
            }
            guard layer else { continue }
            if description.space == .canvas {
                sawCanvas = description.id
            } else if let sawCanvas {
                error(
                    .valueNotAllowed, place,
                    "`\(choice.id)` works on the layer's own picture, but `\(sawCanvas)` before it on its place",
                    hint: "put it before `\(sawCanvas)`")
            }
        }
    }

    /// Checks the key `effect` of an instruction: a transition or an effect.
    mutating func checkEffect(of instruction: Instruction, _ path: String) {
        guard let choice = instruction.effect,
            let description = checkRegistered(choice, path + ".effect", kinds: [.transition, .effect])
        else { return }
        if description.kind == .transition, instruction.layers?.isEmpty ?? true {
            error(
                .valueNotAllowed, path + ".effect",
                "a transition goes from layers[0] to the other layers: there are none",
                hint: "list two layers, the first picture's first")
        }
    }

    /// Checks a compositor. One of somebody's own does what layers' keys would have done with what lies beneath them.
    mutating func checkCompositor(_ choice: RegisteredChoice, of video: VideoComposition) {
        checkRegistered(choice, "video.compositor", kinds: [.compositor])
        guard choice.id != EffectDescription.layerCompositor.id else { return }
        for (index, instruction) in (video.instructions ?? []).enumerated() {
            let path = "video.instructions[\(index)]"
            func refuse(_ key: String, _ what: String) {
                error(
                    .valueNotAllowed, path + key, "\(what) is of the compositor `builtin`, not of `\(choice.id)`",
                    hint: "leave it out, or `video.compositor`")
            }
            if let effect = instruction.effect, isKind(effect, .transition) { refuse(".effect", "a transition") }
            guard instruction.passthroughTrack == nil else { continue }
            for (number, layer) in (instruction.layers ?? []).enumerated() {
                let place = ".layers[\(number)]"
                if let blend = layer.blend, blend != .normal { refuse(place + ".blend", "a blend mode") }
                if layer.track == video.animation?.track {
                    refuse(place + ".track", "a layer that shows the animation")
                }
                if layer.cornerRadius != nil { refuse(place + ".cornerRadius", "a round corner") }
                if layer.borderWidth != nil { refuse(place + ".borderWidth", "a border") }
                for (effectIndex, effect) in (layer.effects ?? []).enumerated() where isOnCanvas(effect) {
                    refuse("\(place).effects[\(effectIndex)]", "an effect on a layer's place")
                }
            }
        }
    }

    private func isKind(_ choice: RegisteredChoice, _ kind: EffectDescription.Kind) -> Bool {
        EffectRegistry.description(of: choice.id, version: choice.version)?.kind == kind
    }

    private func isOnCanvas(_ choice: RegisteredChoice) -> Bool {
        EffectRegistry.description(of: choice.id, version: choice.version)?.space == .canvas
    }

    /// The description of a registered thing; nil, with its problem noted, where it is not known, or not of these
    /// kinds.
    @discardableResult
    mutating func checkRegistered(_ choice: RegisteredChoice, _ path: String, kinds: [EffectDescription.Kind])
        -> EffectDescription?
    {
        // A hint tells nothing of what sessions have.
        let all = EffectRegistry.all.filter {
            kinds.contains($0.kind) && !$0.id.hasPrefix(EffectRegistry.sessionPrefix)
        }
        guard let description = EffectRegistry.description(of: choice.id, version: choice.version),
            kinds.contains(description.kind)
        else {
            let versions = all.filter { $0.id == choice.id }.map { String($0.version) }
            let what = kinds.map(\.rawValue).joined(separator: " or ")
            // Sound has a transition that other programs call so for pictures.
            let isCrossfade = choice.id.lowercased().filter { $0.isLetter } == SoundTransition.id
            let near =
                isCrossfade && kinds.contains(.transition)
                ? "dissolve" : nearestName(to: choice.id, among: all.map(\.id))
            error(
                .effectUnknown, versions.isEmpty ? path + ".id" : path + ".version",
                versions.isEmpty
                    ? "no \(what) `\(choice.id.prefix(60))` is known"
                    : "`\(choice.id)` has no version \(choice.version ?? 0)",
                hint: !versions.isEmpty
                    ? "it has \(versions.joined(separator: ", "))"
                    : near.map { "did you mean `\($0)`?" } ?? "`splitreel effects` lists them")
            return nil
        }
        var found: [Problem] = []
        let parameters = EffectParameters(choice.params, of: description, path + ".params", problems: &found)
        for problem in found { add(problem) }
        for (name, keys) in parameters.written.sorted(by: { $0.key < $1.key }) {
            checkKeys(keys, "\(path).params.\(name)")
        }
        for (name, asset) in parameters.pictures.sorted(by: { $0.key < $1.key }) {
            checkPicture(asset, "\(path).params.\(name)")
        }
        for (name, track) in parameters.tracks.sorted(by: { $0.key < $1.key }) {
            checkVideoTrack(track, "\(path).params.\(name)")
        }
        checkRequired(parameters, of: description, "\(path).params")
        for case .file(let kind) in description.parameters.map(\.kind) {
            checkFiles(parameters, of: kind, "\(path).params")
        }
        checkSounds(parameters, of: description, "\(path).params")
        return description
    }

    /// Checks the parameters that an instruction has for the video's compositor, in place of the video's own.
    mutating func checkParameters(of instruction: Instruction, _ path: String) {
        guard let params = instruction.params else { return }
        guard let choice = instruction.compositor(of: project.video) else {
            return warn(
                .keyUnknown, path + ".params",
                "`params` of an instruction are of a compositor of a program's own: they change nothing",
                hint: "name it in `video.compositor`, or leave them out")
        }
        guard let description = choice.acting, description.kind == .compositor else { return }
        var found: [Problem] = []
        let parameters = EffectParameters(params, of: description, path + ".params", problems: &found)
        for problem in found { add(problem) }
        for (name, keys) in parameters.written.sorted(by: { $0.key < $1.key }) {
            checkKeys(keys, "\(path).params.\(name)")
        }
        checkRequired(parameters, of: description, path + ".params")
    }

    private mutating func checkRequired(
        _ parameters: EffectParameters, of description: EffectDescription, _ path: String
    ) {
        guard let tracks = parameters.requiredTracks,
            let name = description.parameters.first(where: { $0.kind == .requiredTracks })?.name
        else { return }
        for (index, track) in tracks.enumerated() { checkVideoTrack(track, "\(path).\(name)[\(index)]") }
    }

    mutating func checkPicture(_ name: String, _ path: String) {
        guard let asset = project.assets[name] else {
            error(
                .assetUnknown, path, "there is no asset `\(name.prefix(60))`",
                hint: nearestName(to: name, among: Array(project.assets.keys)).map { "did you mean `\($0)`?" } ?? "")
            return
        }
        let isKnownWithout = facts?[name].map { $0.firstTrack(of: .video) == nil } ?? false
        let isSound =
            asset.kind?.isSoundAlone == true || asset.kind == .timedMetadata
            || asset.kind?.isData == true
        if isSound || (isKnownWithout && asset.kind?.isPictureGenerator != true) {
            error(.valueNotAllowed, path, "the asset `\(name.prefix(60))` has no picture")
        }
    }

    private mutating func checkFiles(_ parameters: EffectParameters, of kind: Asset.Kind, _ path: String) {
        for (name, value) in parameters.fixed.sorted(by: { $0.key < $1.key }) {
            guard case .file(let asset) = value else { continue }
            guard let found = project.assets[asset] else {
                error(
                    .assetUnknown, "\(path).\(name)", "there is no asset `\(asset.prefix(60))`",
                    hint: nearestName(to: asset, among: Array(project.assets.keys)).map { "did you mean `\($0)`?" }
                        ?? "add it: \"assets\": {\"…\": {\"kind\": \"\(kind.rawValue)\", \"url\": \"…\"}}")
                continue
            }
            if found.kind != kind {
                error(
                    .valueNotAllowed, "\(path).\(name)",
                    "the asset `\(asset.prefix(60))` is not of kind \(kind.rawValue)",
                    hint: "say \"kind\": \"\(kind.rawValue)\" where it stands")
            }
        }
    }
}
