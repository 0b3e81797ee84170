import Synchronization
import Worker

/// Counts slot processes that end one after the other without having finished a chunk.
final class SlotDeaths: Sendable {
    private let limit: Int
    private struct State {
        var inARow = 0
        var words = ""
        var act: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    func count(_ end: ChildEnd) {
        note(end.reason ?? end.words) { end.isHopeless ? limit : end.wasUseful ? 0 : $0 + 1 }
    }

    /// Counts a slot that ended by itself, with the words for it.
    func countUseless(_ words: String) { note(words) { $0 + 1 } }

    private func note(_ words: String, _ next: (_ inARow: Int) -> Int) {
        let act = state.withLock { state in
            state.inARow = next(state.inARow)
            state.words = words
            return state.inARow == limit ? state.act : nil
        }
        act?()
    }

    /// Calls `act` each time when hope goes, at once where it has gone before.
    func whenHopeless(_ act: @escaping @Sendable () -> Void) {
        let isHopeless = state.withLock { state in
            state.act = act
            return state.inARow >= limit
        }
        if isHopeless { act() }
    }

    /// The end of the last one in words, once there is no hope; nil before.
    var lastWords: String? { state.withLock { $0.inARow >= limit ? $0.words : nil } }
}
