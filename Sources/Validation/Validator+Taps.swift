import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject

/// The taps that one list may have.
let mostTaps = 64

extension Validator {
    mutating func checkTaps(of input: AudioInput, _ path: String, _ leading: LeadingTracks) {
        if input.tap != nil, input.taps != nil {
            error(.valueNotAllowed, path + ".tap", "`taps` says what is done already", hint: "put it into `taps`")
        }
        checkCount(input.allTaps.count, path + ".taps")
        for (place, tap) in input.allTaps.prefix(mostTaps) { check(tap, path + place) }
        checkLeaders(of: input, path, leading)
    }

    mutating func checkMixTaps() {
        let taps = project.audio?.taps ?? []
        checkCount(taps.count, "audio.taps")
        for (index, tap) in taps.prefix(mostTaps).enumerated() {
            let path = "audio.taps[\(index)]"
            check(tap, path)
            if tap.stage != nil {
                error(
                    .valueNotAllowed, path + ".stage", "the mix has no volume before or after which a tap could be",
                    hint: "leave it out: the mix's taps come before its `loudness`")
            }
        }
    }

    private mutating func checkCount(_ count: Int, _ path: String) {
        guard count > mostTaps else { return }
        error(.valueNotAllowed, path, "there are \(count) taps; \(mostTaps) in one list is the limit")
    }

    private mutating func check(_ tap: AudioTap, _ path: String) {
        guard let description = checkRegistered(tap.choice, path, kinds: [.tap]), description.id == "route" else {
            return
        }
        var problems: [Problem] = []
        let parameters = EffectParameters(tap.params, of: description, "", problems: &problems)
        guard case .numbers(let matrix)? = parameters.fixed["matrix"] else { return }
        for (index, value) in matrix.enumerated()
        where index % 3 < 2 && (value < 1 || value != value.rounded()) {
            error(
                .valueNotAllowed, "\(path).params.matrix[\(index / 3)]", "\(value) is not a channel from 1 to 16",
                hint: "each row is [to, from, amplitude]")
        }
        for (index, value) in matrix.enumerated() where index % 3 == 2 && abs(value) > 8 {
            error(
                .valueNotAllowed, "\(path).params.matrix[\(index / 3)]", "\(value) is no amplitude from -8 to 8",
                hint: "each row is [to, from, amplitude]")
        }
    }

    /// Checks the sounds that a tap looks at.
    mutating func checkSounds(_ parameters: EffectParameters, of description: EffectDescription, _ path: String) {
        for (name, asset) in parameters.sounds.sorted(by: { $0.key < $1.key }) {
            checkSound(asset, description, "\(path).\(name)", parameter: name)
        }
        for (name, ids) in parameters.audioTracks.sorted(by: { $0.key < $1.key }) {
            let isList = description.parameter(name)?.kind == .audioTracks
            for (index, id) in ids.enumerated() {
                checkLeader(id, "\(path).\(name)\(isList ? "[\(index)]" : "")")
            }
        }
    }

    private mutating func checkLeader(_ id: Int, _ place: String) {
        guard tracks[id]?.type != .audio else { return }
        guard let track = tracks[id] else {
            return error(
                .audioTrackUnknown, place, "there is no track \(id) in the composition",
                hint: "ids are those of composition.tracks")
        }
        error(.audioTrackNotAudio, place, "track \(id) is \(track.type.rawValue), not audio")
    }

    private mutating func checkSound(
        _ name: String, _ description: EffectDescription, _ path: String, parameter: String
    ) {
        guard let asset = project.assets[name] else {
            return error(
                .assetUnknown, path, "there is no asset `\(name.prefix(60))`",
                hint: nearestName(to: name, among: Array(project.assets.keys)).map { "did you mean `\($0)`?" }
                    ?? "add the file to `assets`")
        }
        let known = facts?[name]
        let isFile = !asset.isNested && (asset.kind ?? .media) == .media
        guard isFile, known.map({ $0.firstTrack(of: .audio) != nil }) ?? true else {
            return error(
                .valueNotAllowed, path, "the asset `\(name.prefix(60))` is no file with sound",
                hint: "name a short recording, such as a WAV file")
        }
        guard case .sound(let longest)? = description.parameter(parameter)?.kind,
            let track = known?.firstTrack(of: .audio),
            let length = (track.duration.exact ?? known?.duration.exact), length > Rational(longest)
        else { return }
        error(
            .valueNotAllowed, path, "the asset `\(name.prefix(60))` lasts \(length) s; \(longest) s is the limit",
            hint: "cut it")
    }

    /// The leaders of each track: those whose sound decides what becomes of it.
    func leadingTracks() -> LeadingTracks {
        LeadingTracks(inputs.mapValues { _, input in input.allTaps.prefix(mostTaps).flatMap { leaders(of: $0.tap) } })
    }

    private mutating func checkLeaders(of input: AudioInput, _ path: String, _ leading: LeadingTracks) {
        for (place, tap) in input.allTaps.prefix(mostTaps) {
            for id in leaders(of: tap) where leading.isCircle(input.track, ledBy: id) {
                error(
                    .valueNotAllowed, "\(path)\(place).params",
                    id == input.track
                        ? "track \(id) cannot be led by its own sound"
                        : "track \(id), whose sound leads, is led by track \(input.track)'s itself",
                    hint: "name a track that does not depend on this one")
            }
        }
    }

    private func leaders(of tap: AudioTap) -> [Int] {
        guard let description = tap.choice.acting,
            description.parameters.contains(where: { $0.kind == .audioTrack || $0.kind == .audioTracks })
        else { return [] }
        var problems: [Problem] = []
        let parameters = EffectParameters(tap.params, of: description, "", problems: &problems)
        return parameters.audioTracks.values.flatMap { $0 }.sorted()
    }
}
