extension EffectDescription {
    package static let transitions: [EffectDescription] = wipes + moves + shapes + fades + lenses + mattes

    private static let softness = EffectParameter.number(
        "softness", 0...1, default: 0, "How wide the edge is, as a share of the way; 0 is a sharp edge.")

    /// The wipes, by the direction in which the edge goes.
    private static let wipes = [
        "left", "right", "up", "down", "up-left", "up-right", "down-left", "down-right",
    ].map { way in
        EffectDescription(
            "wipe.\(way)", .transition, "An edge that goes \(way) uncovers the second picture.", [softness])
    }

    /// The transitions that move a picture, by the direction in which it goes.
    private static let moves = ["left", "right", "up", "down"].flatMap { way in
        [
            EffectDescription("slide.\(way)", .transition, "The second picture moves \(way), in over the first one."),
            EffectDescription(
                "push.\(way)", .transition, "The second picture moves \(way) and pushes the first one out."),
            EffectDescription(
                "cover.\(way)", .transition,
                "The second picture moves \(way), in over the first one, on which its edge throws a shadow.", shadow),
            EffectDescription(
                "reveal.\(way)", .transition,
                "The first picture moves \(way), off the second one, on which its edge throws a shadow.", shadow),
        ]
    }

    private static let shadow: [EffectParameter] = [
        .number("shadow", 0...1, default: 0.5, "How dark the shadow is at the edge; 0 for none."),
        .number("shadowWidth", 0...1000, default: 40, unit: .pixels, "How far it reaches."),
    ]

    private static let shapes = [
        EffectDescription(
            "iris.circle", .transition, "A circle that grows from the middle uncovers the second picture.", [softness]),
        EffectDescription(
            "iris.diamond", .transition, "A diamond that grows from the middle uncovers the second picture.",
            [softness]),
        EffectDescription(
            "clock", .transition, "A hand that goes round from twelve o'clock uncovers the second picture.",
            [softness]),
        EffectDescription(
            "blinds", .transition, "Slats that open all at once uncover the second picture.",
            [
                .number("count", 1...1000, default: 8, "How many slats; rounded."),
                EffectParameter(
                    "direction", .word(["horizontal", "vertical"], fallback: "horizontal"),
                    "How the slats lie: horizontal ones open downwards, vertical ones to the right."),
            ]),
    ]

    private static let fades = [
        EffectDescription("dissolve", .transition, "The first picture fades into the second."),
        EffectDescription(
            "dip-to-color", .transition,
            "The first picture fades to a colour, and the colour to the second, each for half of the time.",
            [EffectParameter("color", .colour(fallback: [0, 0, 0, 1]), "The colour between them.")]),
    ]

    private static let lenses = [
        EffectDescription(
            "zoom", .transition,
            "The first picture is enlarged while it fades into the second, which comes back from as large.",
            [
                .number("scale", 1...10, default: 3, "How large they get."),
                EffectParameter(
                    "center", .numbers(range: 0...1, fallback: [0.5, 0.5]),
                    "The point that stays where it is, in shares of width and height."),
            ]),
        EffectDescription(
            "blur-through", .transition,
            "The first picture gets blurred and fades into the second, which gets sharp.",
            [.number("radius", 0...1000, default: 40, unit: .pixels, "How far the blur reaches in the middle.")]),
    ]

    private static let mattes = [
        EffectDescription(
            "luma-matte", .transition, "Where another picture is dark the second one is uncovered first.",
            [
                EffectParameter(
                    "matte", .picture(isRequired: true),
                    "The asset whose brightness says when; stretched to the canvas."),
                softness,
                EffectParameter("invert", .flag(fallback: false), "true: bright parts first."),
            ]),
        EffectDescription(
            "film-burn", .transition,
            "The brightness of a film, from its own beginning, says how much of the second picture is seen.",
            [
                EffectParameter(
                    "matte", .picture(isRequired: true),
                    "The film, black at its beginning and white where the transition ends; stretched to the canvas."),
                EffectParameter("invert", .flag(fallback: false), "true: what is dark shows the second picture."),
                .number("glow", 0...1, default: 1, "How much of `color` what is half seen has."),
                EffectParameter("color", .colour(fallback: [1, 0.55, 0.1, 1]), "Of the glow."),
            ]),
    ]
}
