extension EffectDescription {
    /// The compositor where a file names none; it is no kernel, but what frames are made of anyway.
    package static let layerCompositor = EffectDescription(
        "builtin", .compositor, "Lays an instruction's layers over each other, as their keys say.")

    package static let compositors = [layerCompositor]
}
