extension FilmMaker {
    /// A tree of layers around the film: text in fonts of the machine and of the project, a GIF, a shape, noise.
    mutating func animation(_ turn: Int) -> Object {
        let (w, h) = (canvas.width, canvas.height)
        let film: Object = ["id": "film", "bounds": [0, 0, w, h], "anchorPoint": [0, 0]]
        var layers = [film, gif(), shape(), title(turn)]
        if turn % 5 == 1 {
            use("noise: layer")
            layers.insert(
                [
                    "bounds": [0, 0, 20, 16], "position": [number(12, 60), number(12, 50)], "opacity": 0.5,
                    "contents": ["film": "effects-noise"],
                ], at: 1)
        }
        return ["videoLayers": ["film"], "root": ["sublayers": layers]]
    }

    private mutating func title(_ turn: Int) -> Object {
        use("animation with text")
        var font: Any = pick(["DejaVu Sans", "DejaVu Serif", "Noto Sans Devanagari"])
        if turn % 3 != 0 {
            use("font asset")
            font = chance(50) ? "effects-font" : ["effects-font", "Noto Sans Devanagari"]
        }
        // Scripts of their own fonts, some of which stand in for the one that is named.
        let text: Object = [
            "string": pick(["Ab 12", "Straße", "été — π", "नमस्ते 7", "مرحبا ab", "😀 ok", "中文"]), "size": number(9, 18),
            "font": font, "color": colour(),
            "reveal": [
                "by": pick(["glyph", "word"]), "style": pick(["fade", "slide-up", "typewriter"]), "begin": time(5),
                "duration": time(40),
            ],
        ]
        return [
            "bounds": [0, 0, canvas.width, 24], "position": [number(20, 60), number(12, 40)],
            "contents": ["text": text],
            "animations": [
                ["keyPath": "position.x", "from": number(10, 30), "to": number(40, 70), "duration": time(length)]
            ],
        ]
    }

    private mutating func gif() -> Object {
        use("GIF in a layer")
        return [
            "bounds": [0, 0, 24, 18], "position": [number(20, 70), number(12, 50)],
            "contents": ["animatedImage": "effects-gif"],
            "animations": [
                ["keyPath": "opacity", "from": 1, "to": number(0.2, 0.6), "duration": time(50), "fill": "both"]
            ],
        ]
    }

    private mutating func shape() -> Object {
        [
            "bounds": [0, 0, 24, 24], "position": [number(12, 60), number(12, 50)],
            "contents": ["shape": ["ellipse": [2, 2, 20, 20], "strokeColor": colour(), "lineWidth": number(1, 4)]],
            "animations": [["keyPath": "shape.strokeEnd", "from": 0, "to": 1, "duration": time(length)]],
        ]
    }
}

extension RandomFilm {
    /// How many of forty decorated films have what, at least: those of the seeds 1 to 40.
    package static var decorations: [(feature: String, least: Int)] {
        let some = [
            ("transition", 30), ("segment's transition", 3), ("echo", 10), ("grain", 10), ("libavfilter's effect", 10),
            ("own compositor", 3), ("animation with text", 10), ("font asset", 5), ("GIF in a layer", 10),
            ("noise: layer", 3), ("noise: mask", 3), ("blend mode", 5), ("mask", 3), ("no instructions", 3),
        ]
        return some.map { (feature: $0.0, least: $0.1) }
            + EffectFilmMaker.transitions.map { (feature: "transition: \($0)", least: 1) }
            + FilmMaker.libavFilters.map { (feature: "effect: \($0)", least: 1) }
    }
}
