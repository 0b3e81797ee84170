package import Diagnostics
import Synchronization

/// A flag that stops a render at its next frame; any thread may set it.
package final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package func cancel() { flag.store(true, ordering: .releasing) }

    package var isCancelled: Bool { flag.load(ordering: .acquiring) }

    package func check() throws(SplitreelError) {
        if isCancelled {
            throw SplitreelError(.cancelled, operation: "", subject: "render", reason: "cancelled")
        }
    }
}
