package import SplitreelProject
import SplitreelTimeline
import Synchronization

/// The kernels of this process, by id and version: those that the program has, and those that were registered.
package enum EffectKernels {
    private static let registered = Mutex<[String: any EffectKernel]>([:])

    private static let builtIn: [String: any EffectKernel] =
        transitions.merging(colourEffects) { first, _ in first }
        .merging(spatialEffects) { first, _ in first }
        .merging(blends) { first, _ in first }
        .merging([LayerMask.id: LayerMaskKernel()]) { first, _ in first }

    package static func kernel(id: String, version: Int) -> (any EffectKernel)? {
        if version == 1, let kernel = builtIn[id] { return kernel }
        return registered.withLock { $0["\(id) \(version)"] }
    }

    /// Adds an effect with its kernel, before the first project is read.
    package static func register(_ description: EffectDescription, _ kernel: any EffectKernel) {
        EffectRegistry.register(description)
        registered.withLock { $0["\(description.id) \(description.version)"] = kernel }
    }
}
