internal import Foundation
internal import Synchronization

/// Lets one SVT-AV1 encoder be opened or closed at a time, and none be opened while another has frames inside. SVT-AV1
/// keeps tables for all encoders of a process: opening one writes them anew, and closing one takes them away.
package final class SVTGate: Sendable {
    package static let shared = SVTGate()

    private let condition = NSCondition()
    /// The number of encoders with frames inside; changed while the condition is locked.
    private let running = Mutex(0)

    /// The most seconds that opening waits, longer than a chunk's encoding should take. It ends a wait for an encoder
    /// that waits for the waiting one.
    private static let patience: TimeInterval = 60

    /// Opens an encoder in `body`; blocks while others have frames inside, for `patience` at most.
    func open<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        let latest = Date(timeIntervalSinceNow: Self.patience)
        while running.withLock({ $0 > 0 }), condition.wait(until: latest) {}
        return try body()
    }

    /// Counts an encoder in; to be called before its first frame.
    package func begin() {
        condition.lock()
        running.withLock { $0 += 1 }
        condition.unlock()
    }

    /// Counts an encoder out; to be called after its last packet.
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
