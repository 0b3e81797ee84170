package import FarmKeys

extension Role {
    /// Whether a coordinator takes such a message from a key of this role: the farm's table of roles and messages. It
    /// says nothing of whose job or slot the message names.
    package func maySend(_ body: Splitreel_Farm_Envelope.OneOf_Body) -> Bool {
        switch body {
        // Of slots, and of their parents. A slot asks for a drain of its own too.
        case .register, .started, .progress, .finished, .failed, .released, .leaving, .assetsChecked, .sending,
            .slotEnded, .drainRequest, .heartbeat:
            self == .worker || self == .admin
        case .submit, .submitPart, .cancelJob, .retryJob, .pruneJobs:
            self == .submit || self == .admin
        case .jobQuery, .jobsQuery, .watchJobs, .eventsQuery, .workersQuery:
            self == .submit || self == .observe || self == .admin
        case .countersQuery:
            self == .observe || self == .admin
        // A coordinator's own: nobody may send them to one.
        case .welcome, .refused, .lease, .cancelLease, .acknowledged, .checkAssets, .heartbeatReply, .submitted,
            .jobReport, .jobsReport, .workersReport, .problem, .partTaken, .eventsReport, .countersReport,
            .jobsChanged, .jobsPruned:
            false
        }
    }
}
