extension EffectDescription {
    /// The filters that libavfilter does well: they make each picture of one picture alone. Alpha stays as it is.
    package static let filters: [EffectDescription] = [
        filter(
            "unsharp", "Sharpens luma, or softens it, by ffmpeg's unsharp.",
            [
                .number("radius", 1...11, default: 2, unit: .pixels, "Of the square it looks at, rounded."),
                .number("amount", -2...5, default: 1, "Below 0 it softens."),
            ]),
        filter(
            "avgblur", "The mean of a square, by ffmpeg's avgblur.",
            [.number("radius", 1...1024, default: 4, unit: .pixels, "Pixels to each side, rounded.")]),
        filter(
            "cas", "Sharpens by the contrast that is there, by ffmpeg's cas.",
            [.number("strength", 0...1, default: 0.5, "How much.")]),
        filter(
            "median", "The middle one of all in a square, by ffmpeg's median: removes specks.",
            [
                .number("radius", 1...32, default: 1, unit: .pixels, "Pixels to each side, rounded."),
                .number("percentile", 0...1, default: 0.5, "0 takes the darkest, 1 the lightest."),
            ]),
        filter("dilation", "The lightest of the neighbours, by ffmpeg's dilation.", []),
        filter("erosion", "The darkest of the neighbours, by ffmpeg's erosion.", []),
        filter(
            "yaepblur", "Blurs luma and keeps edges, by ffmpeg's yaepblur.",
            [
                .number("radius", 1...64, default: 3, unit: .pixels, "Rounded."),
                .number("sigma", 1...100_000, default: 128, "The variance from which on something is an edge."),
            ]),
        filter(
            "chromanr", "Removes noise of colour, by ffmpeg's chromanr.",
            [
                .number("threshold", 1...200, default: 30, "How far apart neighbours may be that are averaged."),
                .number("size", 1...20, default: 5, unit: .pixels, "Of the rectangle it looks at, rounded."),
            ]),
        filter(
            "vaguedenoiser", "Removes noise by wavelets, by ffmpeg's vaguedenoiser.",
            [
                .number("threshold", 0...1000, default: 2, "How strong noise is."),
                .number("percent", 0...100, default: 85, "How much of it goes."),
            ]),
        filter(
            "chromashift", "Moves colour against luma, by ffmpeg's chromashift.",
            ["cbh", "cbv", "crh", "crv"].map {
                .number(
                    $0, -255...255, default: 0,
                    "\($0.dropLast()), samples to the \($0.hasSuffix("h") ? "right" : "bottom").")
            }),
    ]

    private static func filter(
        _ name: String, _ summary: String, _ parameters: [EffectParameter]
    ) -> EffectDescription {
        EffectDescription("av.\(name)", .effect, summary, parameters)
    }

    /// Whether the effect is made by libavfilter and not by a kernel.
    package var isFilter: Bool { id.hasPrefix("av.") && Self.filters.contains { $0.id == id } }
}
