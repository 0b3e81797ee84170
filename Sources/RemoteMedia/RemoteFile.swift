import Diagnostics
package import SourceBlocks
package import SplitreelFiles
import Synchronization

/// An object as it is read here: in blocks that are checked by the sums that were made when it was first read.
package final class RemoteFile: ServedInBlocks {
    private let object: any MediaSource
    private let blocks: BlockSource
    /// The time of the last look at the object on its server.
    private let lookedAt: Mutex<ContinuousClock.Instant>

    /// The time for which a look counts: many readers ask at the same time.
    private static let lookCounts = Duration.seconds(1)

    init(_ object: any MediaSource, _ blocks: BlockSource) {
        self.object = object
        self.blocks = blocks
        lookedAt = Mutex(.now)
    }

    package var name: String { blocks.name }
    package var identity: SourceIdentity { blocks.identity }
    package var served: ServedSource { blocks.served }

    /// Whether this is the content that was opened, as far as the server tells.
    func isOf(_ other: any MediaSource) -> Bool { object.identity == other.identity }

    /// Throws the failure of any read so far: then another source is to be made of the object.
    func checkRead() throws { try blocks.checkUnchanged() }

    /// Whether the server was asked so short ago that it need not be asked again.
    var wasLookedAtLately: Bool { lookedAt.withLock { ContinuousClock.now - $0 < Self.lookCounts } }

    /// Takes note that the server was just asked.
    func noteLook() { lookedAt.withLock { $0 = .now } }

    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try blocks.read(at: place, into: buffer)
    }

    package func expect(_ places: [Range<Int>]) { blocks.expect(places) }

    /// The identity, unless the server has another content under that address by now.
    package func identityNow() throws -> SourceIdentity {
        let now = try object.identityNow()
        return now == object.identity ? identity : now
    }

    package func checkUnchanged() throws {
        try blocks.checkUnchanged()
        guard !wasLookedAtLately else { return }
        // The object's own check tells failures of long ago, too: those of reading are the blocks' to tell.
        let now: SourceIdentity
        do { now = try object.identityNow() } catch let error as SplitreelError where error.code == .objectNotFound {
            throw sourceChanged(name, "the object is no longer there")
        }
        guard now == object.identity else {
            throw sourceChanged(name, "the object was changed at \(now.changeTime) while it was read")
        }
        noteLook()
    }

    package func rest() {
        blocks.rest()
        object.rest()
    }
}
