package import Diagnostics
import FarmProtocol

/// The work on a job that waits and is tried again: the coordinator's own, such as planning, stitching or storing, or
/// rendering.
package struct DelayReport: Sendable, Hashable {
    /// The name of the work, as the coordinator calls it.
    package var work: String
    /// The first failure in seconds since 1970; nil where it is not known.
    package var since: Double?
    /// The error of the last try.
    package var error: SplitreelError

    package init(work: String, since: Double?, error: SplitreelError) {
        self.work = work
        self.since = since
        self.error = error
    }

    /// The delay that a message tells; nil where it tells none.
    init?(_ message: Splitreel_Farm_JobReport) {
        guard message.hasDelayProblem else { return nil }
        self.init(
            work: message.delayedWork, since: message.delayedSince.asTime, error: SplitreelError(message.delayProblem))
    }
}

extension DelayReport: Encodable {
    private enum Key: String, CodingKey { case work, since, error }

    package func encode(to encoder: any Encoder) throws {
        var document = encoder.container(keyedBy: Key.self)
        try document.encode(work, forKey: .work)
        try document.encodeIfPresent(since, forKey: .since)
        try document.encode(FailureReport(error), forKey: .error)
    }
}
