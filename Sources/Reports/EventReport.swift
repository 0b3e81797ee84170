package import Diagnostics
package import FarmProtocol

/// One thing that happened to a job, or to one of its tasks.
package struct EventReport: Sendable, Hashable {
    /// The time in seconds since 1970.
    package var at: Double
    /// The place among the job's tasks; nil where the whole job is meant.
    package var task: Int?
    /// The slot that had the task; nil where none had it, or nobody knows.
    package var worker: String?
    /// The sentence that says what happened, and why.
    package var text: String

    package init(at: Double, task: Int? = nil, worker: String? = nil, text: String) {
        self.at = at
        self.task = task
        self.worker = worker
        self.text = text
    }

    /// The report of another process's message, in whose text `name` calls settings by their names.
    package init(_ message: Splitreel_Farm_EventReport, calling name: (Setting) -> String = { $0.rawValue }) {
        at = message.at.asTime ?? 0
        task = message.hasTask ? Int(message.task) : nil
        worker = message.worker.isEmpty ? nil : message.worker
        text = message.hasPhrase ? message.phrase.phrase.words(name) : message.text
    }
}
