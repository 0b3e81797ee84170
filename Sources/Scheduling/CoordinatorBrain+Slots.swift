import Diagnostics

// Registration, heartbeats, leaving and loss of slots.
extension CoordinatorBrain {
    mutating func register(_ spec: SlotSpec, _ holding: Holding?) {
        missing[spec.slot] = nil
        if slots[spec.slot] == nil {
            guard slots.count < limits.slots else {
                let error = SplitreelError(
                    .refused, operation: "registering", subject: spec.slot,
                    reason: "the coordinator already has \(limits.slots) slots")
                return actions.append(.refuse(spec.peer, slot: spec.slot, error))
            }
            slots[spec.slot] = SlotEntry(spec: spec, lastHeard: now, registeredAt: now)
        } else {
            slots[spec.slot]?.lastHeard = now
            slots[spec.slot]?.spec = spec
            forgetChecks(askedOf: spec.slot)
            // It came again without the lease that it was thought to hold: the lease is gone.
            if let old = slots[spec.slot]?.holding, old != holding, let attempt = attempt(old), !attempt.isVerifying {
                giveBack(old, countsAsLoss: true, "the slot came back without it")
            }
        }
        actions.append(.welcome(slot: spec.slot, spec.peer))
        askForAssets(worker: spec.worker, slot: spec.slot)
        guard let holding else { return setHolding(spec.slot, nil) }
        setHolding(spec.slot, holding)
        attach(spec, holding)
    }

    /// Joins a slot that came (back) with a lease: it goes on with a current one and is told to drop any other.
    private mutating func attach(_ spec: SlotSpec, _ holding: Holding) {
        if let attempt = attempt(holding) {
            if attempt.slot != spec.slot, slots[attempt.slot]?.holding == holding { setHolding(attempt.slot, nil) }
            let now = now
            updateAttempt(holding) {
                $0.slot = spec.slot
                $0.worker = spec.worker
                $0.renewedAt = now
                if $0.lastUnitAt != nil { $0.lastUnitAt = now }
                $0.measured = nil
                $0.travel?.slotCame(now)
            }
            jobs[holding.job]?.keysOfWorkers[spec.worker] = spec.key
            jobs[holding.job]?.tasks[holding.task].lastSlot = spec.slot
            jobs[holding.job]?.tasks[holding.task].lastWorker = spec.worker
        } else if isCommitted(holding) {
            // Its result is in already; it will say so again and be acknowledged. Not for ever, though.
            slots[spec.slot]?.cancelledAt = now
        } else {
            revoke(spec.slot, holding)
        }
    }

    func isCommitted(_ holding: Holding) -> Bool {
        guard let job = jobs[holding.job], job.tasks.indices.contains(holding.task) else { return false }
        return job.tasks[holding.task].committed == holding
    }

    /// Tells a slot to drop an attempt that is not current.
    mutating func revoke(_ slot: String, _ holding: Holding) {
        guard slots[slot] != nil else { return }
        if slots[slot]?.holding == holding, slots[slot]?.cancelledAt == nil { slots[slot]?.cancelledAt = now }
        actions.append(.cancelLease(slot: slot, holding))
    }

    /// Notes a message of a slot, which proves that it lives; false for a slot that is not registered.
    mutating func touch(_ slot: String) -> Bool {
        guard slots[slot] != nil else { return false }
        slots[slot]?.lastHeard = now
        return true
    }

    mutating func heartbeat(_ slot: String, _ holding: Holding?, isStill: Bool) {
        guard touch(slot) else {
            return actions.append(.replyToHeartbeat(slot: slot, known: false, leaseValid: false))
        }
        guard let holding else {
            // It has nothing; its answer to a cancelled lease may have been lost.
            if let since = slots[slot]?.cancelledAt, now - since > limits.lease { setHolding(slot, nil) }
            return actions.append(.replyToHeartbeat(slot: slot, known: true, leaseValid: false))
        }
        let isValid = isCurrent(holding)
        let now = now
        updateAttempt(holding) {
            guard $0.slot == slot else { return }
            $0.renewedAt = now
            $0.note(isStill: isStill, now)
        }
        actions.append(.replyToHeartbeat(slot: slot, known: true, leaseValid: isValid))
        if !isValid, !isCommitted(holding), slots[slot]?.cancelledAt == nil { revoke(slot, holding) }
    }

    mutating func leaving(_ slot: String) {
        guard let entry = slots[slot] else { return }
        if let holding = entry.holding, let attempt = attempt(holding), !attempt.isVerifying {
            giveBack(holding, countsAsLoss: false, "\(slot) leaves")
        }
        remove(slot, reason: "it leaves")
    }

    /// Removes a slot that is gone: its chunk goes back at once and no try is used. With a peer only if that is still
    /// the slot's.
    mutating func lose(_ slot: String, _ reason: String, peer: Peer? = nil, cause: LossCause = .unknown) {
        missing[slot] = nil
        if cause == .keyIsOver { return shutOut(slot, reason) }
        guard let entry = slots[slot] else {
            if peer == nil, cause != .unreachable { giveBackSent(by: slot, reason) }
            return
        }
        guard peer == nil || peer == entry.spec.peer else { return }
        let holding = entry.holding
        remove(slot, reason: reason)
        guard let holding, let attempt = attempt(holding), attempt.slot == slot, !attempt.isVerifying else { return }
        switch cause {
        case .unreachable where attempt.travel != nil: awaitSender(holding)
        // One that had said that it leaves takes its render with it: no fault of the chunk's.
        case .unknown, .unreachable: giveBack(holding, countsAsLoss: !entry.isDraining, "lost \(slot): \(reason)")
        case .outOfMemory: giveBackForMemory(holding, of: slot, reason)
        case .keyIsOver: break
        }
    }

    /// Removes a slot whose key does not hold any more, and takes back its attempts, those that are being checked too.
    private mutating func shutOut(_ slot: String, _ reason: String) {
        if slots[slot] != nil { remove(slot, reason: reason) }
        for holding in attempts(of: slot) {
            verifyBy[holding] = nil
            if attempt(holding)?.isVerifying == true { actions.append(.abandon(.verifying(holding))) }
            giveBack(holding, countsAsLoss: false, "lost \(slot): \(reason)")
        }
    }

    /// The attempts that a slot has in hand or has sent, also where it is gone; what an earlier life had stored as done
    /// is not among them.
    func attempts(of slot: String) -> [Holding] {
        queue.flatMap { id -> [Holding] in
            guard let job = jobs[id], !job.isEnding else { return [] }
            return job.tasks.sums.active.sorted().compactMap { index -> Holding? in
                guard let attempt = job.tasks[index].attempt, !attempt.isRecovered else { return nil }
                let name = attempt.slot.isEmpty ? job.tasks[index].lastSlot : attempt.slot
                return name == slot ? attempt.holding : nil
            }
        }
    }

    /// Keeps an attempt whose segment is complete elsewhere for the slot that comes back with it.
    private mutating func awaitSender(_ holding: Holding) {
        let now = now
        updateAttempt(holding) {
            $0.slot = ""
            $0.travel?.slotLeft(now)
        }
        orphans.append(holding)
    }

    /// Gives back what a slot was sending when it was lost, since its process has ended now.
    private mutating func giveBackSent(by slot: String, _ reason: String) {
        if let sent = sentOrphan(of: slot) { giveBack(sent, countsAsLoss: false, "lost \(slot): \(reason)") }
    }

    /// The attempt whose segment a slot was sending when it was lost; nil for none.
    func sentOrphan(of slot: String) -> Holding? {
        orphans.first {
            isLeftBehind($0) && jobs[$0.job]?.tasks[$0.task].lastSlot == slot
        }
    }

    private mutating func remove(_ slot: String, reason: String) {
        setHolding(slot, nil)
        idle.removeAll { $0 == slot }
        releaseRun(of: slot)
        forgetChecks(askedOf: slot)
        slots[slot] = nil
        actions.append(.forget(slot: slot, reason: reason))
    }

    mutating func drain(_ worker: String) {
        for slot in slots.keys.sorted() where slots[slot]?.spec.worker == worker {
            leaveOut(slot)
            actions.append(.requestDrain(slot: slot))
        }
    }

    /// Takes a slot's word that it drains, as at SIGTERM.
    mutating func draining(_ slot: String) {
        if touch(slot) { leaveOut(slot) }
    }

    /// Gives the slot nothing more.
    private mutating func leaveOut(_ slot: String) {
        slots[slot]?.isDraining = true
        idle.removeAll { $0 == slot }
        releaseRun(of: slot)
        mustDispatch = true
    }

    /// Gives the rest of the slot's run to anyone.
    mutating func releaseRun(of slot: String) {
        if let job = slots[slot]?.lastJob { jobs[job]?.fresh.release(slot) }
    }
}
