import Diagnostics

/// One slot's decisions: a value without clock or I/O. Event and time in, actions out.
///
/// register → welcome → idle → lease → rendering → publishing → reporting → acknowledged → idle. A segment that the
/// coordinator does not see is sending before it is publishing. Whatever becomes of the connection, a render goes on
/// and its result is kept until the coordinator has answered for it; only a revocation, the end of the process or
/// `SlotLimits.absence` give it up.
package struct SlotBrain: Sendable {
    enum Link: Sendable {
        case connecting(since: Instant)
        case registered(since: Instant)
        /// The slot was told to leave, or refused: nothing more is done.
        case over
    }

    package internal(set) var limits: SlotLimits
    var now: Instant = .zero
    var link: Link = .connecting(since: .zero)
    var work: SlotWork = .idle
    /// The time of the coordinator's last message.
    var lastHeard: Instant = .zero
    var isSilent = false
    var hasHeard = false
    /// The time at which the coordinator last said that the lease in hand holds; nil where it has not.
    var confirmedAt: Instant?
    /// The last attempts that were acknowledged: a lease that arrives twice is not rendered twice, over a segment that
    /// may be in the film already.
    private var settled: [Holding] = []
    private static let settledAtMost = 64
    /// Whether the slot takes no lease any more, and leaves when it has none in hand.
    package internal(set) var isDraining = false
    /// The time of the first SIGTERM; nil before.
    var terminatedAt: Instant?
    /// The time at which the chunk is handed back after SIGTERM; nil before.
    var drainDeadline: Instant?
    /// The time at which the slot leaves after SIGTERM whatever happens; nil before.
    var leaveDeadline: Instant?
    var actions: [SlotAction] = []

    /// `left` is a complete segment in the slot's outbox that an earlier process did not get away.
    package init(limits: SlotLimits = SlotLimits(), sending left: (order: LeaseOrder, result: SlotResult)? = nil) {
        self.limits = limits
        if let left { work = .sending(left.order, left.result, toldAt: nil) }
    }

    /// The attempt that the slot has in hand, for tests and logs; nil for none.
    package var holding: Holding? { work.holding }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: SlotEvent, now: Instant) -> [SlotAction] {
        self.now = max(self.now, now)
        actions = []
        if case .over = link { return [] }
        let before = work.holding
        switch event {
        case .begin:
            lastHeard = self.now
            if let holding = work.holding { actions.append(.hold(holding)) }
            register()
        case .welcome, .refused, .lease, .cancelLease, .acknowledged, .drainRequest, .heartbeatReply, .checkAssets:
            heard()
            handleCoordinator(event)
        case .progress(let holding, let done, let total): progress(holding, done, total)
        case .rendered(let holding, let result): rendered(holding, result)
        case .delivered(let holding): delivered(holding)
        case .undelivered(let holding, let error): undelivered(holding, error)
        case .assetsChecked(let job, let error):
            if case .registered = link { actions.append(.sendAssetsChecked(job: job, error)) }
        case .terminate: terminate()
        case .inputClosed: inputClosed()
        case .tick: tick()
        }
        if work.holding != before { actions.insert(.hold(work.holding), at: 0) }
        leaveIfDrained()
        return actions
    }

    private mutating func handleCoordinator(_ event: SlotEvent) {
        switch event {
        case .welcome(let endpoint, let heartbeat, let lease): welcome(endpoint, heartbeat, lease)
        case .refused(let error):
            actions.append(.log(.refused(error)))
            switch error.code {
            // The other version stays another version.
            case .versionMismatch:
                actions.append(.noteHopeless(error))
                leave(SlotExit.hopeless)
            // So does a key that is not let in.
            case .keyRefused, .roleRefused, .tokenNeeded:
                actions.append(.noteHopeless(error))
                leave(SlotExit.lockedOut)
            // A lack of room for slots may pass.
            default: leave(SlotExit.refused)
            }
        case .lease(let order): lease(order)
        case .cancelLease(let holding): cancelLease(holding)
        case .acknowledged(let holding, let accepted): acknowledged(holding, accepted)
        case .drainRequest: drain()
        case .checkAssets(let order):
            if case .registered = link, !isDraining { actions.append(.startAssetCheck(order)) }
        case .heartbeatReply(let known, let leaseValid): heartbeatReply(known, leaseValid)
        default: break
        }
    }

    // MARK: - Connection

    private mutating func heard() {
        lastHeard = now
        if isSilent, hasHeard { actions.append(.log(.coordinatorBack)) }
        (isSilent, hasHeard) = (false, true)
    }

    mutating func register() {
        link = .connecting(since: now)
        actions.append(.register(work.holding))
    }

    private mutating func welcome(_ endpoint: String, _ heartbeat: Duration, _ lease: Duration) {
        if heartbeat > .zero { limits.heartbeat = heartbeat }
        if lease > .zero { limits.lease = lease }
        link = .registered(since: now)
        actions.append(.log(.registered))
        actions.append(.startHeartbeat(endpoint: endpoint, interval: limits.heartbeat))
        switch work {
        case .rendering(let render): actions.append(.sendStarted(render.order.holding))
        case .sending(let order, let result, _):
            work = .sending(order, result, toldAt: nil)
            tellSending()
        case .reporting: report()
        case .idle, .publishing: break
        }
        tellDraining()
    }

    private mutating func heartbeatReply(_ known: Bool, _ leaseValid: Bool) {
        guard case .registered(let since) = link else { return }
        guard known else {
            if now - since >= limits.unknownGrace { register() }
            return
        }
        // A "no" may answer a heartbeat about the lease before; a lease that is lost is also taken back by name.
        confirmedAt = leaseValid && !work.isIdle ? now : nil
        publishIfConfirmed()
    }

    // MARK: - Lease

    private mutating func lease(_ order: LeaseOrder) {
        guard case .registered = link else { return }
        if work.holding == order.holding || settled.contains(order.holding) { return }
        guard work.isIdle, !isDraining else { return actions.append(.sendReleased(order.holding)) }
        work = .rendering(SlotRender(order: order))
        confirmedAt = now
        actions += [.startRender(order), .sendStarted(order.holding), .log(.leased(order.holding))]
    }

    private mutating func cancelLease(_ holding: Holding) {
        guard work.holding == holding else { return actions.append(.sendReleased(holding)) }
        actions.append(.log(.revoked(holding)))
        giveUp()
    }

    /// Stops what is in hand, removes what it made, and tells so.
    mutating func giveUp() {
        switch work {
        case .idle: break
        case .rendering: stopRender(.revoked)
        case .sending(let order, _, _), .publishing(let order, _), .reporting(let order, .finished, _):
            actions.append(.discard(order))
            report(order, .released)
        case .reporting: report()
        }
    }

    mutating func stopRender(_ reason: SlotRender.Stop) {
        guard case .rendering(var render) = work else { return }
        if render.ask(reason, now: now) { actions.append(.cancelRender) }
        work = .rendering(render)
    }

    private mutating func acknowledged(_ holding: Holding, _ accepted: Bool) {
        guard case .reporting(let order, let report, _) = work, order.holding == holding else { return }
        work = .idle
        confirmedAt = nil
        settled = settled.suffix(Self.settledAtMost - 1) + [holding]
        guard case .finished = report else { return }
        if accepted {
            actions.append(.noteChunkDone)
        } else {
            actions += [.discard(order), .log(.dropped(holding))]
        }
    }
}
