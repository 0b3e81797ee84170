extension EffectDescription {
    /// Those that make each pixel of that pixel alone.
    package static let colourEffects: [EffectDescription] = [
        EffectDescription(
            "exposure", .effect, "More or less light, as a camera's exposure.",
            [
                .number("stops", -10...10, default: 0, unit: .stops, "1 doubles the light, -1 halves it.")
            ])
    ]
}
