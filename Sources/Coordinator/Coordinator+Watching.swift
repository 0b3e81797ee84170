import Diagnostics
import FarmProtocol
import Scheduling

// Clients that are told of changes.
extension Coordinator {
    func watch(_ query: Splitreel_Farm_JobQuery, _ identity: [UInt8], _ request: UInt64, from sender: Sender) {
        let watcher = Watcher(identity: identity, request: request, subject: .job(query.job), key: sender.key)
        add(watcher, called: query.job)
    }

    /// Begins a watch of all jobs that the sender may see, or says that it goes on.
    func watchJobs(_ identity: [UInt8], _ request: UInt64, from sender: Sender) {
        var answer = Splitreel_Farm_JobsChanged()
        let subject: Watcher.Subject = sender.onlyJobsOf.map { Watcher.Subject.jobsOfKey($0) } ?? .allJobs
        answer.begins = !watchers.contains { $0.isOf(identity, request) && $0.subject == subject }
        if answer.begins {
            let watcher = Watcher(identity: identity, request: request, subject: subject, key: sender.key)
            guard add(watcher, called: "all jobs") else { return }
        }
        send(.jobsChanged(answer), to: identity, request: request)
    }

    /// Adds a watcher in place of the one with its number. False where there are too many, which is told.
    @discardableResult
    private func add(_ watcher: Watcher, called subject: String) -> Bool {
        watchers.removeAll { $0.isOf(watcher.identity, watcher.request) }
        // Whoever watches a job is found gone at the job's end at the latest; of the others nobody knows.
        if watchers.count >= limits.watchers {
            for list in lists { tell([Splitreel_Farm_JobsChanged()], to: list) }
        }
        guard watchers.count < limits.watchers else {
            let error = SplitreelError(
                .refused, operation: "watching", subject: subject,
                reason: "\(limits.watchers) clients watch already")
            refuse(watcher.identity, error, request: watcher.request)
            return false
        }
        watchers.append(watcher)
        return true
    }

    /// Tells watchers of changes since the last time.
    func report() {
        noteWaits()
        let changed = touched
        touched = []
        guard !changed.isEmpty, !watchers.isEmpty else { return }
        for watcher in watchers {
            if case .job(let job) = watcher.subject, changed.contains(job) { tell(watcher, of: job) }
        }
        tellLists(of: changed.sorted())
    }

    /// Notes the jobs whose reason for waiting is another one: it changes by what becomes of slots and of other jobs.
    private func noteWaits() {
        guard !watchers.isEmpty else { return toldWaits = [:] }
        var waits: [String: WaitReason] = [:]
        for id in brain.unfinishedJobs {
            waits[id] = brain.jobs[id].flatMap { brain.waitReason(of: $0) }
            if waits[id] != toldWaits[id] { touched.insert(id) }
        }
        toldWaits = waits
    }

    /// Sends the last report of a job, at once.
    func reportEnd(_ job: String) {
        counted.remove(job)
        for watcher in watchers where watcher.subject == .job(job) { tell(watcher, of: job) }
        watchers.removeAll { $0.subject == .job(job) }
        tellLists(of: [job])
    }

    private func tell(_ watcher: Watcher, of id: String) {
        guard let job = brain.jobs[id] else { return }
        if !send(.jobReport(report(job)), to: watcher.identity, request: watcher.request) { remove(watcher) }
    }

    /// The lists of jobs that are watched, each once.
    private var lists: Set<Watcher.Subject> {
        Set(watchers.map(\.subject).filter { $0.holds(jobOf: nil) != nil })
    }

    /// Sends the reports of those jobs to all who watch a list that holds them.
    private func tellLists(of jobs: [String]) {
        for list in lists {
            let held = jobs.filter { list.holds(jobOf: brain.jobs[$0]?.keyName) == true }
            tell(messages(of: held), to: list)
        }
    }

    /// Sends messages to all who watch a list of jobs, and forgets those who are gone.
    private func tell(_ messages: [Splitreel_Farm_JobsChanged], to list: Watcher.Subject) {
        for watcher in watchers where watcher.subject == list {
            let isThere = messages.allSatisfy {
                send(.jobsChanged($0), to: watcher.identity, request: watcher.request)
            }
            if !isThere { remove(watcher) }
        }
    }

    private func remove(_ watcher: Watcher) {
        watchers.removeAll { $0.isOf(watcher.identity, watcher.request) }
    }

    /// The reports of those jobs in as many messages as they need.
    private func messages(of jobs: [String]) -> [Splitreel_Farm_JobsChanged] {
        var messages: [Splitreel_Farm_JobsChanged] = []
        var room = 0
        for job in jobs {
            guard let entry = brain.jobs[job] else { continue }
            let report = summary(entry)
            room -= report.byteCount + 8
            if room <= 0 {
                messages.append(Splitreel_Farm_JobsChanged())
                room = limits.controlMessageBytes / 2 - report.byteCount - 8
            }
            messages[messages.count - 1].jobs.append(report)
        }
        return messages
    }
}
