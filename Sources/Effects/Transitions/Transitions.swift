extension EffectKernels {
    /// Inputs: from, to.
    static let transitions: [String: any EffectKernel] = [:]
}
