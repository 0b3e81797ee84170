/// Transitions, effects, animation and a compositor of somebody's own over a film that is made already: what remembers
/// and what draws text, among others. The reference knows nothing of them.
extension FilmMaker {
    mutating func decorate(_ film: inout Object) {
        guard var video = film["video"] as? Object else { return }
        assets["effects-gif"] = ["url": sources.folder.file("ever.gif")]
        assets["effects-still"] = ["url": sources.folder.file("picture.png")]
        assets["effects-film"] = ["url": sources.folder.file("plain.mkv")]
        if let instructions = video["instructions"] as? [Object] {
            video["instructions"] = decorated(instructions, &video)
        } else if var composition = film["composition"] as? Object, let tracks = composition["tracks"] as? [Object] {
            composition["tracks"] = tracks.map { joined($0) }
            film["composition"] = composition
        }
        if chance(30) { video["effects"] = [pick([grain(), libavFilter()])] }
        if chance(50) { video["animation"] = animation() }
        film["video"] = video
        film["assets"] = assets
    }

    // MARK: Instructions

    private mutating func decorated(_ instructions: [Object], _ video: inout Object) -> [Object] {
        func layers(_ instruction: Object) -> [Object]? { instruction["layers"] as? [Object] }
        let isOwn = instructions.allSatisfy { (layers($0)?.count ?? 2) > 1 } && chance(25)
        if isOwn {
            use("own compositor")
            video["compositor"] = ["id": "example.split-screen", "params": ["width": numbers.next(in: 2..<9)]]
        }
        return instructions.map { instruction in
            guard let own = layers(instruction) else { return instruction }
            var instruction = instruction
            instruction["layers"] = own.map { isOwn ? fitted($0) : decorated($0) }
            if !isOwn, own.count > 1, chance(50) { instruction["effect"] = transition() }
            return instruction
        }
    }

    /// As large as the canvas, without what is the layer compositor's.
    private mutating func fitted(_ layer: Object) -> Object {
        var layer = layer.filter { !["cornerRadius", "borderWidth", "borderColor"].contains($0.key) }
        layer["fit"] = layer["fit"] ?? "cover"
        if chance(50) { layer["effects"] = [["id": "example.negative"], grain()] }
        return layer
    }

    private mutating func decorated(_ layer: Object) -> Object {
        var layer = layer
        var effects: [Object] = []
        if !features.contains("echo"), chance(40) {
            use("echo")
            effects.append(["id": "echo", "params": ["frames": numbers.next(in: 1..<6), "decay": number(0.3, 0.9)]])
        }
        if chance(25) { effects.append(grain()) }
        if chance(25) { effects.append(libavFilter()) }
        if chance(15) { effects.append(["id": "blur", "params": ["radius": number(0.5, 5)]]) }
        if chance(15) {
            use("mask")
            effects.append(["id": "mask-shape", "params": ["shape": "ellipse", "feather": number(0, 6)]])
        }
        if chance(15) { effects.append(["id": "drop-shadow", "params": ["offset": [3, 3], "radius": 2]]) }
        if !effects.isEmpty { layer["effects"] = effects }
        if chance(20) {
            use("blend mode")
            layer["blend"] = pick(["screen", "multiply", "overlay", "difference", "soft-light"])
        }
        return layer
    }

    private mutating func grain() -> Object {
        use("grain")
        return [
            "id": "grain",
            "params": ["amount": number(0.05, 0.3), "size": number(1, 3), "seed": numbers.next(in: 0..<99)],
        ]
    }

    private mutating func libavFilter() -> Object {
        use("libavfilter's effect")
        return [
            "id": pick(["av.unsharp", "av.median", "av.vaguedenoiser", "av.avgblur", "av.yaepblur", "av.chromanr"])
        ]
    }

    private mutating func transition() -> Object {
        use("transition")
        let way = pick(["left", "right", "up", "down"])
        let id = pick([
            "dissolve", "wipe.\(way)", "wipe." + pick(["up-left", "up-right", "down-left", "down-right"]),
            "slide.\(way)", "push.\(way)", "cover.\(way)", "reveal.\(way)", "iris.circle", "clock", "blinds", "zoom",
            "blur-through", "dip-to-color", "luma-matte", "film-burn",
        ])
        let mattes = ["luma-matte": "effects-still", "film-burn": "effects-film"]
        var made: Object = ["id": id]
        if let matte = mattes[id] { made["params"] = ["matte": matte] }
        if chance(40) { made["easing"] = "ease-in-out" }
        return made
    }

    // MARK: Segments

    /// A track whose last two clips are joined by a transition, if it has two.
    private mutating func joined(_ track: Object) -> Object {
        guard track["type"] as? String == "video", var segments = track["segments"] as? [Object] else { return track }
        let last = segments.count - 1
        guard last > 0, segments[last]["asset"] != nil, segments[last - 1]["asset"] != nil else { return track }
        use("segment's transition")
        segments[last]["transition"] = [
            "id": pick(["dissolve", "push.left", "wipe.right", "iris.diamond", "slide.up", "cover.right", "zoom"]),
            "duration": time(10),
        ]
        for index in [last - 1, last] where segments[index]["source"] != nil { segments[index]["clampToSource"] = true }
        var track = track
        track["segments"] = segments
        return track
    }

    // MARK: Animation

    private mutating func animation() -> Object {
        use("animation with text")
        let (w, h) = (canvas.width, canvas.height)
        let film: Object = ["id": "film", "bounds": [0, 0, w, h], "anchorPoint": [0, 0]]
        // Scripts of their own fonts, some of which stand in for the one that is named.
        let text: Object = [
            "string": pick(["Ab 12", "Straße", "été — π", "नमस्ते 7", "مرحبا ab", "😀 ok", "中文"]), "size": number(9, 18),
            "font": pick(["DejaVu Sans", "DejaVu Serif", "Noto Sans Devanagari"]),
            "color": colour(),
            "reveal": [
                "by": pick(["glyph", "word"]), "style": pick(["fade", "slide-up", "typewriter"]), "begin": time(5),
                "duration": time(40),
            ],
        ]
        let title: Object = [
            "bounds": [0, 0, w, 24], "position": [number(20, 60), number(12, 40)], "contents": ["text": text],
            "animations": [
                ["keyPath": "position.x", "from": number(10, 30), "to": number(40, 70), "duration": time(length)]
            ],
        ]
        let gif: Object = [
            "bounds": [0, 0, 24, 18], "position": [number(20, 70), number(12, 50)],
            "contents": ["animatedImage": "effects-gif"],
            "animations": [
                ["keyPath": "opacity", "from": 1, "to": number(0.2, 0.6), "duration": time(50), "fill": "both"]
            ],
        ]
        let shape: Object = [
            "bounds": [0, 0, 24, 24], "position": [number(12, 60), number(12, 50)],
            "contents": ["shape": ["ellipse": [2, 2, 20, 20], "strokeColor": colour(), "lineWidth": number(1, 4)]],
            "animations": [["keyPath": "shape.strokeEnd", "from": 0, "to": 1, "duration": time(length)]],
        ]
        return ["videoLayers": ["film"], "root": ["sublayers": [film, gif, shape, title]]]
    }
}
