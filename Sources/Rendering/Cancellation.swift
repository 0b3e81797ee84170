package import Diagnostics
import Synchronization
import Threads

/// A flag that stops a render at its next frame; any thread may set it.
package final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let stop = WorkStop()

    package init() {}

    package func cancel() {
        flag.store(true, ordering: .releasing)
        stop.stop()
    }

    package var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Runs `body`; `onCancel` runs at once, on the thread that cancels, where that happens meanwhile or was before.
    package func during<R>(_ onCancel: @escaping @Sendable () -> Void, _ body: () throws -> R) rethrows -> R {
        try stop.during(onCancel, body)
    }

    package func check() throws(SplitreelError) {
        if isCancelled {
            throw SplitreelError(.cancelled, operation: "", subject: "render", reason: "cancelled")
        }
    }
}
