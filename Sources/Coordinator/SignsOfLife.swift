import Synchronization

/// Tells from work that takes long that it goes on: once a second, however often the work says so.
final class SignsOfLife: Sendable {
    private let tell: @Sendable () -> Void
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    func give() {
        let isDue = last.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < .seconds(1) { return false }
            last = now
            return true
        }
        if isDue { tell() }
    }
}
