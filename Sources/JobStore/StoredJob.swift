package import Diagnostics
package import Scheduling

/// A job as the store has it, ended or not.
package struct StoredJob: Sendable, Hashable {
    /// The number in the order of submission, from 1.
    package var number: Int
    package var recovered: RecoveredJob
    /// The first task of the page in `recovered`, and the number of all tasks.
    package var firstTask = 0
    package var taskCount = 0
    /// The picture's chunks by state; empty in lists.
    package var chunkStates: [TaskState: Int] = [:]
    /// The number of chunks that are copied; 0 in lists.
    package var copiedCount = 0
    /// The number of the picture's chunks that are done and were in the cache; 0 in lists.
    package var chunksCached = 0
    /// The number of frames in chunks that are done.
    package var framesDone = 0
    /// The work that was done when it ended; nil where it has not, and where an earlier release ended it.
    package var work: WorkDone?
    package var state: JobState
    package var frames: Int
    /// The notices of planning and of every committed segment.
    package var notices: NoticeList
    /// The outcome, set once it is decided; with the error where the job failed.
    package var outcome: JobOutcome?
    /// The end in seconds since 1970; 0 for none yet.
    package var ended: Double
}

/// A failed job of which something is kept.
package struct KeptJob: Sendable, Hashable {
    /// A plan that lies in its folder.
    package struct Plan: Sendable, Hashable {
        package var folder: String
        package var hash: String
    }

    package var id: String
    /// The paths of its outputs.
    package var outputs: [String]
    /// The plan; nil of a job that was never planned.
    package var plan: Plan?
    /// The time of its end, in seconds since 1970.
    package var ended: Double
    /// The bytes that are kept in its folder.
    package var bytes: Int
}

package struct JobEvent: Sendable, Hashable {
    /// The number, which grows from one event to the next.
    package var number: Int
    package var task: Int?
    /// The slot that had the task; empty for none, and in stores of before 0.3.
    package var slot: String
    /// The time in seconds since 1970.
    package var at: Double
    package var text: Phrase

    package init(number: Int, task: Int?, slot: String = "", at: Double, text: Phrase) {
        self.number = number
        self.task = task
        self.slot = slot
        self.at = at
        self.text = text
    }
}

/// The events that a page is to have.
package struct EventPage: Sendable, Hashable {
    /// The number after which the page begins; 0 for the first event that is kept.
    package var after: Int
    package var count: Int
    /// Whether the page has the last events instead of the first ones.
    package var isLatest: Bool

    package init(after: Int = 0, count: Int, isLatest: Bool = false) {
        self.after = after
        self.count = count
        self.isLatest = isLatest
    }
}

/// The jobs of one page of the list, and whether another page follows.
package struct JobPage: Sendable {
    package var jobs: [StoredJob]
    /// Whether no page follows; false where another one follows after the last of `jobs`.
    package var isLast: Bool

    package init(jobs: [StoredJob], isLast: Bool) { (self.jobs, self.isLast) = (jobs, isLast) }
}

/// The calls that a coordinator makes to its store: `JobStore`, and in tests one that fails. Every call may block.
package protocol JobRecords: Sendable {
    func apply(_ transitions: [Transition], clock: WallClock) throws
    /// Stores the long composition of a job that is not submitted yet, piece by piece, so that other calls come
    /// between; the submission then has an empty one.
    func storeText(_ text: String, of job: String) throws
    /// Removes the text of a job that is not submitted after all.
    func dropText(of job: String) throws
    /// The jobs that have not ended, without their compositions; those that cannot be read have a `fault`.
    func loadUnfinished() throws -> [RecoveredJob]
    /// The jobs that failed and can be retried, oldest first.
    func loadKept() throws -> [KeptJob]
    /// The composition of a job that has not ended, or that can be retried.
    func composition(of job: String) throws -> String
    /// A page of jobs: unfinished ones before ended ones, the latest first in both, without their texts and tasks; from
    /// the one after number `before` on (0 for the first) among those that have ended or not.
    func page(before: Int, ended: Bool, count: Int) throws -> JobPage
    /// One job with a page of its tasks; nil where there is none.
    func job(_ id: String, tasks: Range<Int>) throws -> StoredJob?
    /// The events of one page of a job, oldest first; nil where there is no such job.
    func events(of job: String, _ page: EventPage) throws -> [JobEvent]?
    func close() throws
}
