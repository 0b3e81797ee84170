package import Diagnostics
package import Scheduling

/// A job as the store has it, ended or not.
package struct StoredJob: Sendable, Hashable {
    /// In the order of submission, from 1.
    package var number: Int
    package var recovered: RecoveredJob
    /// Where the page of tasks in `recovered` begins, and how many there are in all.
    package var firstTask = 0
    package var taskCount = 0
    /// The picture's chunks by state; empty in lists.
    package var chunkStates: [TaskState: Int] = [:]
    /// In chunks that are done.
    package var framesDone = 0
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

/// Jobs of one page of the list, and where the next one begins.
package struct JobPage: Sendable {
    package var jobs: [StoredJob]
    /// False: another page follows after the last of `jobs`.
    package var isLast: Bool

    package init(jobs: [StoredJob], isLast: Bool) { (self.jobs, self.isLast) = (jobs, isLast) }
}

/// What a coordinator needs of its store: `JobStore`, and in tests one that fails. Every call may block.
package protocol JobRecords: Sendable {
    func apply(_ transitions: [Transition], clock: WallClock) throws
    /// Without their compositions.
    func loadUnfinished() throws -> [RecoveredJob]
    /// Of a job that has not ended.
    func composition(of job: String) throws -> String
    /// Unfinished jobs before ended ones, the latest first in both, without their texts and tasks; from the one after
    /// number `before` on (0: from the first on) among those that have ended or not.
    func page(before: Int, ended: Bool, count: Int) throws -> JobPage
    /// One job with a page of its tasks, or nil.
    func job(_ id: String, tasks: Range<Int>) throws -> StoredJob?
    func close() throws
}
