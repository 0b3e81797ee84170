extension EffectDescription {
    /// The words of a layer's `blend`.
    package static let blends: [EffectDescription] = []
}
