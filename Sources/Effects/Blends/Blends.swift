extension EffectKernels {
    /// Inputs: what lies beneath, the layer.
    static let blends: [String: any EffectKernel] = [:]
}
