import Diagnostics
import FarmProtocol
import Hashing
import JobStore
import Logging
import Planning
import Scheduling
import Transport

// One turn of the loop: events to the brain, transitions to the store, then everything else.
extension Coordinator {
    /// Queues an event; the brain takes it at the end of the loop's turn.
    func enqueue(_ event: Event) {
        events.append(event)
        wantTurn()
    }

    /// Queues an event that a peer caused by a message of so many bytes. At most `limits.waitingEvents` wait, of
    /// `limits.waitingEventBytes`; the rest is dropped and counted. False for a dropped one.
    @discardableResult
    func enqueueOfPeer(_ event: Event, _ byteCount: Int) -> Bool {
        guard events.count < limits.waitingEvents, waitingEventBytes + byteCount <= limits.waitingEventBytes else {
            droppedEvents += 1
            return false
        }
        waitingEventBytes += byteCount
        enqueue(event)
        return true
    }

    /// Answers a client's request when what was queued so far is stored; with a problem where too much waits or the
    /// store fails.
    func whenStored(
        _ identity: [UInt8], _ request: UInt64, _ body: @escaping @Sendable (isolated Coordinator) -> Void
    ) {
        guard afterCommit.count < limits.waitingQuestions else { return refuseBusy(identity, request) }
        afterCommit.append(WaitingRequest(identity: identity, request: request, isQuestion: false, answer: body))
        wantTurn()
    }

    /// Answers a client's question, which changes nothing, when what was queued so far is stored. While the store fails
    /// it is answered at once, from what is known: the reports of jobs say that they wait for the store.
    func whenKnown(
        _ identity: [UInt8], _ request: UInt64, _ body: @escaping @Sendable (isolated Coordinator) -> Void
    ) {
        guard storeFault == nil else { return body(self) }
        guard afterCommit.count < limits.waitingQuestions else { return refuseBusy(identity, request) }
        afterCommit.append(WaitingRequest(identity: identity, request: request, isQuestion: true, answer: body))
        wantTurn()
    }

    func refuseBusy(_ identity: [UInt8], _ request: UInt64) {
        let error = SplitreelError(
            .refused, operation: "asking the coordinator", subject: "the request",
            reason: "\(limits.waitingQuestions) others wait for an answer already", hint: "ask again later")
        send(.problem(Splitreel_Farm_Problem(error)), to: identity, request: request)
    }

    /// Runs `body` on the loop, from another thread: it takes the results of that thread's work.
    nonisolated func post(_ body: @escaping @Sendable (isolated Coordinator) -> Void) {
        loop.post { [self] in assumeIsolated(body) }
    }

    func wantTurn() {
        guard !isTurnDue else { return }
        isTurnDue = true
        loop.after(.zero) { [weak self] in self?.assumeIsolated { $0.turn() } }
    }

    func turn() {
        isTurnDue = false
        guard store != nil else { return }
        // While the store fails nothing more is decided: whatever waits until then is bounded.
        guard save() else { return }
        let stored = storeSubmissions()
        let taken = events
        events = []
        waitingEventBytes = 0
        for event in taken {
            if let job = event.job { touched.insert(job) }
            for action in brain.handle(event, now: now) {
                if case .persist(let transition) = action {
                    touched.insert(transition.job)
                    if !transition.isSubmission(of: stored) { unsaved.append(transition) }
                } else {
                    unsent.append(action)
                }
            }
        }
        guard save() else { return }
        let (actions, waiting) = (unsent, afterCommit)
        (unsent, afterCommit) = ([], [])
        for action in actions { perform(action) }
        for waiting in waiting { waiting.answer(self) }
        // People wait for how many frames there are, and for the first of them.
        if hasPlan(taken) || hasFirstFrames(taken) { report() }
        resumeIdleWaiters()
    }

    /// Whether these events brought the plan of a job, which has the number of its frames.
    private func hasPlan(_ events: [Event]) -> Bool {
        events.contains { if case .jobPlanned = $0 { true } else { false } }
    }

    /// Whether these events brought the first frames of a job.
    private func hasFirstFrames(_ events: [Event]) -> Bool {
        var isFirst = false
        for case .progress(_, let holding, _, _) in events where !counted.contains(holding.job) {
            guard let job = brain.jobs[holding.job], job.workDone.framesDone > 0 else { continue }
            counted.insert(holding.job)
            isFirst = true
        }
        return isFirst
    }

    /// Stores submissions, before the brain hears of them: one that cannot be stored is no job, and its client is told
    /// so. Answers the jobs that are in the store now.
    private func storeSubmissions() -> Set<String> {
        guard !submissions.isEmpty, let store else { return [] }
        let (waiting, now) = (submissions, now)
        submissions = []
        do {
            try store.apply(
                waiting.map { Transition(.submitted($0.submission), at: now, text: "submitted") }, clock: clock)
        } catch {
            for entry in waiting { refuseSubmission(entry, error) }
            return []
        }
        for entry in waiting {
            enqueue(.jobSubmitted(entry.submission))
            logger.log(Transition(.submitted(entry.submission), at: now, text: "submitted"), of: nil, clock)
            tellSubmitted(entry)
        }
        return Set(waiting.map(\.submission.id))
    }

    /// Stores the transitions. False where the store fails, for example on a full disk: nothing is sent then, and it is
    /// tried again.
    private func save() -> Bool {
        guard !unsaved.isEmpty, let store else { return true }
        do {
            try store.apply(unsaved, clock: clock)
            for transition in unsaved {
                logger.log(transition, of: brain.jobs[transition.job], clock)
                noteForCache(transition)
            }
            unsaved = []
            if storeFault != nil {
                logger.notice("the job store works again")
                storeFault = nil
                // Whoever watches hears that nothing waits any more.
                touched.formUnion(brain.unfinishedJobs)
            }
            return true
        } catch {
            storeFailed(asOurs(error, "storing", configuration.dataDirectory))
            return false
        }
    }

    /// Notes that the store takes nothing, tells everybody who waits for it, and tries again in a while.
    private func storeFailed(_ error: SplitreelError) {
        if storeFault == nil {
            logger.error("the job store fails; waiting", metadata: ["error": "\(error)"])
            touched.formUnion(brain.unfinishedJobs)
        }
        storeFault = JobDelay(work: "storing", since: storeFault?.since ?? now, error: error)
        // Requests are in effect when the store works again; whoever asked need not wait so long.
        let asked = afterCommit
        afterCommit = []
        for waiting in asked {
            if waiting.isQuestion {
                waiting.answer(self)
            } else {
                send(.problem(Splitreel_Farm_Problem(error)), to: waiting.identity, request: waiting.request)
            }
        }
        for entry in submissions { refuseSubmission(entry, error) }
        submissions = []
        isTurnDue = true
        loop.after(.seconds(1)) { [weak self] in self?.assumeIsolated { $0.turn() } }
    }

    private func perform(_ action: Action) {
        switch action {
        case .persist: break
        case .welcome, .refuse, .checkAssets, .sendLease, .cancelLease, .acknowledge, .replyToHeartbeat, .requestDrain,
            .forget, .endProcess:
            performForSlot(action)
        case .plan(let job): plan(job)
        case .verify(let holding, let segment): verify(holding, segment)
        case .allot(let job): allot(job)
        case .append(let job, let task, let segment): append(job, task, segment)
        case .dropFilm(let job): openJobs[job]?.assembly?.drop()
        case .finishFilm(let job): finishFilm(job)
        case .publish(let job): publish(job)
        case .clean(let job): clean(job)
        case .keep(let job): keep(job)
        case .dropKept(let job): dropKept(job)
        case .abandon(let work): abandon(work)
        case .jobEnded(let job, _):
            if openJobs[job]?.isPlanning == false { openJobs[job] = nil }
            reportEnd(job)
        }
    }

    private func performForSlot(_ action: Action) {
        switch action {
        case .welcome(let slot, let peer):
            slotPeers.welcome(slot, peer)
            var welcome = Splitreel_Farm_Welcome()
            welcome.heartbeatEndpoint = heartbeatEndpoint
            welcome.heartbeatMilliseconds = UInt32(clamping: limits.heartbeat.nanoseconds / 1_000_000)
            welcome.leaseMilliseconds = UInt32(clamping: limits.lease.nanoseconds / 1_000_000)
            welcome.dataEndpoint = dataEndpoint
            send(.welcome(welcome), toSlot: slot)
        case .refuse(let peer, let slot, let error):
            refuse(peer.bytes, error)
            slotPeers.refuse(slot, peer)
            if brain.slots[slot] == nil {
                slotKeys[slot] = nil
                slotFacts[slot] = nil
            }
        case .checkAssets(let slot, let job): sendAssetCheck(slot, job)
        case .sendLease(let slot, let holding): sendLease(slot, holding)
        case .cancelLease(let slot, let holding):
            var message = Splitreel_Farm_CancelLease()
            message.holding = holding.wire
            send(.cancelLease(message), toSlot: slot)
        case .acknowledge(let slot, let holding, let accepted):
            var message = Splitreel_Farm_Acknowledged()
            message.holding = holding.wire
            message.accepted = accepted
            send(.acknowledged(message), toSlot: slot)
        case .replyToHeartbeat(let slot, let known, let isValid): replyToHeartbeat(slot, known, isValid)
        case .requestDrain(let slot): send(.drainRequest(Splitreel_Farm_DrainRequest()), toSlot: slot)
        case .forget(let slot, let reason):
            logger.info("slot gone", metadata: ["worker.id": "\(slot)", "reason": "\(reason)"])
            slotPeers.forget(slot)
            // It may have come again in the same turn.
            if brain.slots[slot] == nil { slotFacts[slot] = nil }
            if let key = slotKeys.removeValue(forKey: slot), brain.isAwaited(slot) { awaitedKeys[slot] = key }
        case .endProcess(let slot, let pid):
            logger.warning("slot does not come back, ending its process", metadata: ["worker.id": "\(slot)"])
            endProcess(pid)
        default: break
        }
    }

    private func sendLease(_ slot: String, _ holding: Holding) {
        guard let prepared = openJobs[holding.job]?.prepared else { return }
        var lease = Splitreel_Farm_Lease()
        lease.holding = holding.wire
        lease.planPath = prepared.folder.path + "/plan.json"
        lease.planHash = prepared.hash
        lease.folder = prepared.folder.path
        let part = prepared.plan.part(ofTask: holding.task)
        lease.segment = SegmentFile.name(holding, part)
        lease.contentKey = prepared.keys[holding.task].text
        if case .chunk = part { lease.allotmentHash = openJobs[holding.job]?.allotmentHash ?? "" }
        if part == .audio { lease.mixEpochs = brain.jobs[holding.job]?.mixEpochs.map { UInt32($0) } ?? [] }
        send(.lease(lease), toSlot: slot)
    }

    private func sendAssetCheck(_ slot: String, _ job: String) {
        guard let prepared = openJobs[job]?.prepared else { return }
        var check = Splitreel_Farm_CheckAssets()
        check.job = job
        check.planPath = prepared.folder.path + "/plan.json"
        check.planHash = prepared.hash
        check.folder = prepared.folder.path
        send(.checkAssets(check), toSlot: slot)
    }

    /// Sends a message to a slot. One that cannot be reached is lost at once.
    private func send(_ body: Splitreel_Farm_Envelope.OneOf_Body, toSlot slot: String) {
        guard let peer = slotPeers.peer(of: slot) else { return }
        if !send(body, to: peer.bytes) {
            enqueue(.slotLost(slot: slot, peer: peer, reason: "its connection is gone", cause: .unreachable))
        }
    }

    /// Sends a message to a peer. False where the peer is gone or does not keep up.
    @discardableResult
    func send(_ body: Splitreel_Farm_Envelope.OneOf_Body, to identity: [UInt8], request: UInt64 = 0) -> Bool {
        guard let control else { return false }
        do {
            let told = request == 0 ? body : inPersonsWords(body)
            var envelope = Splitreel_Farm_Envelope(told, request: request)
            if request != 0 {
                envelope.dataEndpoint = dataEndpoint
                envelope.link = linkNumber(of: identity)
            }
            let frame = try envelope.frame()
            if case .sent = try loop.send([identity, frame], on: control) { return true }
        } catch {
            logger.warning("cannot send", metadata: ["error": "\(error)"])
            // Whoever asked must not wait for an answer that no message can hold.
            if case .problem = body { return false }
            guard request != 0 else { return false }
            return send(
                .problem(Splitreel_Farm_Problem(any: error, operation: "answering")), to: identity, request: request)
        }
        return false
    }

    /// A number of a client's connection to this life of the coordinator; not 0.
    private func linkNumber(of identity: [UInt8]) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(life)
        hasher.combine(identity)
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    private func replyToHeartbeat(_ slot: String, _ known: Bool, _ isValid: Bool) {
        guard let heartbeats, let origin = heartbeatOrigins.removeValue(forKey: slot) else { return }
        var reply = Splitreel_Farm_HeartbeatReply()
        reply.slot = origin.name
        reply.known = known
        reply.leaseValid = isValid
        // A reply that cannot be delivered is like one that was lost.
        guard let frame = try? Splitreel_Farm_Envelope(.heartbeatReply(reply)).frame() else { return }
        _ = try? loop.send([origin.identity, frame], on: heartbeats)
    }
}

extension Event {
    /// The job whose report it may change.
    fileprivate var job: String? {
        switch self {
        case .started(_, let holding), .progress(_, let holding, _, _), .finished(_, let holding, _),
            .failed(_, let holding, _, _), .released(_, let holding), .sending(_, let holding),
            .verified(let holding, _), .verificationFailed(let holding, _):
            holding.job
        case .cancelJob(let job), .jobPlanned(let job, _, _), .planningFailed(let job, _), .allotted(let job, _),
            .stitchFailed(let job, _, _), .partJoined(let job), .filmFinished(let job, _), .published(let job),
            .cleaned(let job), .folderKept(let job, _):
            job
        default: nil
        }
    }
}

extension Transition {
    fileprivate func isSubmission(of jobs: Set<String>) -> Bool {
        if case .submitted(let submission) = change { jobs.contains(submission.id) } else { false }
    }
}

/// A client's request that waits until what came before it is stored.
struct WaitingRequest {
    let identity: [UInt8]
    let request: UInt64
    /// Whether it only asks, so that its answer need not wait for a store that fails.
    let isQuestion: Bool
    let answer: @Sendable (isolated Coordinator) -> Void
}
