// Time limits, and the ways to leave.
extension SlotBrain {
    mutating func tick() {
        if case .rendering(let render) = work, let asked = render.stopAskedAt, now - asked >= limits.cancel {
            actions.append(.log(.stuck))
            return abort(SlotExit.stuck)
        }
        watchSilence()
        sendProgress()
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
        guard silence >= limits.absence, let holding = work.holding, !isGivenUp else { return }
        actions.append(.log(.gaveUp(holding)))
        giveUp()
    }

    /// There is nothing left that giving up could change.
    private var isGivenUp: Bool {
        switch work {
        case .rendering(let render): render.stop != nil
        // What has been told may have been committed: it stays.
        case .reporting: true
        case .idle, .publishing: false
        }
    }

    /// The coordinator's wish: finish what is in hand, take nothing more, leave.
    mutating func drain() {
        if !isDraining { actions.append(.log(.draining)) }
        isDraining = true
    }

    /// SIGTERM: the same with a time limit; the second one ends the process.
    mutating func terminate() {
        terminations += 1
        guard terminations == 1 else { return abort(SlotExit.terminated) }
        drain()
        drainDeadline = now + limits.drain
    }

    /// SIGTERM's time is up: whatever is in hand goes back.
    private mutating func handBack() {
        drainDeadline = nil
        switch work {
        case .idle: return
        case .rendering: stopRender(.drained)
        case .publishing: giveUp()
        // Told already: only the answer is missing.
        case .reporting: break
        }
        leaveDeadline = now + limits.cancel + limits.drainAnswer
    }

    /// Nobody wants the result any more: stop, remove what is not yet told, leave.
    mutating func inputClosed() {
        isDraining = true
        switch work {
        case .rendering: stopRender(.leaving)
        case .publishing(let order, _):
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
