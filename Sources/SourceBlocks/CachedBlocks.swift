import Diagnostics
import Glibc
import SplitreelFiles
package import Threads

/// The units of one source, of the cache where they are there, else fetched and kept there. For all who read the
/// source: a unit that several want at once is fetched once, also where they are processes that share a cache.
package final class CachedBlocks: BlockSupply {
    private let name: String
    private let map: BlockMap
    private let cache: BlockCache?
    private let fetcher: any BlockFetcher
    private let count: TransferCount
    private let flights = SingleFlight<UnitBytes>(sharesFailures: true)

    /// `name` is the source's name in errors. Without a cache every unit is fetched when it is asked for.
    package init(
        name: String, map: BlockMap, cache: BlockCache?, fetcher: any BlockFetcher, count: TransferCount
    ) {
        self.name = name
        self.map = map
        self.cache = cache
        self.fetcher = fetcher
        self.count = count
    }

    package func bytes(of unit: BlockUnit, stop: WorkStop) throws -> UnitBytes {
        guard map.has(unit) else {
            throw SplitreelError(
                .malformedMessage, operation: "reading blocks", subject: name,
                reason: "\(unit.grain) \(unit.number) is none of its \(map.count(unit.grain))")
        }
        return try flights.value(of: unit, stop: stop, subject: name) {
            try kept(unit) ?? fetchedForAll(unit, stop)
        }
    }

    /// The longest that another process's fetch is waited for: it may stand still.
    private static let patience: Duration = .seconds(60)

    /// The unit's bytes, fetched here or by another process on the same cache. Where that one ends, or cannot keep the
    /// unit, it is fetched here.
    private func fetchedForAll(_ unit: BlockUnit, _ stop: WorkStop) throws -> UnitBytes {
        guard let cache else { return try fetched(unit, stop) }
        let limit = ContinuousClock.now + Self.patience
        while ContinuousClock.now < limit {
            try stop.check(name)
            switch cache.claim(map.sum(of: unit)) {
            case .ours:
                defer { cache.letGo(of: map.sum(of: unit)) }
                // It may have come in between.
                return try kept(unit) ?? fetched(unit, stop)
            case .anothers:
                usleep(2000)
                if let bytes = kept(unit) { return bytes }
            case .unknown: return try fetched(unit, stop)
            }
        }
        return try fetched(unit, stop)
    }

    private func kept(_ unit: BlockUnit) -> UnitBytes? {
        guard let cache else { return nil }
        let range = map.range(of: unit)
        if let bytes = cache.bytes(map.sum(of: unit), unit.grain, count: range.count) { return bytes }
        guard unit.grain == .extent else { return nil }
        // Whoever showed the pictures has left the whole block.
        let block = unit.block
        let around = map.range(of: block)
        let place = range.lowerBound - around.lowerBound
        return cache.extent(
            map.sum(of: unit), at: place..<place + range.count, ofBlock: map.sum(of: block), length: around.count
        ).map { .memory($0) }
    }

    private func fetched(_ unit: BlockUnit, _ stop: WorkStop) throws -> UnitBytes {
        let range = map.range(of: unit)
        // Bytes that were damaged on their way are asked for once more.
        for _ in 0..<2 {
            let bytes = try fetcher.fetch(range, stop: stop)
            count.fetch(bytes.count, unit.grain)
            if map.holds(bytes, unit) {
                let file = cache?.keep(bytes, map.sum(of: unit))
                guard let file, unit.grain == .block else { return .memory(bytes) }
                return .file(file, count: bytes.count)
            }
        }
        throw sourceChanged(
            name, "bytes \(range.lowerBound) to \(range.upperBound - 1) are not those that were planned")
    }
}
