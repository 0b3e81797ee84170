import Synchronization
import Threads

/// Bytes of sources in windows of 1 MiB, held in memory up to a limit for all sources together. Safe from any thread.
final class WindowCache: Sendable {
    struct Key: Hashable, Sendable {
        /// The number of the source.
        let source: Int
        /// The number of the window, from 0.
        let window: Int
    }

    /// The answer to whoever wants a window.
    enum Sight: Sendable {
        case held([UInt8])
        /// Another thread is getting it.
        case coming(Latch)
        /// The asking thread is to get so many windows from this one on, and to say when it is done.
        case yours(count: Int)
    }

    private struct State {
        var windows: [Key: (bytes: [UInt8], lastUse: Int)] = [:]
        var coming: [Key: Latch] = [:]
        var byteCount = 0
        var uses = 0
    }
    private let state = Mutex(State())
    private let mostBytes: Int

    static let windowBytes = 1 << 20
    /// The most windows that one request gets.
    static let mostAtOnce = 2

    init(mostBytes: Int) { self.mostBytes = max(mostBytes, Self.windowBytes) }

    /// Looks for a window of a source that has `count` of them. Who reads on from the window before gets two at once.
    func look(_ key: Key, of count: Int) -> Sight {
        state.withLock { state in
            if let window = state.windows[key] {
                state.uses += 1
                state.windows[key]?.lastUse = state.uses
                return .held(window.bytes)
            }
            if let latch = state.coming[key] { return .coming(latch) }
            let goesOn = state.windows[Key(source: key.source, window: key.window - 1)] != nil
            let run = (key.window..<min(key.window + (goesOn ? Self.mostAtOnce : 1), count)).prefix { number in
                let next = Key(source: key.source, window: number)
                return state.windows[next] == nil && state.coming[next] == nil
            }
            let latch = Latch()
            for number in run { state.coming[Key(source: key.source, window: number)] = latch }
            return .yours(count: run.count)
        }
    }

    /// Holds the bytes of a window, and lets go of those that were used least recently.
    func hold(_ bytes: [UInt8], _ key: Key) {
        state.withLock { state in
            Self.drop(key, &state)
            while state.byteCount + bytes.count > mostBytes,
                let oldest = state.windows.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                Self.drop(oldest, &state)
            }
            state.uses += 1
            state.windows[key] = (bytes, state.uses)
            state.byteCount += bytes.count
        }
    }

    /// Ends the getting of windows, whether they came or not: who waits for them looks again.
    func end(_ key: Key, count: Int) {
        let latches = state.withLock { state in
            (key.window..<key.window + count).compactMap { number in
                state.coming.removeValue(forKey: Key(source: key.source, window: number))
            }
        }
        for latch in latches { latch.open() }
    }

    /// Lets go of all that a source holds.
    func letGo(_ source: Int) {
        state.withLock { state in
            for key in state.windows.keys where key.source == source { Self.drop(key, &state) }
        }
    }

    /// The number of bytes that are held.
    var byteCount: Int { state.withLock { $0.byteCount } }

    private static func drop(_ key: Key, _ state: inout State) {
        guard let window = state.windows.removeValue(forKey: key) else { return }
        state.byteCount -= window.bytes.count
    }
}
