import GRDB

/// The jobs that have ended and the tasks of all of them, counted: whoever looks at each job's end whether the past has
/// grown too long need not read it.
struct PastJobs: Sendable, Hashable {
    var jobs = 0
    var tasks = 0

    /// The condition that a job has ended.
    static let condition = "state IN ('completed', 'failed', 'cancelled')"
    /// The most tasks that count of one job: more are none that planning made.
    private static let mostTasks = 1 << 30

    init(jobs: Int = 0, tasks: Int = 0) {
        self.jobs = jobs
        self.tasks = tasks
    }

    /// Counts the ended jobs of a store; reads all of them.
    init(counting database: Database) throws {
        let rows = try Row.fetchCursor(
            database, sql: "SELECT task_count FROM jobs WHERE \(Self.condition)")
        while let row = try rows.next() {
            jobs += 1
            tasks += Self.tasks(row)
        }
    }

    static func tasks(_ row: Row) -> Int { min(max(0, row["task_count"] as Int), mostTasks) }

    static func + (a: PastJobs, b: PastJobs) -> PastJobs { PastJobs(jobs: a.jobs + b.jobs, tasks: a.tasks + b.tasks) }
}
