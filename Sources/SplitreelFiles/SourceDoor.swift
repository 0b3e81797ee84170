import Diagnostics
import Synchronization

/// A way to sources that are no files of this machine, such as objects in a store, by their names. From any thread.
package protocol SourceDoor: Sendable {
    /// Opens a source, which is the content that has the name now.
    ///
    /// Blocks, also for as long as all of it is read once. `going` is called meanwhile, once a second or more often,
    /// and ends that by throwing. Throws `refused` for a name that may not be opened, `mediaNotFound`, and as reading
    /// does.
    func source(named name: String, going: @escaping @Sendable () throws -> Void) throws -> any MediaSource
    /// The number of bytes of a source that was opened before; nil for another one. Asks nobody.
    func byteCount(ofOpened name: String) -> Int?
}

/// The one door of this process, by which all that reads media here comes to sources elsewhere. A process that reads
/// media for another one has those that it was handed; a command has its own way to object stores.
package enum SourceDoors {
    private static let door = Mutex<(any SourceDoor)?>(nil)

    /// Takes a door in the place of the one before; nil for none. From any thread.
    package static func use(_ fresh: (any SourceDoor)?) { door.withLock { $0 = fresh } }

    /// Takes a door where there is none. From any thread.
    package static func useUnlessThere(_ fresh: any SourceDoor) { door.withLock { $0 = $0 ?? fresh } }

    static var current: (any SourceDoor)? { door.withLock { $0 } }
}

/// Opens a source by its name: a file by its path, what lies elsewhere by this process's door. An error about a file
/// tells the operations as `LocalFile` does. Throws as opening does.
package func openSource(
    _ name: String, asking call: String = "access", finding look: String = "stat"
) throws -> any MediaSource {
    guard name.isRemoteName else { return try LocalFile(path: name, asking: call, finding: look) }
    return try remoteSource(name)
}

/// Opens a source as `openSource` does, a file after 24 ms more where its last change was too short ago for a mark.
package func openSettledSource(_ name: String) throws -> any MediaSource {
    name.isRemoteName ? try remoteSource(name) : try LocalFile.settled(path: name)
}

private func remoteSource(_ name: String) throws -> any MediaSource {
    // A source that this program holds itself needs no door; a process that reads for it was handed a way to it.
    if let own = ProgramSource.named(name) { return own }
    if let door = SourceDoors.current { return try door.source(named: name, going: {}) }
    if name.isMemoryName { throw ProgramSource.gone(name) }
    throw SplitreelError(
        .mediaUnsupported, operation: "opening", subject: name, reason: "files alone are read here",
        hint: "copy it to a file; `splitreel render` and a coordinator with roots of addresses read it where it is")
}
