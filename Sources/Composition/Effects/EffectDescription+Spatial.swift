extension EffectDescription {
    /// Those that make a pixel of more than that pixel, or of where it is.
    package static let spatialEffects: [EffectDescription] = []
}
