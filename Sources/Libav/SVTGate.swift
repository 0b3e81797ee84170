internal import Foundation
internal import Synchronization

/// SVT-AV1 keeps tables for all encoders of a process, which each one that is opened writes anew and each one that is
/// closed takes away. So one is opened or closed at a time, and none is opened while another has frames inside.
package final class SVTGate: Sendable {
    package static let shared = SVTGate()

    private let condition = NSCondition()
    /// Encoders with frames inside; changed while the condition is locked.
    private let running = Mutex(0)

    /// Longer than a chunk's encoding should take: whoever waits for one that waits for him goes on then.
    private static let patience: TimeInterval = 60

    /// Blocks while others have frames inside.
    func open<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        let latest = Date(timeIntervalSinceNow: Self.patience)
        while running.withLock({ $0 > 0 }), condition.wait(until: latest) {}
        return try body()
    }

    /// Before the first frame.
    package func begin() {
        condition.lock()
        running.withLock { $0 += 1 }
        condition.unlock()
    }

    /// After the last packet.
    package func end() {
        condition.lock()
        running.withLock { $0 -= 1 }
        condition.broadcast()
        condition.unlock()
    }

    func close(_ body: () -> Void) {
        condition.lock()
        body()
        condition.unlock()
    }
}
