import Foundation
import TestTools

/// Transitions, effects, animation and a compositor of somebody's own over a film that is made already: what remembers
/// and what draws text, among others. The reference knows nothing of them.
///
/// Features that are to come up in few films come in turn, by the seed; the rest by dice of their own.
extension FilmMaker {
    mutating func decorate(_ film: inout Object, seed: UInt64) throws {
        guard var video = film["video"] as? Object else { return }
        numbers = SeededNumbers(seed: seed &* 7919 &+ 31)
        let turn = Int(seed % 1_000_000)
        try addAssets()
        if turn % 6 == 5 { video.removeValue(forKey: "instructions") }
        if var composition = film["composition"] as? Object, var tracks = composition["tracks"] as? [Object] {
            if let instructions = video["instructions"] as? [Object] {
                video["instructions"] =
                    turn % 7 == 3
                    ? split(instructions, &tracks, &video) : decorated(instructions, turn)
            } else {
                use("no instructions")
                tracks = tracks.enumerated().map { joined($1, turn + 11 * $0) }
                let still: Object = [
                    "asset": "effects-still", "target": [time(0), time(length / 2)], "transition": passing(turn + 17),
                ]
                tracks.insert(["id": 903, "type": "video", "segments": [still]], at: 0)
            }
            composition["tracks"] = tracks
            film["composition"] = composition
        }
        var effects: [Object] = []
        if turn % 2 == 0, !features.contains("echo") { effects.append(echo()) }
        if turn % 3 == 0 { effects.append(grain()) }
        if chance(30) { effects.append(libavFilter(turn + 3)) }
        if !effects.isEmpty { video["effects"] = effects }
        if turn % 4 != 2 { video["animation"] = animation(turn) }
        film["video"] = video
        film["assets"] = assets
    }

    private mutating func addAssets() throws {
        assets["effects-gif"] = ["url": sources.folder.file("ever.gif")]
        assets["effects-still"] = ["url": sources.folder.file("picture.png")]
        assets["effects-film"] = ["url": sources.folder.file("plain.mkv")]
        assets["effects-noise"] = ["kind": "noise", "seed": numbers.next(in: 0..<1000), "size": [40, 30], "rate": 25]
        let font = sources.folder.file("own.ttf")
        if !FileManager.default.fileExists(atPath: font) {
            try FileManager.default.copyItem(atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", toPath: font)
        }
        assets["effects-font"] = ["kind": "font", "url": font]
    }

    // MARK: Instructions

    private mutating func decorated(_ instructions: [Object], _ turn: Int) -> [Object] {
        let parts = parted(instructions, turn)
        let hasLayers = parts.contains { $0["layers"] != nil }
        return parts.enumerated().map { number, instruction in
            var instruction = instruction
            // Where all are a track as it is, they are made ones of layers.
            if !hasLayers, let track = instruction.removeValue(forKey: "passthroughTrack") {
                instruction["layers"] = [["track": track]]
            }
            guard let own = instruction["layers"] as? [Object] else { return instruction }
            instruction["layers"] = own.map { decorated($0, turn) }
            instruction["effect"] = transition(turn + 17 * number)
            return instruction
        }
    }

    /// Two for one where the film whose transitions these are otherwise may have a compositor of its own.
    private func parted(_ instructions: [Object], _ turn: Int) -> [Object] {
        guard instructions.count == 1, turn % 7 == 0 || turn % 7 == 6 else { return instructions }
        var parts = [instructions[0], instructions[0]]
        (parts[0]["range"], parts[1]["range"]) = (
            [time(0), time(length / 2)], [time(length / 2), time(length - length / 2)]
        )
        return parts
    }

    /// With a compositor that wants a picture of each layer at any time: a still and a GIF stand with what has one.
    private mutating func split(_ instructions: [Object], _ tracks: inout [Object], _ video: inout Object) -> [Object] {
        use("own compositor")
        video["compositor"] = ["id": "example.split-screen", "params": ["width": numbers.next(in: 2..<9)]]
        let steady = tracks.filter { track in
            let segments = track["segments"] as? [Object] ?? []
            // A late track of a file has nothing at first.
            return track["enabled"] as? Bool != false
                && segments.allSatisfy { $0["asset"] != nil && $0["track"] == nil }
        }.compactMap { $0["id"] as? Int }
        let more = [(901, "effects-still"), (902, "effects-gif")]
        tracks += more.map { id, asset in
            ["id": id, "type": "video", "segments": [["asset": asset, "target": [time(0), time(length)]]]]
        }
        return instructions.map { instruction in
            var instruction = instruction
            instruction["passthroughTrack"] = nil
            let own = (instruction["layers"] as? [Object] ?? []).filter { steady.contains($0["track"] as? Int ?? 0) }
            let layers = [["track": 901]] + own + [["track": 902]]
            instruction["layers"] = layers.map { fitted($0) }
            return instruction
        }
    }

    /// As large as the canvas, without what is the layer compositor's.
    private mutating func fitted(_ layer: Object) -> Object {
        var layer = layer.filter { !["cornerRadius", "borderWidth", "borderColor"].contains($0.key) }
        if layer["fit"] as? String ?? "none" == "none" { layer["fit"] = "cover" }
        if chance(50) { layer["effects"] = [["id": "example.negative"], grain()] }
        return layer
    }

    private mutating func decorated(_ layer: Object, _ turn: Int) -> Object {
        var layer = layer
        var effects: [Object] = []
        if turn % 2 == 1, !features.contains("echo") { effects.append(echo()) }
        if chance(25) { effects.append(grain()) }
        if turn % 3 == 1 { effects.append(libavFilter(turn / 3)) }
        if chance(15) { effects.append(["id": "blur", "params": ["radius": number(0.5, 5)]]) }
        if chance(15) {
            use("mask")
            effects.append(["id": "mask-shape", "params": ["shape": "ellipse", "feather": number(0, 6)]])
        }
        if turn % 5 == 2, !features.contains("noise: mask") {
            use("noise: mask")
            effects.append(["id": "mask", "params": ["image": "effects-noise", "channel": "luma"]])
        }
        if chance(15) { effects.append(["id": "drop-shadow", "params": ["offset": [3, 3], "radius": 2]]) }
        if !effects.isEmpty { layer["effects"] = effects }
        if chance(20) {
            use("blend mode")
            layer["blend"] = pick(["screen", "multiply", "overlay", "difference", "soft-light"])
        }
        return layer
    }

    // MARK: Effects

    /// An echo of up to eight frames. A picture meets one at most on its way.
    private mutating func echo() -> Object {
        use("echo")
        return ["id": "echo", "params": ["frames": numbers.next(in: 1..<9), "decay": number(0.3, 0.9)]]
    }

    private mutating func grain() -> Object {
        use("grain")
        return [
            "id": "grain",
            "params": ["amount": number(0.05, 0.3), "size": number(1, 3), "seed": numbers.next(in: 0..<99)],
        ]
    }

    static let libavFilters = [
        "av.unsharp", "av.median", "av.vaguedenoiser", "av.avgblur", "av.yaepblur", "av.chromanr", "av.cas",
        "av.chromashift", "av.dilation", "av.erosion",
    ]

    private mutating func libavFilter(_ turn: Int) -> Object {
        let id = Self.libavFilters[turn % Self.libavFilters.count]
        use("libavfilter's effect")
        use("effect: \(id)")
        return ["id": id]
    }

    private mutating func transition(_ turn: Int) -> Object {
        let id = EffectFilmMaker.transitions[turn % EffectFilmMaker.transitions.count]
        use("transition")
        use("transition: \(id)")
        var made: Object = ["id": id]
        switch id {
        case "luma-matte": made["params"] = ["matte": pick(["effects-still", "effects-noise"]), "softness": 0.25]
        case "film-burn": made["params"] = ["matte": pick(["effects-film", "effects-gif"])]
        default: break
        }
        if chance(40) { made["easing"] = "ease-in-out" }
        return made
    }

    // MARK: Segments

    private mutating func passing(_ turn: Int) -> Object {
        var made = transition(turn)
        made["duration"] = time(length / 5)
        return made
    }

    /// A track whose last two clips are joined by a transition; one clip comes in by it.
    private mutating func joined(_ track: Object, _ turn: Int) -> Object {
        guard track["type"] as? String == "video", var segments = track["segments"] as? [Object] else { return track }
        let last = segments.count - 1
        guard last >= 0, segments[last]["asset"] != nil else { return track }
        use("segment's transition")
        segments[last]["transition"] = passing(turn)
        for index in [last - 1, last] where index >= 0 && segments[index]["source"] != nil {
            segments[index]["clampToSource"] = true
        }
        var track = track
        track["segments"] = segments
        return track
    }
}
