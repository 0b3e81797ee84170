import Diagnostics
import Synchronization

/// The progress of one task, as lines: a second apart at least. From any thread.
final class TaskProgress: Sendable {
    private let form: RenderChunkCommand.Progress
    private let label: String
    private let next = Mutex(ContinuousClock.now + .seconds(1))

    init(_ form: RenderChunkCommand.Progress, label: String) {
        self.form = form
        self.label = label
    }

    /// Tells how many frames or samples are done of all.
    func tell(_ done: Int, of total: Int) {
        guard form != .none, total > 0 else { return }
        let now = ContinuousClock.now
        let isDue = next.withLock { next in
            guard now >= next || (form == .openjd && done == total) else { return false }
            next = now + .seconds(1)
            return true
        }
        guard isDue else { return }
        let percent = Int(100 * Double(done) / Double(total))
        Console.note(form == .openjd ? "openjd_progress: \(percent)" : "\(label): \(percent) %")
    }
}
