package import Diagnostics
package import Scheduling

/// A job as the store has it, ended or not.
package struct StoredJob: Sendable, Hashable {
    package var recovered: RecoveredJob
    package var state: JobState
    package var frames: Int
    /// Of planning and of every committed segment.
    package var notices: NoticeList
    /// Set once it is decided; with the error where it failed.
    package var outcome: JobOutcome?
    /// Seconds since 1970; 0: not yet.
    package var ended: Double
}

package struct JobEvent: Sendable, Hashable {
    package var task: Int?
    /// Seconds since 1970.
    package var at: Double
    package var text: String

    package init(task: Int?, at: Double, text: String) { (self.task, self.at, self.text) = (task, at, text) }
}
