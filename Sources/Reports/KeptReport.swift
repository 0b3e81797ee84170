package import FarmProtocol

/// The work of a failed job that is kept for a retry.
package struct KeptReport: Sendable, Hashable, Encodable {
    /// The bytes of its work folder; 0 where no segment was finished.
    package var bytes: Int
    /// The time until which it is kept, in seconds since 1970, where nobody retries or prunes it.
    package var until: Double

    package init(bytes: Int, until: Double) {
        self.bytes = bytes
        self.until = until
    }

    /// The work that a message tells of; nil where nothing is kept.
    init?(_ message: Splitreel_Farm_JobReport) {
        guard let until = message.keptUntil.asTime else { return nil }
        self.init(bytes: Int(clamping: message.keptBytes), until: until)
    }
}

/// The answer to a prune; encodes as the document of `prune --json`.
package struct PruneReport: Sendable, Hashable, Encodable {
    /// The jobs of which something was kept.
    package var jobs: [String]
    /// The bytes of all of them together.
    package var bytes: Int

    package init(jobs: [String], bytes: Int) {
        self.jobs = jobs
        self.bytes = bytes
    }

    package init(_ message: Splitreel_Farm_JobsPruned) {
        self.init(jobs: message.jobs, bytes: Int(clamping: message.bytes))
    }
}
