import Diagnostics
import SplitreelProject

/// Sound tracks of outputs, and the audio inputs that go into them.
extension Validator {
    /// Checks an output's own sound tracks: that there are some, that their names differ, and that each is fed.
    mutating func checkSoundTracks(_ output: OutputEntry, _ path: String) {
        guard let tracks = output.audioTracks else { return }
        let place = path + ".audioTracks"
        guard !tracks.isEmpty, tracks.count <= OutputEntry.mostSoundTracks else {
            return error(
                .valueNotAllowed, place,
                "an output has 1 to \(OutputEntry.mostSoundTracks) sound tracks, not \(tracks.count)",
                hint: "leave the key out for one sound of all tracks")
        }
        var seen: [String: Int] = [:]
        for (index, track) in tracks.enumerated() {
            let own = "\(place)[\(index)]"
            if let name = track.name, let first = seen.updateValue(index, forKey: name) {
                error(
                    .usedTwice, own + ".name", "audioTracks[\(first)] has the name `\(name.prefix(60))` already",
                    hint: "audio inputs name sound tracks by it: give each its own")
            }
        }
        checkTagsBesideTracks(output.audioSettings, path + ".audioSettings")
        let fed = project.soundTracks(routedTo: tracks.map(\.name))
        for (index, ids) in fed.enumerated() where ids.isEmpty {
            let name = tracks[index].name.map { "\"\($0.prefix(60))\"" } ?? "\(index + 1)"
            error(
                .outputInvalid, "\(place)[\(index)]", "no audio track of the composition goes into it",
                hint: "say \"output\": \(name) on an input of `audio.inputs`, or leave the sound track out")
        }
    }

    /// Checks that `audioSettings` do not say how a track is called: each of several tracks says that, and the settings
    /// how all of them are encoded.
    private mutating func checkTagsBesideTracks(_ settings: SoundRequest?, _ place: String) {
        guard let settings else { return }
        let said = [
            ("language", settings.language != nil), ("name", settings.name != nil),
            ("disposition", settings.disposition != nil),
        ]
        for (key, isSaid) in said where isSaid {
            error(
                .outputInvalid, "\(place).\(key)", "it would be that of no sound track: the output has `audioTracks`",
                hint: "say it in each of them")
        }
    }

    /// Checks that each sound track that an input names is one of an output's, or the first. Nested compositions have
    /// no outputs.
    mutating func checkSoundRoutes() {
        let listed = (project.outputs ?? []).compactMap { $0.audioTracks?.map(\.name) }
        // An output that lists no sound tracks has one.
        let outputs = listed + [[nil]]
        for (index, input) in (project.audio?.inputs ?? []).enumerated() {
            guard let routes = input.output?.routes else { continue }
            let path = "audio.inputs[\(index)].output"
            if routes.isEmpty {
                error(.valueNotAllowed, path, "the list is empty", hint: "say \"mute\": true for what is not heard")
            }
            var seen: Set<SoundRoute> = []
            for route in routes {
                if !seen.insert(route).inserted { error(.usedTwice, path, "sound track \(route) stands there twice") }
                guard !outputs.contains(where: { route.place(among: $0) != nil }) else { continue }
                let known = outputs.flatMap { $0 }.compactMap { $0.map { "\"\($0.prefix(60))\"" } }
                let most = listed.map(\.count).max() ?? 0
                error(
                    .valueNotAllowed, path, "no output has a sound track \(route)",
                    hint: most == 0
                        ? "list the sound tracks in an output's `audioTracks`: [{\"name\": \"English\"}, …]"
                        : "there are " + (most == 1 ? "1" : "1 to \(most)")
                            + (known.isEmpty ? "" : ", " + Set(known).sorted().joined(separator: ", ")))
            }
            for names in outputs {
                let places = routes.compactMap { $0.place(among: names) }
                if Set(places).count < places.count, Set(routes).count == routes.count {
                    error(.usedTwice, path, "a name and a number of the list are one sound track")
                }
            }
        }
    }
}
