package import Diagnostics
package import SplitreelFiles
import Synchronization
package import Threads

/// A source that is read in checked units from afar, as a file is that lies here.
///
/// What its readers come to next is got meanwhile, where they said so (`expect`). A failure stays: some readers take
/// bytes that they cannot get for missing ones, and what they make of that must not go on. Whoever made the source
/// makes another one for the next attempt, and asks `checkUnchanged` before it believes in what was made of this one.
package final class BlockSource: MediaSource {
    private struct State {
        var ahead = ReadAhead()
        var failure: SplitreelError?
        /// The extents of each block that readers have come to, a bit for each.
        var extents: [Int: UInt16] = [:]
    }

    package let name: String
    package let identity: SourceIdentity
    private let map: BlockMap
    private let mapSum: String
    private let grain: BlockGrain
    private let supply: any BlockSupply
    private let count: TransferCount
    private let stop: WorkStop
    private let pool: ThreadPool?
    private let flights = SingleFlight<UnitBytes>(sharesFailures: false)
    private let held: HeldUnits
    private let owner: HeldUnits.Owner
    private let state = Mutex(State())

    /// The bytes that a source by itself holds for its readers: what is got ahead, and where they are.
    private static let heldBytes = ReadAhead.depth + (2 << 20)

    /// Makes the source.
    ///
    /// - Parameters:
    ///   - name: the name in errors, whose extension helps to tell the format: the plan's path.
    ///   - mark: the mark of the file that the map was made of, as the plan has it; see `SourceIdentity`.
    ///   - grain: the length of what is asked for: blocks for readers of pictures, extents for those of sound.
    ///   - held: the memory for units, which sources may share; nil for some MiB of its own.
    ///   - pool: the threads that get what is expected; nil where nothing is got before it is asked for.
    ///   - stop: ends all reading; a reader that waits is told `cancelled`.
    package init(
        name: String, mark: String?, map: BlockMap, grain: BlockGrain, supply: any BlockSupply, count: TransferCount,
        held: HeldUnits? = nil, pool: ThreadPool?, stop: WorkStop
    ) {
        self.name = name
        self.map = map
        mapSum = map.sum
        identity = SourceIdentity(
            token: "blocks \(mapSum)", byteCount: map.byteCount, mark: mark, change: 0, seconds: 0)
        self.grain = grain
        self.supply = supply
        self.count = count
        self.held = held ?? HeldUnits(mostBytes: Self.heldBytes)
        owner = self.held.newOwner()
        self.pool = pool
        self.stop = stop
    }

    deinit { rest() }

    /// The source as it is handed to a process that reads it.
    package var served: ServedSource { ServedSource(map: map, supply: supply) }

    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard place >= 0 else {
            throw SplitreelError(
                .mediaCannotOpen, operation: "reading blocks", subject: name, reason: "no byte has the place \(place)")
        }
        guard place < map.byteCount, !buffer.isEmpty else { return 0 }
        let unit = unit(at: place)
        let bytes = try bytes(of: unit)
        let first = place - unit.start
        let taken = min(buffer.count, bytes.count - first)
        guard bytes.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<taken]), from: first) else {
            throw note(notDelivered(name, "block \(unit.block.number) cannot be read from the cache any more"))
        }
        note(place..<place + taken)
        return taken
    }

    /// The unit with which to read a place: the one that is expected; else a whole block where half of the block before
    /// it was read or more.
    private func unit(at place: Int) -> BlockUnit {
        let unit = map.unit(at: place, grain)
        guard unit.grain == .extent else { return unit }
        return state.withLock { state in
            if let expected = state.ahead.expected(unit) { return expected }
            let before = state.extents[unit.block.number - 1] ?? 0
            return before.nonzeroBitCount >= BlockUnit.extentsOfBlock / 2 ? unit.block : unit
        }
    }

    private func note(_ places: Range<Int>) {
        guard grain == .extent, map.finest == .extent else { return }
        let first = map.unit(at: places.lowerBound, .extent)
        let last = map.unit(at: places.upperBound - 1, .extent)
        let marks = (first.number...last.number).reduce(UInt16(0)) { $0 | 1 << ($1 % BlockUnit.extentsOfBlock) }
        state.withLock { $0.extents[first.block.number, default: 0] |= marks }
    }

    package func expect(_ places: [Range<Int>]) {
        state.withLock { $0.ahead.expect(places, of: map, grain) }
    }

    /// The map says which content this is, for ever.
    package func identityNow() throws -> SourceIdentity { identity }

    /// Throws the failure of any read so far.
    package func checkUnchanged() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Lets go of the bytes that are held.
    package func rest() { held.letGo(owner) }

    private func bytes(of unit: BlockUnit) throws -> UnitBytes {
        let next = try state.withLock { state -> [BlockUnit] in
            if let failure = state.failure { throw failure }
            return state.ahead.next(after: unit)
        }
        for unit in next where !held.has(unit, owner) { getAhead(unit) }
        let bytes = try held.bytes(of: unit, owner) ?? got(unit)
        count.need(unit, byteCount: bytes.count, ofMap: mapSum)
        return bytes
    }

    private func got(_ unit: BlockUnit) throws -> UnitBytes {
        do {
            return try get(unit)
        } catch {
            throw note((error as? SplitreelError) ?? notDelivered(name, "\(error)"))
        }
    }

    /// Notes a failure, and answers it.
    private func note(_ failure: SplitreelError) -> SplitreelError {
        state.withLock { $0.failure = $0.failure ?? failure }
        return failure
    }

    private func get(_ unit: BlockUnit) throws -> UnitBytes {
        try flights.value(of: unit, stop: stop, subject: name) {
            // It may have come between the look at what is held and the flight.
            if let there = held.bytes(of: unit, owner) { return there }
            let bytes = try supply.bytes(of: unit, stop: stop)
            guard bytes.count == map.range(of: unit).count else {
                throw notDelivered(name, "\(bytes.count) bytes came for \(map.range(of: unit).count)")
            }
            held.hold(bytes, unit, owner)
            return bytes
        }
    }

    /// Gets a unit meanwhile. Where it cannot be got, whoever comes to it is told.
    private func getAhead(_ unit: BlockUnit) {
        _ = try? pool?.run(for: name, stop: stop) { [weak self] in
            guard let self, !self.stop.isStopped else { return }
            _ = try? self.get(unit)
        }
    }
}

/// The error for bytes of a source that do not come.
package func notDelivered(_ name: String, _ reason: String) -> SplitreelError {
    SplitreelError(
        .mediaNotDelivered, operation: "reading from afar", subject: name, reason: reason,
        hint: "look at the link to the coordinator; the chunk is tried again by itself")
}
