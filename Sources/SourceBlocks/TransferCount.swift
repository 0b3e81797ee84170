import Synchronization

/// The numbers of bytes that a worker needed of sources from afar, and that came; shared by all who read for it.
package final class TransferCount: Sendable {
    /// The bytes of one grain: pictures are read by blocks, sound by extents.
    package struct Part: Hashable, Sendable {
        /// The bytes of the units that readers came to, each unit of a source once.
        package var needed = 0
        /// The bytes that came from afar, those that were of no use among them.
        package var fetched = 0
    }

    private struct State {
        var parts: [BlockGrain: Part] = [:]
        /// The units that readers came to, by the sum of their source's map.
        var seen: [String: Set<BlockUnit>] = [:]
    }
    private let state = Mutex(State())

    package init() {}

    /// The numbers for one grain so far.
    package subscript(_ grain: BlockGrain) -> Part { state.withLock { $0.parts[grain] ?? Part() } }

    /// The numbers since the last call of this, by grain. What was needed once stays counted.
    package func take() -> [BlockGrain: Part] {
        state.withLock { state in
            defer { state.parts = [:] }
            return state.parts
        }
    }

    /// Begins anew: a unit that is read from here on is needed, whether it was before or not.
    package func forget() { state.withLock { $0 = State() } }

    /// Counts bytes that readers in another process came to.
    package func need(_ byteCount: Int, _ grain: BlockGrain) {
        state.withLock { $0.parts[grain, default: Part()].needed += byteCount }
    }

    func need(_ unit: BlockUnit, byteCount: Int, ofMap sum: String) {
        state.withLock { state in
            guard state.seen[sum, default: []].insert(unit).inserted else { return }
            state.parts[unit.grain, default: Part()].needed += byteCount
        }
    }

    func fetch(_ byteCount: Int, _ grain: BlockGrain) {
        state.withLock { $0.parts[grain, default: Part()].fetched += byteCount }
    }
}
