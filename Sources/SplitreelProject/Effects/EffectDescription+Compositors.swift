extension EffectDescription {
    /// What composes where a file names nothing else; it is no kernel, but what frames are made of anyway.
    package static let layerCompositor = EffectDescription(
        "builtin", .compositor, "Lays an instruction's layers over each other, as their keys say.")

    package static let compositors = [layerCompositor]
}
