import Rendering
import SourceBlocks
import SplitreelFiles
import Transport

extension SlotConfiguration {
    /// The bytes of the disk that the cache of blocks leaves to others.
    private static let spareBytes = 1 << 30

    /// Whether paths that a plan or a lease names are looked at here. Off the coordinator's machine nobody has said
    /// that they mean anything, until a root or a mapped path is named.
    var opensPaths: Bool { !roots.isEmpty || maps != .same || isLocal(endpoint: endpoint) }

    /// The folders outside of which nothing is read or written where paths are opened; empty for no such limit. Where
    /// the coordinator is elsewhere and no root is named, the mapped folders are all that it was shown of this machine.
    package var pathRoots: [String] {
        guard roots.isEmpty, !isLocal(endpoint: endpoint) else { return roots }
        return maps.pairs.map(\.to)
    }

    /// The folder for what is made of sources; nil without a folder for data.
    var sourcesFolder: String? {
        dataFolder.map { SlotTransfer.folder(in: $0, slot: slotName) + "/sources" }
    }

    /// The folder in which finished segments wait; nil without a folder for data.
    var outboxFolder: String? { dataFolder.map { SlotTransfer.outbox(in: $0, slot: slotName) } }

    /// Decides how the plans' files are opened, where nobody has. With a folder for data, what the slot does not see is
    /// sent by the coordinator. Without one, it must be here under the plan's path or a mapped one. Throws as opening
    /// the cache and reading the roots do.
    package mutating func decideOpening() throws {
        guard opener == nil else { return }
        guard let dataFolder else {
            guard maps != .same else { return }
            opener = FarSources(sight: SourceSight(maps: maps, opensPaths: true), roots: try Roots(pathRoots))
            return
        }
        let hands = LineHands()
        let cache = try BlockCache(in: cacheFolder ?? dataFolder, limit: cacheBytes, sparing: Self.spareBytes)
        let store = SourceStore(hands: hands, cache: cache, count: hands.count)
        opener = FarSources(
            sight: SourceSight(maps: maps, opensPaths: opensPaths), roots: try Roots(pathRoots), side: store,
            count: hands.count, folder: sourcesFolder)
        sourceHands = hands
        sourceStore = store
    }
}
