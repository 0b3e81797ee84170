package import SplitreelProject
import Synchronization

/// A compositor with the context that it was last told.
package struct CompositorSeat: Sendable {
    package let kernel: any CompositorKernel
    package var context: CompositorContext?
}

/// The compositors that a program has registered. An instance is kept when a film is done and serves the next one, so
/// that what it has loaded stays; two films at a time have one each.
package enum CompositorKernels {
    private struct Entry {
        let make: @Sendable () -> any CompositorKernel
        var idle: CompositorSeat?
    }

    private static let entries = Mutex<[String: Entry]>([:])

    /// Registers a compositor; to be called before the first project is read.
    package static func register(
        _ description: EffectDescription, _ make: @escaping @Sendable () -> any CompositorKernel
    ) {
        EffectRegistry.register(description)
        entries.withLock { $0[description.name] = Entry(make: make) }
    }

    /// Takes a compositor away that was registered, after the last project that names it is made.
    package static func forget(_ description: EffectDescription) {
        EffectRegistry.forget(description)
        entries.withLock { $0[description.name] = nil }
    }

    /// Takes a compositor by its name, see `EffectDescription.name`; nil where none has it.
    package static func take(_ name: String) -> CompositorSeat? {
        let known = entries.withLock { entries in
            let entry = entries[name]
            entries[name]?.idle = nil
            return entry
        }
        return known.map { $0.idle ?? CompositorSeat(kernel: $0.make()) }
    }

    package static func giveBack(_ seat: CompositorSeat, _ name: String) {
        entries.withLock { $0[name]?.idle = seat }
    }
}
