import Synchronization

/// The effects, transitions, blend modes, compositors and taps that there are in this process, by id and version.
///
/// A file names them; it never carries code. A program that has some of its own registers them before it reads its
/// first project. May be used from any thread.
package enum EffectRegistry {
    private struct Name: Hashable {
        let id: String
        let version: Int
    }

    /// The beginning of ids of code that a session lends for as long as it lives: no other process has it. Its version
    /// is told to nobody else, so that the composition of another session does not run it.
    package static let sessionPrefix = "session."

    private static let table = Mutex(
        Dictionary(builtIn.map { (Name(id: $0.id, version: $0.version), $0) }) { first, _ in first })

    /// The descriptions that the program has by itself.
    package static var builtIn: [EffectDescription] {
        EffectDescription.transitions + EffectDescription.blends + EffectDescription.colourEffects
            + EffectDescription.spatialEffects + EffectDescription.filters + EffectDescription.compositors
            + EffectDescription.taps
    }

    /// Adds a description; the same id and version must not be there.
    package static func register(_ description: EffectDescription) {
        table.withLock { table in
            let name = Name(id: description.id, version: description.version)
            precondition(table[name] == nil, "An effect is registered once.")
            table[name] = description
        }
    }

    /// Takes a description away that was added.
    package static func forget(_ description: EffectDescription) {
        table.withLock { _ = $0.removeValue(forKey: Name(id: description.id, version: description.version)) }
    }

    /// All descriptions by kind and id.
    package static var all: [EffectDescription] {
        table.withLock { Array($0.values) }.sorted {
            ($0.kind.rawValue, $0.id, $0.version) < ($1.kind.rawValue, $1.id, $1.version)
        }
    }

    /// The description of an id and a version, or of its newest version for nil; nil where there is none. Code of a
    /// session has no newest version.
    package static func description(of id: String, version: Int?) -> EffectDescription? {
        table.withLock { table in
            if let version { return table[Name(id: id, version: version)] }
            guard !id.hasPrefix(sessionPrefix) else { return nil }
            return table.values.filter { $0.id == id }.max { $0.version < $1.version }
        }
    }
}
