package import FarmProtocol
package import Scheduling

/// The news of a worker; the elements of `workers --json`.
package struct WorkerReport: Sendable, Hashable, Encodable {
    /// One `splitreel worker`, of which there may be several under one name.
    package struct Process: Sendable, Hashable, Encodable {
        /// The machine's name; nil where it did not say.
        package var host: String?
        /// The process's number on that machine; nil where it did not say.
        package var pid: Int?
        /// splitreel's version; nil where it did not say.
        package var version: String?
        /// The registration of the slot that has been there longest, in seconds since 1970; nil where it is not told.
        package var since: Double?
        /// The machine and its settings; nil where they were not asked for, or not told.
        package var facts: MachineFacts?

        package init(host: String? = nil, pid: Int? = nil, version: String? = nil, since: Double? = nil) {
            self.host = host
            self.pid = pid
            self.version = version
            self.since = since
        }

        init(_ message: Splitreel_Farm_WorkerProcess) {
            host = message.host.isEmpty ? nil : message.host
            pid = message.pid > 0 ? Int(clamping: message.pid) : nil
            version = message.release.isEmpty ? nil : message.release
            since = message.since.asTime
            facts = message.hasFacts ? MachineFacts(message.facts) : nil
        }
    }

    package var name: String
    package var state: Told<SlotEntry.Condition>
    package var slots: Int
    /// The tasks in hand as `JOB/CHUNK`, and sound as `JOB/sound`.
    package var current: [String]
    package var framesPerSecond: Double
    /// The jobs that it gets nothing of, and why.
    package var remarks: [String]
    /// The processes that its slots came from, by host and number.
    package var processes: [Process]

    package init(name: String, state: SlotEntry.Condition, slots: Int, current: [String] = []) {
        self.name = name
        self.state = .known(state)
        self.slots = slots
        self.current = current
        framesPerSecond = 0
        remarks = []
        processes = []
    }

    package init(_ message: Splitreel_Farm_WorkerReport) {
        name = message.name
        state = Told(message.state.known, number: message.state.rawValue)
        slots = Int(message.slots)
        current = message.current
        framesPerSecond = message.framesPerSecond.asRate
        remarks = message.remarks
        processes = message.processes.map { Process($0) }
    }
}
