package import SplitreelProject
import SplitreelTimeline
import Synchronization

/// The kernels of this process, by id and version: those that splitreel has, and those that the program registered.
package enum EffectKernels {
    private static let registered = Mutex<[String: any OwnEffectKernel]>([:])

    private static let builtIn: [String: any EffectKernel] =
        transitions.merging(colourEffects) { first, _ in first }
        .merging(spatialEffects) { first, _ in first }
        .merging(blends) { first, _ in first }
        .merging([LayerMask.id: LayerMaskKernel()]) { first, _ in first }

    package static func kernel(id: String, version: Int) -> (any EffectKernel)? {
        version == 1 ? builtIn[id] : nil
    }

    /// The kernel of an effect, or a transition, that the program registered.
    package static func own(id: String, version: Int) -> (any OwnEffectKernel)? {
        registered.withLock { $0["\(id) \(version)"] }
    }

    /// Adds an effect with its kernel, before the first project that names it is read.
    package static func register(_ description: EffectDescription, _ kernel: any OwnEffectKernel) {
        EffectRegistry.register(description)
        registered.withLock { $0[description.name] = kernel }
    }

    /// Takes an effect away that was registered, after the last project that names it is made.
    package static func forget(_ description: EffectDescription) {
        EffectRegistry.forget(description)
        registered.withLock { $0[description.name] = nil }
    }
}
