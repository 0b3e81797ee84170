package import SplitreelProject
package import SplitreelTimeline
import Synchronization

/// The taps that a program has registered, by id and version.
package enum TapKernels {
    /// Makes a tap for one mixing.
    ///
    /// - Parameters:
    ///   - leaders: the positions of the recipe's audio tracks in the mix.
    ///   - sound: the samples of the recipe's asset, a list for each of its channels, at the mix's rate; empty where it
    ///     names none.
    package typealias Make =
        @Sendable (
            _ recipe: TapRecipe, _ context: TapContext, _ leaders: [Int], _ sound: [[Float]]
        ) throws -> any SoundTap

    private static let registered = Mutex<[String: Make]>([:])

    /// Registers a tap; to be called before the first project is read.
    package static func register(_ description: EffectDescription, _ make: @escaping Make) {
        EffectRegistry.register(description)
        registered.withLock { $0[description.name] = make }
    }

    /// Takes a tap away that was registered, after the last project that names it is made.
    package static func forget(_ description: EffectDescription) {
        EffectRegistry.forget(description)
        registered.withLock { $0[description.name] = nil }
    }

    /// The maker of a recipe's tap; nil where the program has not registered it, as with this module's own taps.
    package static func maker(of recipe: TapRecipe) -> Make? {
        registered.withLock { $0["\(recipe.id) \(recipe.version)"] }
    }
}
