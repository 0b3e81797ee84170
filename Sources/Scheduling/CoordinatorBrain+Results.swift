import Diagnostics

// Reports of slots on their attempts.
extension CoordinatorBrain {
    mutating func started(_ slot: String, _ holding: Holding) {
        guard renew(slot, holding) else { return }
        let now = now
        updateAttempt(holding) {
            if $0.startedAt == nil, !$0.isResumed { $0.measured = (now, now) }
            if $0.startedAt == nil { $0.startedAt = now }
        }
        if jobs[holding.job]?.tasks[holding.task].state == .leased {
            jobs[holding.job]?.tasks[holding.task].state = .running
        }
    }

    mutating func progress(_ slot: String, _ holding: Holding, _ done: Int) {
        guard renew(slot, holding), let attempt = attempt(holding), !attempt.isVerifying else { return }
        let spec = jobs[holding.job]?.tasks[holding.task].spec
        let units = min(done, spec?.unitCount ?? done)
        guard units > attempt.unitsDone else { return }
        if let last = attempt.lastUnitAt, spec?.kind.isSound == false {
            jobs[holding.job]?.frameTimes.add(now - last, units: units - attempt.unitsDone)
        }
        measure(slot, attempt, units)
        let now = now
        updateAttempt(holding) {
            $0.unitsDone = units
            $0.lastUnitAt = now
            $0.goOn()
            if $0.startedAt == nil { $0.startedAt = now }
        }
        jobs[holding.job]?.tasks[holding.task].state = .running
    }

    /// Whether the message is of the current attempt, whose lease it renews. A late one is answered with a cancel.
    private mutating func renew(_ slot: String, _ holding: Holding) -> Bool {
        guard touch(slot) else { return false }
        guard let attempt = attempt(holding), attempt.slot == slot else {
            if !isCommitted(holding) {
                lateResults += 1
                revoke(slot, holding)
            }
            return false
        }
        let now = now
        updateAttempt(holding) { $0.renewedAt = now }
        return true
    }

    /// Lets a lease hold while its segment travels. Only the first word counts: after it, bytes must come.
    mutating func sending(_ slot: String, _ holding: Holding) {
        guard renew(slot, holding), let attempt = attempt(holding), !attempt.isVerifying,
            attempt.travel == nil
        else { return }
        arriving(holding, bytes: 0)
    }

    mutating func arriving(_ holding: Holding, bytes: Int64) {
        let now = now
        let limits = limits
        updateAttempt(holding) {
            var travel = $0.travel ?? SegmentTravel(now, limits)
            travel.came(bytes, now, limits)
            $0.travel = travel
        }
    }

    /// Whether an attempt's segment is on its way, or here, and its slot is gone.
    package func isLeftBehind(_ holding: Holding) -> Bool {
        guard let attempt = attempt(holding) else { return false }
        return attempt.slot.isEmpty && attempt.travel != nil && !attempt.isVerifying
    }

    /// Takes a segment that is whole here. Where its slot is there, that says so itself.
    mutating func stands(_ holding: Holding, _ segment: ReportedSegment) {
        guard isLeftBehind(holding) else { return }
        let slot = jobs[holding.job]?.tasks[holding.task].lastSlot ?? ""
        let now = now
        updateAttempt(holding) {
            $0.slot = slot
            $0.isVerifying = true
            $0.renewedAt = now
            $0.segment = segment
        }
        jobs[holding.job]?.tasks[holding.task].state = .verifying
        actions.append(.verify(holding, segment))
    }

    mutating func finished(_ slot: String, _ holding: Holding, _ segment: ReportedSegment) {
        guard touch(slot) else { return }
        guard let attempt = attempt(holding), attempt.slot == slot else {
            let accepted = isCommitted(holding)
            if !accepted { lateResults += 1 }
            return settle(slot, holding, accepted: accepted)
        }
        guard !attempt.isVerifying else { return }
        jobs[holding.job]?.sourceBytes.add(segment.sources)
        measure(slot, attempt, jobs[holding.job]?.tasks[holding.task].spec.unitCount ?? attempt.unitsDone)
        let now = now
        updateAttempt(holding) {
            $0.isVerifying = true
            $0.renewedAt = now
            $0.segment = segment
        }
        jobs[holding.job]?.tasks[holding.task].state = .verifying
        actions.append(.verify(holding, segment))
    }

    /// Answers a slot's last word on an attempt and gives the slot its credit back.
    mutating func settle(_ slot: String, _ holding: Holding, accepted: Bool) {
        guard let entry = slots[slot] else { return }
        actions.append(.acknowledge(slot: slot, holding, accepted: accepted))
        if entry.holding == holding { setHolding(slot, nil) }
    }

    mutating func verified(_ holding: Holding, _ notices: NoticeList) {
        guard let attempt = attempt(holding), attempt.isVerifying, passesAudit(attempt) else { return }
        let now = now
        updateTask(holding.job, holding.task) {
            $0.state = .done
            $0.segment = attempt.segment
            $0.committed = holding
            $0.attempt = nil
            $0.isFromEarlierLife = attempt.isRecovered || attempt.isCached
            guard !attempt.isRecovered else { return }
            $0.started = attempt.startedAt ?? attempt.leasedAt
            $0.ended = now
        }
        verifyBy[holding] = nil
        jobs[holding.job]?.note(notices, of: holding.task)
        jobs[holding.job]?.running -= 1
        jobs[holding.job]?.shortage = nil
        if !attempt.isRecovered {
            let label = jobs[holding.job]?.tasks[holding.task].spec.label ?? ""
            persistTask(
                holding.job, holding.task,
                attempt.isCached ? "\(label) taken from the cache" : "\(label) done by \(attempt.slot)")
        }
        settle(attempt.slot, holding, accepted: true)
        if jobs[holding.job]?.tasks[holding.task].spec.kind == .mix { mustDispatch = true }
        allotIfAnalysed(holding.job)
        advanceFilm(holding.job)
    }

    mutating func verificationFailed(_ holding: Holding, _ error: SplitreelError) {
        guard let attempt = attempt(holding), attempt.isVerifying else { return }
        verifyBy[holding] = nil
        // A full disk, or one that hangs, says nothing of a segment that was done.
        if attempt.isRecovered, error.code.retry == .resource { return verifyLater(holding, error) }
        settle(attempt.slot, holding, accepted: false)
        if attempt.isCached {
            giveBack(holding, countsAsLoss: false, "what the cache had of it cannot be used: \(error.reason)")
        } else if attempt.isRecovered {
            giveBack(holding, countsAsLoss: false, "its segment did not survive: \(error.reason)")
        } else {
            fail(holding, error)
        }
    }

    mutating func failed(_ slot: String, _ holding: Holding, _ error: SplitreelError) {
        guard touch(slot) else { return }
        guard let attempt = attempt(holding), attempt.slot == slot else {
            lateResults += 1
            return settle(slot, holding, accepted: false)
        }
        guard !attempt.isVerifying else { return }
        settle(slot, holding, accepted: true)
        if error.code == .cancelled {
            giveBack(holding, countsAsLoss: false, "handed back by \(slot)")
        } else {
            fail(holding, error)
        }
    }

    mutating func released(_ slot: String, _ holding: Holding) {
        guard touch(slot) else { return }
        settle(slot, holding, accepted: true)
        if let attempt = attempt(holding), attempt.slot == slot, !attempt.isVerifying {
            giveBack(holding, countsAsLoss: false, "handed back by \(slot)")
        }
    }
}
