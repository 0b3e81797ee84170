import Coordinator
import Diagnostics
import Outputs
import Synchronization
import Threads

/// The verdicts on the segments of a plan folder. From any thread.
final class SegmentVerdicts: Sendable {
    private struct State {
        var records: [Int: [SegmentRecord]] = [:]
        var faults: [Int: PlanFolder.Fault] = [:]
        var error: (any Error)?
    }

    private let state = Mutex(State())

    /// The records of the tasks whose segments passed.
    var records: [Int: [SegmentRecord]] { state.withLock { $0.records } }
    /// The faults of those that did not, in the tasks' order.
    var faults: [PlanFolder.Fault] { state.withLock { $0.faults.values.sorted { $0.task < $1.task } } }
    /// The first error that is no segment's fault; nil for none.
    var error: (any Error)? { state.withLock { $0.error } }

    /// Checks the set of a chunk or the sound at a path, and keeps the verdict. Blocks.
    func judge(
        _ task: Int, at path: String, _ check: SegmentSetCheck, references: [Int: SegmentRecord], stop: WorkStop
    ) {
        do {
            try stop.check(path)
            let records = try check.records(ofTask: task, at: path)
            try check.require(records, ofTask: task, at: path, references: references, stop: stop)
            state.withLock { $0.records[task] = records }
        } catch let error as SplitreelError where error.code == .segmentInvalid {
            let fault = PlanFolder.Fault(task: task, path: path, reason: error.reason.description)
            state.withLock { $0.faults[task] = fault }
        } catch {
            state.withLock { $0.error = $0.error ?? error }
        }
    }
}
