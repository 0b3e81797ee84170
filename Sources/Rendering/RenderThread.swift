import Foundation

/// A dedicated thread with room for libav's stack use; never the cooperative pool.
///
/// `body` runs once; `join` waits for its end.
final class RenderThread: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(name: String, _ body: @escaping @Sendable () -> Void) {
        let done = done
        let thread = Thread {
            body()
            done.signal()
        }
        thread.name = name
        thread.stackSize = 8 << 20
        thread.start()
    }

    func join() { done.wait() }
}
