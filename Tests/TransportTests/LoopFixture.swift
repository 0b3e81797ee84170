import Synchronization
import Threads
import Transport

/// The messages that a loop's callbacks hand to a test, in order.
final class Inbox: Sendable {
    private let stream: AsyncStream<[[UInt8]]>
    private let continuation: AsyncStream<[[UInt8]]>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func put(_ frames: [[UInt8]]) { continuation.yield(frames) }

    /// Waits; the suite's time limit bounds it.
    func first() async -> [[UInt8]]? {
        for await frames in stream { return frames }
        return nil
    }

    func take(_ count: Int) async -> [[[UInt8]]] {
        var taken: [[[UInt8]]] = []
        while taken.count < count, let frames = await first() { taken.append(frames) }
        return taken
    }
}

/// Runs `body` on the loop without blocking the cooperative pool.
@discardableResult
func run<R: Sendable>(on loop: EventLoop, _ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        let accepted = loop.post { continuation.resume(with: Result { try body() }) }
        if !accepted { continuation.resume(throwing: CancellationError()) }
    }
}

/// Shuts the loops down on a thread of its own and waits for that.
func ended(_ loops: [EventLoop]) async {
    await onThread("shutdown") { for loop in loops { loop.shutDown() } }
}

/// The same for `defer`, which cannot wait.
func finish(_ loops: [EventLoop]) {
    startThread("shutdown") { for loop in loops { loop.shutDown() } }
}
