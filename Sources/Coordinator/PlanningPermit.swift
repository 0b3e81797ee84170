import Diagnostics
import Isolation
import Synchronization
import Threads

/// A thread's permission to go on planning a job, and later to put its film into place. The coordinator withdraws it
/// when the job ends.
final class PlanningPermit: Sendable {
    private let isWanted = Atomic<Bool>(true)
    private let section = Mutex(())
    /// The stop that ends the process that reads a source for the plan.
    let stop = WorkStop()

    /// Throws `.cancelled` once the plan is not wanted any more.
    func check(_ output: String) throws {
        guard isWanted.load(ordering: .sequentiallyConsistent) else {
            throw SplitreelError(
                .cancelled, operation: "planning", subject: output, reason: "the job ended while it was planned")
        }
    }

    /// Makes something on the disk, or throws with nothing left: `remove` takes back what came too late.
    func make<Made: Sendable>(_ output: String, _ body: () throws -> Made, remove: (Made) -> Void) throws -> Made {
        try section.withLock { _ in
            try check(output)
            let made = try body()
            do {
                try check(output)
            } catch {
                remove(made)
                throw error
            }
            return made
        }
    }

    /// Withdraws the permit, from any thread; a plan that is being made is removed soon.
    func withdraw() {
        isWanted.store(false, ordering: .sequentiallyConsistent)
        stop.stop()
    }

    /// Withdraws the permit, and returns when nothing is left that nobody was told of. Blocks for as long as writing a
    /// plan takes.
    func withdrawAndWait() {
        withdraw()
        section.withLock { _ in }
    }
}
