extension EffectDescription {
    /// The effects that make each pixel of that pixel alone.
    package static let colourEffects: [EffectDescription] = lights + tones + mixes + [lut] + keys

    private static func number3(
        _ name: String, _ range: ClosedRange<Double>, _ fallback: Double, _ summary: String
    ) -> EffectParameter {
        EffectParameter(
            name, .numbers(range: range, fallback: [fallback, fallback, fallback]), summary + " Of red, green, blue.")
    }

    private static let amount = EffectParameter.number(
        "amount", 0...1, default: 1, "How far from the picture's own colours; 0 changes nothing.")

    private static let lights = [
        EffectDescription(
            "exposure", .effect, "More or less light, as a camera's exposure.",
            [
                .number("stops", -10...10, default: 0, unit: .stops, "1 doubles the light, -1 halves it.")
            ]),
        EffectDescription(
            "white-balance", .effect, "Makes the light of a scene neutral.",
            [
                .number(
                    "kelvin", 2000...15000, default: 6500, unit: .kelvin,
                    "The scene's light: less makes the picture bluer, more warmer."),
                .number(
                    "tint", -100...100, default: 0,
                    "How green the scene's light was, below 0 how magenta; 100 makes the picture much more magenta."),
            ]),
    ]

    private static let tones = [
        EffectDescription(
            "brightness", .effect, "Lighter or darker by the same step everywhere.",
            [.number("amount", -1...1, default: 0, "What is added to R', G' and B'.")]),
        EffectDescription(
            "contrast", .effect, "Farther from a grey, or nearer to it.",
            [
                .number("amount", 0...8, default: 1, "By how many times."),
                .number("pivot", 0...1, default: 0.5, "The grey that stays."),
            ]),
        EffectDescription(
            "lift-gamma-gain", .effect,
            "Moves shadows, middle tones and lights: (gain · (x + lift · (1 − x)))^(1/gamma).",
            [
                number3("lift", -1...1, 0, "What black becomes before gain."),
                number3("gamma", 0.1...10, 1, "More lightens the middle."),
                number3("gain", 0...8, 1, "What white becomes."),
            ]),
        EffectDescription(
            "levels", .effect, "Stretches tones from a black to a white, and puts them between two others.",
            [
                .number("black", 0...1, default: 0, "What becomes the new black."),
                .number("white", 0...1, default: 1, "What becomes the new white."),
                .number("gamma", 0.1...10, default: 1, "More lightens the middle."),
                .number("outputBlack", 0...1, default: 0, "The new black."),
                .number("outputWhite", 0...1, default: 1, "The new white."),
                EffectParameter(
                    "channel", .word(["rgb", "red", "green", "blue"], fallback: "rgb"), "Which component it is about."),
            ]),
        EffectDescription(
            "curves", .effect, "Tones by curves through points [from, to]: each component's own, then the master's.",
            ["master", "red", "green", "blue"].map {
                EffectParameter(
                    $0, .table(width: 2, range: -1...2, least: 1),
                    "Points of a monotone cubic curve, level before the first and after the last.")
            }),
    ]

    private static let mixes = [
        EffectDescription(
            "saturation", .effect, "More or less colour.",
            [.number("amount", 0...8, default: 1, "By how many times; 0 is grey.")]),
        EffectDescription(
            "hue", .effect, "Turns all colours by an angle in the plane of Cb and Cr.",
            [.number("degrees", -3600...3600, default: 0, unit: .degrees, "90 turns blue towards red.")]),
        EffectDescription("invert", .effect, "The opposite of each colour."),
        EffectDescription(
            "black-and-white", .effect, "Grey, mixed of red, green and blue.",
            [
                EffectParameter(
                    "mix", .numbers(range: -2...3, fallback: [0.2126, 0.7152, 0.0722]),
                    "How much of red, green and blue."), amount,
            ]),
        EffectDescription("sepia", .effect, "Browns, as of an old photograph.", [amount]),
        EffectDescription(
            "tint", .effect, "Shades of one colour.",
            [EffectParameter("color", .colour(fallback: [1, 0.9, 0.7, 1]), "What white becomes."), amount]),
        EffectDescription(
            "color-matrix", .effect, "Each of R', G' and B' as a sum.",
            zip(["red", "green", "blue"], [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]).map { name, row in
                EffectParameter(
                    name, .numbers(range: -16...16, fallback: row), "Factors of red, green and blue, and what is added."
                )
            }),
    ]

    private static let lut = EffectDescription(
        "lut", .effect, "The colours of a .cube file: by component, or by a lattice tetrahedrally.",
        [EffectParameter("lut", .file(.lut), "An asset of kind `lut`."), amount])

    private static let keys = [
        EffectDescription(
            "chroma-key", .effect, "Makes a colour transparent, and takes its cast off the rest.",
            [
                EffectParameter("color", .colour(fallback: [0, 1, 0, 1]), "The backing's colour."),
                .number(
                    "tolerance", 0...1, default: 0.2,
                    "How far in Cb and Cr (-0.5 to 0.5) a colour may be from it to be transparent."),
                .number("softness", 0...1, default: 0.1, "How much farther a colour is opaque."),
                .number("spill", 0...1, default: 0.5, "How much of its cast is taken away."),
            ]
        ).with { $0.makesAlpha = true },
        EffectDescription(
            "luma-key", .effect, "Makes dark, light or other tones transparent.",
            [
                .number("threshold", 0...1, default: 0, "The luma that becomes transparent."),
                .number("tolerance", 0...1, default: 0.1, "How far from it luma may be."),
                .number("softness", 0...1, default: 0.05, "How much farther luma is opaque."),
            ]
        ).with { $0.makesAlpha = true },
    ]
}
