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
        case .submit, .submitPart, .cancelJob, .retryJob, .pruneJobs, .sightQuery, .storeOffer, .storeProof,
            .viewRequest, .filmsQuery, .storeQuery:
            self == .submit || self == .admin
        case .jobQuery, .jobsQuery, .watchJobs, .eventsQuery, .workersQuery:
            self == .submit || self == .observe || self == .admin
        case .countersQuery:
            self == .observe || self == .admin
        // A coordinator's own: nobody may send them to one.
        case .welcome, .refused, .lease, .cancelLease, .acknowledged, .checkAssets, .heartbeatReply, .submitted,
            .jobReport, .jobsReport, .workersReport, .problem, .partTaken, .eventsReport, .countersReport,
            .jobsChanged, .jobsPruned, .sightReport, .storeState, .viewMade, .filmsReport, .storeReport:
            false
        }
    }

    /// Whether a coordinator takes such a message on the data socket from a key of this role. It says nothing of whose
    /// job or slot the message names.
    package func maySend(_ body: Splitreel_Farm_DataEnvelope.OneOf_Body) -> Bool {
        switch body {
        // Of slots: a slot reads what its jobs are made of, and sends its segments. A submitter has its films and
        // brings contents for the store.
        case .fetch(let fetch):
            if case .film? = fetch.what { self == .submit || self == .admin } else { self == .worker || self == .admin }
        case .offer(let offer):
            offer.isOfContent ? self == .submit || self == .admin : self == .worker || self == .admin
        case .credit, .stop, .piece: self != .observe
        // A coordinator's own.
        case .want, .stored, .refusal: false
        }
    }
}

extension Splitreel_Farm_Offer {
    /// Whether it offers a content for the store, and no file of a segment.
    package var isOfContent: Bool { !hasHolding && !hasFile }
}
