import Diagnostics
import JobStore
import Scheduling
import Synchronization

/// A real store whose disk is full while `isFull`.
final class FaultyStore: JobRecords {
    /// Whether its tasks were stored before there were content keys.
    private let lacksKeys: Bool
    /// The last migration of the release that made it; nil for this release.
    private let migration: String?
    /// The name of a job that another release wrote; nil for none.
    private let unreadable: String?
    /// The change that is made to each unfinished job on the way out, as a hand in the database would.
    private let spoil: @Sendable (inout RecoveredJob) -> Void
    private let inner = Mutex<JobStore?>(nil)
    private let full = Mutex(false)

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    init(
        lacksKeys: Bool = false, upTo migration: String? = nil, unreadable: String? = nil,
        spoil: @escaping @Sendable (inout RecoveredJob) -> Void = { _ in }
    ) {
        self.spoil = spoil
        self.lacksKeys = lacksKeys
        self.unreadable = unreadable
        self.migration = migration
    }

    func open(_ path: String) throws -> FaultyStore {
        let store = try JobStore(path: path, upTo: migration)
        inner.withLock { $0 = store }
        return self
    }

    private func store() throws -> JobStore {
        guard let store = inner.withLock({ $0 }) else {
            throw SplitreelError(.internalFault, operation: "storing", subject: "", reason: "not opened")
        }
        return store
    }

    func apply(_ transitions: [Transition], clock: WallClock) throws {
        try requireRoom()
        try store().apply(transitions, clock: clock)
    }

    func storeText(_ text: String, of job: String) throws {
        try requireRoom()
        try store().storeText(text, of: job)
    }

    func dropText(of job: String) throws { try store().dropText(of: job) }

    private func requireRoom() throws {
        guard isFull else { return }
        throw SplitreelError(
            .storeFailed, operation: "storing", subject: "jobs.sqlite", reason: "database or disk is full",
            hint: "make room on the disk")
    }

    func loadUnfinished() throws -> [RecoveredJob] {
        // The tables of an earlier release lack columns that are read, and jobs are only put into them.
        var jobs = migration == nil ? try store().loadUnfinished() : []
        for job in jobs.indices where jobs[job].submission.name == unreadable {
            jobs[job].fault = SplitreelError(
                .storeFailed, operation: "reading", subject: "a", reason: "the store says \"dreaming\"")
        }
        for job in jobs.indices { spoil(&jobs[job]) }
        guard lacksKeys else { return jobs }
        for job in jobs.indices {
            for task in jobs[job].tasks.indices { jobs[job].plan?.tasks[task].key = nil }
        }
        return jobs
    }

    func loadKept() throws -> [KeptJob] {
        // A store of an earlier release has none.
        migration == nil ? try store().loadKept() : []
    }

    func composition(of job: String) throws -> String { try store().composition(of: job) }

    func page(before: Int, ended: Bool, count: Int) throws -> JobPage {
        try store().page(before: before, ended: ended, count: count)
    }

    func job(_ id: String, tasks: Range<Int>) throws -> StoredJob? { try store().job(id, tasks: tasks) }

    func events(of job: String, _ page: EventPage) throws -> [JobEvent]? { try store().events(of: job, page) }

    func close() throws { try store().close() }
}
