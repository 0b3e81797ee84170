extension EffectKernels {
    static let spatialEffects: [String: any EffectKernel] = [:]
}
