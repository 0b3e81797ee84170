import Dispatch
import Synchronization

/// Runs blocking work off the cooperative pool and waits for its result without blocking anybody.
package func onThread<R: Sendable>(
    _ name: String = "blocking", _ body: @escaping @Sendable () -> R
) async -> R {
    await withCheckedContinuation { continuation in
        startThread(name) { continuation.resume(returning: body()) }
    }
}

/// Runs blocking work for whoever does not wait for it. Where the system gives no thread now, one of Dispatch's does
/// it.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do {
        _ = try DedicatedThread(name: name, stackBytes: 8 << 20, body)
    } catch {
        DispatchQueue.global().async(execute: body)
    }
}

/// Does `count` pieces of blocking work, begun in their order, at most `width` at a time, the caller's own thread among
/// them; returns when all that began have ended. After a piece that answers false no further ones begin.
package func doSideBySide(_ count: Int, width: Int, _ work: @escaping @Sendable (_ number: Int) -> Bool) {
    let turns = Turns(count: count)
    let serve: @Sendable () -> Void = {
        while let number = turns.take() {
            if !work(number) { turns.stop() }
        }
    }
    // Fewer threads do it where the system gives none.
    let others = (1..<max(1, min(width, count))).compactMap { _ in
        try? DedicatedThread(name: "beside", stackBytes: 8 << 20, serve)
    }
    serve()
    for other in others { other.join() }
}

private final class Turns: Sendable {
    private let next = Mutex(0)
    private let count: Int

    init(count: Int) { self.count = count }

    func take() -> Int? {
        next.withLock { next in
            guard next < count else { return nil }
            next += 1
            return next - 1
        }
    }

    func stop() { next.withLock { $0 = count } }
}
