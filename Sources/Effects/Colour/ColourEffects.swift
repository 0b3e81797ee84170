extension EffectKernels {
    static let colourEffects: [String: any EffectKernel] = [:]
}
