extension EffectDescription {
    /// Those that make a pixel of more than that pixel, or of where it is.
    package static let spatialEffects: [EffectDescription] = [
        EffectDescription(
            "blur", .effect, "A gaussian blur.",
            [
                .number(
                    "radius", 0...1000, default: 8, unit: .pixels,
                    "The gaussian's standard deviation, as of blur() in CSS; 0 changes nothing.")
            ])
    ]
}
