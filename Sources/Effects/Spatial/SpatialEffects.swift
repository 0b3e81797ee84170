import Composition
import Pictures

extension EffectKernels {
    static let spatialEffects: [String: any EffectKernel] = [
        "blur": GaussianBlur()
    ]
}
