// Time limits, and the ways to leave.
extension SlotBrain {
    mutating func tick() {
        if case .rendering(let render) = work, let asked = render.stopAskedAt, now - asked >= limits.cancel {
            // Whoever leaves hands the chunk back by its end, and the process takes the render with it: no fault.
            let isHandedBack = render.stop == .drained
            actions.append(.log(isHandedBack ? .handedBack(render.order.holding) : .stuck))
            return abort(isHandedBack ? SlotExit.handedBack : SlotExit.stuck)
        }
        watchSilence()
        sendProgress()
        tellSending()
        publishIfConfirmed()
        if case .reporting(_, _, let lastSent) = work, !isSilent, now - lastSent >= limits.repeatReport { report() }
        if let deadline = drainDeadline, now >= deadline { handBack() }
        if let deadline = leaveDeadline, now >= deadline { leave(SlotExit.left) }
    }

    private mutating func watchSilence() {
        let silence = now - lastHeard
        if silence >= limits.lease, !isSilent {
            isSilent = true
            confirmedAt = nil
            actions.append(.log(hasHeard ? .coordinatorSilent : .coordinatorMissing))
        }
        switch link {
        case .connecting(let since):
            if now - since >= limits.reconnect { register() }
        case .registered:
            if isSilent { register() }
        case .over: break
        }
        guard silence >= patience, let holding = work.holding, !isGivenUp else { return }
        actions.append(.log(.gaveUp(holding)))
        giveUp()
    }

    /// The silence after which the work in hand is given up.
    private var patience: Duration {
        if case .sending = work { limits.outbox } else { limits.absence }
    }

    /// Whether there is nothing left that giving up could change.
    private var isGivenUp: Bool {
        switch work {
        case .rendering(let render): render.stop != nil
        // A result that has been told may have been committed: it stays.
        case .reporting: true
        case .idle, .sending, .publishing: false
        }
    }

    /// Drains as the coordinator wishes: finishes what is in hand, takes nothing more, leaves.
    mutating func drain() {
        if !isDraining { actions.append(.log(.draining)) }
        isDraining = true
        tellDraining()
    }

    /// Tells that nothing more is taken, so that what is handed back goes to somebody else. An idle slot just leaves.
    mutating func tellDraining() {
        guard case .registered = link, isDraining, !work.isIdle else { return }
        actions.append(.sendDraining)
    }

    /// Drains at SIGTERM with a time limit; a second SIGTERM, which is no echo of the first one, ends the process.
    mutating func terminate() {
        if let terminatedAt {
            if now - terminatedAt >= limits.oneWish { abort(SlotExit.terminated) }
            return
        }
        terminatedAt = now
        drain()
        drainDeadline = now + limits.drain
    }

    /// Gives back what is in hand, since SIGTERM's time is up.
    private mutating func handBack() {
        drainDeadline = nil
        switch work {
        case .idle: return
        case .rendering: stopRender(.drained)
        case .sending, .publishing: giveUp()
        // The result is told already: only the answer is missing.
        case .reporting: break
        }
        leaveDeadline = now + limits.cancel + limits.drainAnswer
    }

    /// Stops, since nobody wants the result any more: removes what is not yet told, and leaves.
    mutating func inputClosed() {
        isDraining = true
        switch work {
        case .rendering: stopRender(.leaving)
        case .sending(let order, _, _), .publishing(let order, _):
            actions.append(.discard(order))
            leave(SlotExit.left)
        case .idle, .reporting: leave(SlotExit.left)
        }
    }

    mutating func leaveIfDrained() {
        if isDraining, work.isIdle { leave(SlotExit.left) }
    }

    mutating func leave(_ status: Int32) {
        if case .over = link { return }
        link = .over
        actions.append(.leave(status))
    }

    private mutating func abort(_ status: Int32) {
        link = .over
        actions.append(.abort(status))
    }
}
