import TestTools

extension EffectFilmMaker {
    /// The effects that a formula is known of: all but grain, which is noise, and libavfilter's own.
    static let effects = [
        "exposure", "white-balance", "brightness", "contrast", "lift-gamma-gain", "levels", "curves", "saturation",
        "hue",
        "invert", "black-and-white", "sepia", "tint", "color-matrix", "lut", "chroma-key", "luma-key", "blur",
        "box-blur",
        "directional-blur", "sharpen", "glow", "vignette", "pixelate", "mirror", "lens-distortion", "mask",
        "mask-shape",
        "echo",
    ]

    /// On a whole frame, which is opaque.
    mutating func wholeEffect() -> Object {
        let clear: Set = ["chroma-key", "luma-key", "lens-distortion", "mask", "mask-shape", "echo"]
        return effect(pick(Self.effects.filter { !clear.contains($0) }))
    }

    mutating func effect(_ id: String) -> Object {
        use("effect: \(id)")
        node("effect")
        return ["id": id, "params": params(id)]
    }

    /// A number, or a ramp of it.
    private mutating func value(_ low: Double, _ high: Double) -> Any {
        guard chance(30) else { return number(low, high) }
        use("animated parameter")
        return [ramp(number(low, high), number(low, high))]
    }

    private mutating func triple(_ low: Double, _ high: Double) -> [Double] {
        [number(low, high), number(low, high), number(low, high)]
    }

    private mutating func params(_ id: String) -> Object {
        switch id {
        case "exposure": ["stops": value(-1, 0.75)]
        case "white-balance": ["kelvin": number(4500, 9000), "tint": number(-30, 30)]
        case "brightness": ["amount": value(-0.3, 0.3)]
        case "contrast": ["amount": value(0.5, 1.5), "pivot": number(0.3, 0.7)]
        case "saturation": ["amount": value(0, 1.6)]
        case "hue": ["degrees": value(-180, 180)]
        case "lift-gamma-gain": ["lift": triple(-0.1, 0.2), "gamma": triple(0.75, 1.4), "gain": triple(0.7, 1.3)]
        case "levels":
            [
                "black": number(0, 0.2), "white": number(0.75, 1), "gamma": number(0.75, 1.5),
                "outputBlack": number(0, 0.1), "outputWhite": number(0.8, 1),
                "channel": pick(["rgb", "rgb", "red", "green", "blue"]),
            ]
        case "curves":
            [
                "master": [[0, number(0, 0.1)], [0.3, number(0.2, 0.4)], [0.75, number(0.6, 0.9)], [1, 1]],
                "red": [[0, 0], [0.5, number(0.4, 0.6)], [1, number(0.8, 1)]],
            ]
        case "invert": [:]
        case "black-and-white": ["mix": triple(0.1, 0.5), "amount": value(0.25, 1)]
        case "sepia": ["amount": value(0, 1)]
        case "tint": ["color": colour(), "amount": value(0.25, 1)]
        case "color-matrix":
            [
                "red": [0.8, 0.2, 0, number(-0.1, 0.1)], "green": [0.1, number(0.6, 1), 0.1, 0],
                "blue": [0, 0.25, 0.75, 0],
            ]
        case "lut": ["lut": pick(["warm", "steps"]), "amount": number(0.25, 1)]
        case "chroma-key":
            [
                "color": pick([[0.0, 1, 0, 1], [0.1, 0.2, 1, 1], colour()]), "tolerance": number(0.1, 0.3),
                "softness": number(0.1, 0.3), "spill": number(0, 1),
            ]
        case "luma-key": ["threshold": number(0, 1), "tolerance": number(0.1, 0.3), "softness": number(0.1, 0.3)]
        default: spatial(id)
        }
    }

    private mutating func spatial(_ id: String) -> Object {
        switch id {
        case "blur": ["radius": value(0.5, 9)]
        case "box-blur": ["radius": value(0.5, 9)]
        case "directional-blur": ["angle": value(-180, 180), "length": number(2, 30)]
        case "sharpen": ["amount": number(-0.75, 1), "radius": number(0.75, 4)]
        case "glow": ["threshold": number(0.3, 0.8), "radius": number(1, 10), "intensity": number(0.25, 1.25)]
        case "vignette": ["amount": value(0.25, 1), "start": number(0.1, 0.6), "end": number(0.75, 1.5)]
        case "pixelate": ["size": Double(numbers.next(in: 2..<12))]
        case "mirror": ["keep": pick(["left", "right", "top", "bottom"]), "at": number(0.25, 0.75)]
        case "lens-distortion": ["k1": value(-0.3, 0.3), "k2": number(-0.1, 0.1), "center": [number(0.4, 0.6), 0.5]]
        case "mask": ["image": "spot", "channel": pick(["alpha", "luma"]), "invert": chance(40)]
        case "mask-shape":
            [
                "shape": pick(["rectangle", "ellipse"]), "center": [number(0.3, 0.7), number(0.3, 0.7)],
                "size": [number(0.4, 1), number(0.4, 1)], "feather": value(0, 16), "radius": number(0, 10),
                "invert": chance(30),
            ]
        default: ["frames": numbers.next(in: 1..<5), "decay": number(0.25, 1)]
        }
    }
}
