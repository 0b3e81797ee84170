import SplitreelFiles
import Synchronization
import Threads

/// The free bytes of a folder's disk, looked at on a thread of its own now and then: a disk may hang, and whoever asks
/// does not wait for it.
final class DiskLook: Sendable {
    private struct State {
        var free: Int64?
        var isLooking = false
        var next = ContinuousClock.now
    }

    private let folder: String
    private let state = Mutex(State())
    /// The time between two looks.
    private static let period = Duration.seconds(30)

    init(_ folder: String) { self.folder = folder }

    /// The bytes that were free at the last look; nil before the first has ended. Begins another one where it is time.
    var free: Int64? {
        let now = ContinuousClock.now
        let (free, isDue) = state.withLock { state in
            let isDue = !state.isLooking && state.next <= now
            if isDue {
                state.isLooking = true
                state.next = now + Self.period
            }
            return (state.free, isDue)
        }
        if isDue { startThread("disk") { [self] in look() } }
        return free
    }

    private func look() {
        let found = freeBytes(in: folder)
        state.withLock { state in
            state.free = found
            state.isLooking = false
        }
    }
}
