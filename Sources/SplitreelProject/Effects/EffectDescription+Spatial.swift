extension EffectDescription {
    /// The effects that make a pixel of more than that pixel, or of where it is.
    package static let spatialEffects: [EffectDescription] = blurs + finishes + shapes + masks + [echo]

    private static let blurs = [
        EffectDescription(
            "blur", .effect, "A gaussian blur.",
            [
                .number(
                    "radius", 0...1000, default: 8, unit: .pixels,
                    "The gaussian's standard deviation, as of blur() in CSS; 0 changes nothing.")
            ]),
        EffectDescription(
            "box-blur", .effect, "The mean of a square about each pixel.",
            [
                .number(
                    "radius", 0...1000, default: 8, unit: .pixels, "Pixels to each side; parts of pixels count as such."
                )
            ]),
        EffectDescription(
            "directional-blur", .effect, "The mean along a line about each pixel, as of something that moves.",
            [
                .number("angle", -36000...36000, default: 0, unit: .degrees, "Clockwise; 0 is to the right."),
                .number("length", 0...2000, default: 20, unit: .pixels, "From the line's one end to the other."),
            ]),
        EffectDescription(
            "sharpen", .effect, "Adds to luma what a blur takes from it (unsharp mask).",
            [
                .number("amount", -1...5, default: 0.6, "How much of it; below 0 it softens."),
                .number("radius", 0...100, default: 1.5, unit: .pixels, "The blur's standard deviation."),
            ]),
        EffectDescription(
            "glow", .effect, "Adds the blurred light of what is bright.",
            [
                .number(
                    "threshold", 0...1, default: 0.7, "Luma from which on, evenly up to white, something is bright."),
                .number("radius", 0...1000, default: 20, unit: .pixels, "The blur's standard deviation."),
                .number("intensity", 0...10, default: 1, "How much of it is added."),
            ]),
    ]

    private static let finishes = [
        EffectDescription(
            "vignette", .effect, "Darkens towards the corners.",
            [
                .number("amount", 0...1, default: 0.5, "How dark it gets: 1 is black."),
                .number("start", 0...2, default: 0.4, "Where it begins, as a share of the way from middle to corner."),
                .number("end", 0...2, default: 1, "Where it is as dark as it gets."),
            ]),
        EffectDescription(
            "grain", .effect, "Noise of its own for each frame.",
            [
                .number("amount", 0...1, default: 0.04, "Its standard deviation, as a share of white."),
                .number("size", 0.1...100, default: 1, unit: .pixels, "The side of a grain."),
                .number("color", 0...1, default: 0, "How much of it Cb and Cr have; 0 is grey grain."),
                .number("seed", 0...4_294_967_295, default: 0, "Other seeds make other grain."),
            ]
        ).with { $0.usesTime = true },
    ]

    private static let shapes = [
        EffectDescription(
            "pixelate", .effect, "The mean of each square, from the top left corner on.",
            [.number("size", 1...4000, default: 16, unit: .pixels, "A square's side; 1 changes nothing.")]),
        EffectDescription(
            "mirror", .effect, "One side of a line is the mirror image of the other.",
            [
                EffectParameter(
                    "keep", .word(["left", "right", "top", "bottom"], fallback: "left"), "The side that stays."),
                .number("at", 0...1, default: 0.5, "Where the line is, as a share of the width or height."),
            ]),
        EffectDescription(
            "lens-distortion", .effect, "Bends straight lines inwards or outwards; outside of the picture is nothing.",
            [
                .number(
                    "k1", -1...1, default: 0, "Of r², r being 1 half a diagonal from the centre; below 0 it bulges."),
                .number("k2", -1...1, default: 0, "Of r⁴."),
                EffectParameter(
                    "center", .numbers(range: -1...2, fallback: [0.5, 0.5]), "Shares of the width and the height."),
            ]
        ).with { $0.makesAlpha = true },
        EffectDescription(
            "drop-shadow", .effect, "The layer's blurred shadow beneath it.",
            [
                EffectParameter(
                    "offset", .numbers(range: -10000...10000, fallback: [8, 8]), unit: .pixels,
                    "Where it falls, to the right and down."),
                .number("radius", 0...1000, default: 8, unit: .pixels, "The blur's standard deviation."),
                EffectParameter("color", .colour(fallback: [0, 0, 0, 0.6]), "Red, green, blue and opacity."),
            ]
        ).with { ($0.space, $0.makesAlpha) = (.canvas, true) },
    ]

    private static let invert = EffectParameter(
        "invert", .flag(fallback: false), "Lets through what it would hide, and hides the rest.")
    private static let channel = EffectParameter(
        "channel", .word(["alpha", "luma"], fallback: "alpha"),
        "What lets through: its alpha, or its luma times that.")

    private static let masks = [
        EffectDescription(
            "mask", .effect, "Lets through what an image's alpha or luma says.",
            [
                EffectParameter(
                    "image", .picture(isRequired: true), "An asset with a picture, stretched over this one."),
                channel, invert,
            ]
        ).with { $0.makesAlpha = true },
        EffectDescription(
            "mask-shape", .effect, "Lets through what is inside of a rectangle or an ellipse.",
            [
                EffectParameter("shape", .word(["rectangle", "ellipse"], fallback: "rectangle"), "What it is."),
                EffectParameter(
                    "center", .numbers(range: -10...10, fallback: [0.5, 0.5]), "Shares of the width and the height."),
                EffectParameter(
                    "size", .numbers(range: 0...20, fallback: [0.5, 0.5]), "Shares of the width and the height."),
                .number("feather", 0...4000, default: 0, unit: .pixels, "How wide its edge is."),
                .number("radius", 0...4000, default: 0, unit: .pixels, "Of a rectangle's corners."),
                invert,
            ]
        ).with { $0.makesAlpha = true },
        EffectDescription(
            "mask-track", .effect, "Lets through what another layer's alpha or luma says, each in its place.",
            [
                EffectParameter(
                    "track", .track(isRequired: true), "Of a layer of the instruction; `visible: false` hides it."),
                channel, invert,
            ]
        ).with { ($0.space, $0.makesAlpha) = (.canvas, true) },
    ]

    private static let echo = EffectDescription(
        "echo", .effect, "The mean of a frame and of those before it.",
        [
            .number("frames", 0...8, default: 4, "How many of those before it, rounded up."),
            .number("decay", 0...1, default: 0.6, "The weight of each, as a share of the one's after it."),
        ]
    ).with { ($0.framesBehind, $0.framesBehindBy) = (8, "frames") }
}
