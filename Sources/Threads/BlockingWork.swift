import Dispatch

/// Runs blocking work off the cooperative pool and waits for its result without blocking anybody.
package func onThread<R: Sendable>(
    _ name: String = "blocking", _ body: @escaping @Sendable () -> R
) async -> R {
    await withCheckedContinuation { continuation in
        startThread(name) { continuation.resume(returning: body()) }
    }
}

/// The same for whoever does not wait. Where the system gives no thread now, one of Dispatch's does it.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do {
        _ = try DedicatedThread(name: name, stackBytes: 8 << 20, body)
    } catch {
        DispatchQueue.global().async(execute: body)
    }
}
