import Synchronization

/// The units in memory that readers of sources from afar are at, or come to next: within one bound for all sources that
/// share it. What was not used for longest goes first.
package final class HeldUnits: Sendable {
    /// A source that holds units here, by a number that no other one has.
    struct Owner: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Key: Hashable {
        var owner: Owner
        var unit: BlockUnit
    }

    private struct State {
        var units: [Key: (bytes: UnitBytes, lastUse: Int)] = [:]
        var byteCount = 0
        var uses = 0
        var owners = 0

        mutating func remove(_ key: Key) {
            byteCount -= units.removeValue(forKey: key)?.bytes.count ?? 0
        }
    }

    private let mostBytes: Int
    private let state = Mutex(State())

    /// Holds so many bytes at most, and the unit that came last, however large it is.
    package init(mostBytes: Int) { self.mostBytes = mostBytes }

    func newOwner() -> Owner {
        state.withLock { state in
            state.owners += 1
            return Owner(number: state.owners)
        }
    }

    /// The unit's bytes; nil where they are not held (any more).
    func bytes(of unit: BlockUnit, _ owner: Owner) -> UnitBytes? {
        let key = Key(owner: owner, unit: unit)
        return state.withLock { state in
            state.uses += 1
            state.units[key]?.lastUse = state.uses
            return state.units[key]?.bytes
        }
    }

    func has(_ unit: BlockUnit, _ owner: Owner) -> Bool {
        state.withLock { $0.units[Key(owner: owner, unit: unit)] != nil }
    }

    func hold(_ bytes: UnitBytes, _ unit: BlockUnit, _ owner: Owner) {
        let key = Key(owner: owner, unit: unit)
        state.withLock { state in
            state.remove(key)
            state.uses += 1
            while state.byteCount + bytes.count > mostBytes,
                let oldest = state.units.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                state.remove(oldest)
            }
            state.units[key] = (bytes, state.uses)
            state.byteCount += bytes.count
        }
    }

    /// Lets go of all that a source holds.
    func letGo(_ owner: Owner) {
        state.withLock { state in
            for key in state.units.keys where key.owner == owner { state.remove(key) }
        }
    }
}
