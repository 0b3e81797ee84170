import Diagnostics
package import MediaFacts
package import Planning
import Rendering
package import SourceBlocks
import Synchronization
package import Threads

/// The data plane's hands for the sources of a job. Each blocks, from any thread, and throws as `BlockFetcher` does.
package protocol SourceHands: Sendable {
    /// The map, as bytes, of the file that the job's plan has under a path.
    func map(ofFile path: String, stop: WorkStop) throws -> [UInt8]
    /// The job's object with that SHA-256, such as a packet index; nil where the job has none.
    func object(_ sum: String, stop: WorkStop) throws -> [UInt8]?
    /// All bytes of a file in a range, 1 MiB of them at most.
    func fetch(_ range: Range<Int>, ofFile path: String, stop: WorkStop) throws -> [UInt8]
}

/// The sources of a worker's jobs as its network's half has them, for all slots: what one of them wants is in the
/// cache, or under way, or fetched for all.
package final class SourceStore: FarSide {
    private struct State {
        var maps: [File: BlockMap] = [:]
        var supplies: [File: CachedBlocks] = [:]
    }

    /// A file with the content that a plan has of it: the next job may have another one under that path.
    private struct File: Hashable {
        let path: String
        let identity: AssetIdentity

        init(_ facts: AssetFacts) {
            path = facts.path
            identity = facts.identity
        }
    }

    /// The most files that are known at a time.
    private static let mostFiles = 1024

    private let hands: any SourceHands
    private let cache: BlockCache?
    private let state = Mutex(State())
    /// The bytes that came for media halves.
    package let count: TransferCount

    /// Makes the store; without a cache every block is fetched when it is asked for.
    package init(hands: any SourceHands, cache: BlockCache?, count: TransferCount = TransferCount()) {
        self.hands = hands
        self.cache = cache
        self.count = count
    }

    package func map(of facts: AssetFacts, stop: WorkStop) throws -> BlockMap {
        if let known = state.withLock({ $0.maps[File(facts)] }) { return known }
        guard let map = BlockMap(try hands.map(ofFile: facts.path, stop: stop)) else {
            throw SplitreelError(
                .malformedMessage, operation: "reading from afar", subject: facts.path,
                reason: "the map of its blocks cannot be read",
                hint: "install the same splitreel on the coordinator and on every worker")
        }
        state.withLock { state in
            if state.maps.count >= Self.mostFiles { state = State() }
            state.maps[File(facts)] = map
        }
        return map
    }

    package func index(of facts: AssetFacts, stop: WorkStop) throws -> [UInt8]? {
        guard facts.indexName != nil, let sum = facts.contentSum else { return nil }
        return try hands.object(sum, stop: stop)
    }

    package func supply(of facts: AssetFacts, map: BlockMap, count: TransferCount) throws -> any BlockSupply {
        state.withLock { state in
            if let known = state.supplies[File(facts)] { return known }
            if state.supplies.count >= Self.mostFiles { state = State() }
            let made = CachedBlocks(
                name: facts.path, map: map, cache: cache, fetcher: FileFetcher(hands: hands, path: facts.path),
                count: count)
            state.supplies[File(facts)] = made
            return made
        }
    }

    /// Serves a slot's media half that renders from a plan of the job: see `serveBlocks`. Blocks.
    package func serve(_ plan: RenderPlan, on descriptor: Int32, pool: ThreadPool, stop: WorkStop) {
        let numbers = plan.sourceNumbers
        var files: [UInt32: AssetFacts] = [:]
        for file in plan.assets.values.flatMap(\.files) {
            if let number = numbers[file.path] { files[number] = file }
        }
        let known = files
        serveBlocks(on: descriptor, pool: pool, stop: stop) { [self] number in
            guard let facts = known[number] else { return nil }
            let map = try map(of: facts, stop: stop)
            return ServedSource(
                map: map, supply: try supply(of: facts, map: map, count: count),
                index: { [self] in try index(of: facts, stop: stop) })
        }
    }
}

/// Brings one file's bytes.
private struct FileFetcher: BlockFetcher {
    let hands: any SourceHands
    let path: String

    func fetch(_ range: Range<Int>, stop: WorkStop) throws -> [UInt8] {
        try hands.fetch(range, ofFile: path, stop: stop)
    }
}
