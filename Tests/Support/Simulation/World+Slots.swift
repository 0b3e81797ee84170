import Diagnostics
import Scheduling

/// One process of a slot.
struct SlotProcess {
    let number: Int
    let spec: SlotSpec
    var brain: SlotBrain
    var connection: Connection?
    var isWelcome = false
    /// The holding that its heartbeats tell.
    var held: Holding?
    var beats = false
    var render: Render?
    /// Nothing of it runs before.
    var frozenUntil = Instant.zero
    /// When the coordinator last confirmed its lease, as far as the slot heard.
    var confirmedAt: Instant?
    var told: Holding?
    /// The segment that lies in its outbox, and where it belongs.
    var kept: (path: String, segment: Disk.Segment)?

    struct Render {
        let order: LeaseOrder
        /// In quarters of the task.
        var done = 0
        let quarter: Duration
        /// Set once it is cancelled.
        var stopsAt: Instant?
    }
}

// The slots' processes.
extension World {
    func handleSlot(_ happening: Happening) throws(Violation) {
        switch happening {
        case .slotStarts(let index): try startSlot(index)
        case .slotDies(let index): killSlot(index)
        case .slotFreezes(let index, let duration):
            trace.note(now) { "slot \(index) freezes for \(duration)" }
            slots[index]?.frozenUntil = now + duration
        case .slotIsCutOff(let index, let duration):
            trace.note(now) { "slot \(index) is cut off for \(duration)" }
            cutOff[index] = now + duration
        case .slotHears(let connection, let event):
            guard let process = slots[connection.index], process.connection == connection else { return }
            if case .welcome = event { slots[connection.index]?.isWelcome = true }
            try give(event, to: connection.index, process.number, happening)
        case .slotTurns(let index, let process, let event): try give(event, to: index, process, happening)
        case .slotTicks(let index, let process):
            guard let slot = slots[index], slot.number == process else { return }
            let next = max(now, slot.frozenUntil) + scenario.slotLimits.tick
            agenda.add(.slotTicks(index: index, process: process), at: next)
            try give(.tick, to: index, process, nil)
        case .slotBeats(let index, let process): beat(index, process)
        case .renders(let index, let process, let holding): try render(index, process, holding, happening)
        default: break
        }
    }

    func spec(of index: Int) -> (worker: String, number: Int) {
        let number = worker(of: index)
        return (scenario.workers[number].name, number)
    }

    private func startSlot(_ index: Int) throws(Violation) {
        guard slots[index] == nil, !isRevoked(index) else { return }
        processes += 1
        let worker = scenario.workers[worker(of: index)]
        let spec = SlotSpec(
            slot: "\(worker.name)/\(index)-\(processes)", worker: worker.name, key: worker.name,
            pid: Int64(processes), versions: worker.versions)
        let brain = SlotBrain(limits: scenario.slotLimits)
        slots[index] = SlotProcess(number: processes, spec: spec, brain: brain)
        trace.note(now) { "slot \(spec.slot) starts" }
        let number = processes
        agenda.add(.slotTicks(index: index, process: number), at: now + scenario.slotLimits.tick)
        try give(.begin, to: index, number, nil)
    }

    /// kill -9. Whoever reaps it mostly tells the coordinator, and starts another.
    private func killSlot(_ index: Int) {
        guard let process = slots[index] else { return }
        trace.note(now) { "slot \(process.spec.slot) dies" }
        slots[index] = nil
        if happens(0.7) { agenda.add(.slotEnded(slot: process.spec.slot), at: now + seconds(0.001...0.5)) }
        agenda.add(.slotStarts(index: index), at: now + seconds(0.5...5))
    }

    private func beat(_ index: Int, _ number: Int) {
        guard let process = slots[index], process.number == number else { return }
        agenda.add(.slotBeats(index: index, process: number), at: now + scenario.limits.heartbeat)
        guard now >= process.frozenUntil, let delay = beatDelay(index) else { return }
        let beat = Beat(
            slot: process.spec.slot, index: index, process: number, holding: process.held, isStill: isStill(index))
        agenda.add(.beatArrives(beat), at: now + delay)
    }

    /// Gives a slot's brain an event; a frozen process takes it up when it goes on.
    func give(_ event: SlotEvent, to index: Int, _ number: Int, _ happening: Happening?) throws(Violation) {
        guard let process = slots[index], process.number == number else { return }
        if now < process.frozenUntil {
            if let happening { agenda.add(happening, at: process.frozenUntil) }
            return
        }
        switch event {
        case .lease, .heartbeatReply(known: _, leaseValid: true): slots[index]?.confirmedAt = now
        case .delivered(let holding): if !place(holding, index, number) { return }
        default: break
        }
        trace.note(now, index, event)
        let actions = slots[index]?.brain.handle(event, now: now) ?? []
        for action in actions { try perform(action, index) }
    }

    private func perform(_ action: SlotAction, _ index: Int) throws(Violation) {
        guard let process = slots[index] else { return }
        switch action {
        case .register(let holding):
            connections += 1
            let connection = Connection(
                index: index, process: process.number, number: connections, life: coordinator?.life ?? lives + 1)
            slots[index]?.connection = connection
            slots[index]?.isWelcome = false
            var spec = process.spec
            spec.peer = connection.peer
            transmit(.register(spec, holding), connection)
        case .startHeartbeat:
            guard !process.beats else { return }
            slots[index]?.beats = true
            agenda.add(.slotBeats(index: index, process: process.number), at: now)
        case .hold(let holding): slots[index]?.held = holding
        case .startRender(let order): try startRender(order, index)
        case .cancelRender: cancelRender(index)
        case .deliver(let order):
            // Now and then it takes longer than a lease lasts.
            let time = now + pause(happens(0.2) ? 3...20 : 0.05...1)
            agenda.add(.slotTurns(index: index, process: process.number, .delivered(order.holding)), at: time)
        case .discard(let order):
            disk.segments[order.segmentPath] = nil
            slots[index]?.kept = nil
        case .startAssetCheck(let order):
            let sees = scenario.workers[worker(of: index)].seesMedia
            let answer = SlotEvent.assetsChecked(
                job: order.job, sees ? nil : Self.error(.mediaNotFound, "it is not mounted here"))
            let time = now + pause(0.01...0.5)
            let stop = standing(.worker(worker(of: index)))
            agenda.add(
                .slotTurns(index: index, process: process.number, answer), at: max(time, stop?.until ?? time))
        case .leave(let status): endSlot(index, says: process.isWelcome, pause: status == SlotExit.left ? 5 : 1)
        case .abort: endSlot(index, says: false, pause: 1)
        case .noteChunkDone, .noteHopeless, .log: break
        default: try send(action, index, process)
        }
    }

    private func send(_ action: SlotAction, _ index: Int, _ process: SlotProcess) throws(Violation) {
        guard let connection = process.connection else { return }
        switch action {
        case .sendStarted(let holding): transmit(.started(holding), connection)
        case .sendProgress(let holding, let done, let total): transmit(.progress(holding, done, total), connection)
        case .sendFinished(let holding, let segment, let result):
            try checkTold(index, process, holding)
            transmit(.finished(holding, ReportedSegment(name: segment, hash: result.segmentHash)), connection)
        case .sendFailed(let holding, let error, _): transmit(.failed(holding, error), connection)
        case .sendReleased(let holding): transmit(.released(holding), connection)
        case .sendSending(let holding): transmit(.sending(holding), connection)
        case .sendDraining: transmit(.draining, connection)
        case .sendAssetsChecked(let job, let error): transmit(SlotMessage.assetsChecked(job: job, error), connection)
        default: break
        }
    }

    private func endSlot(_ index: Int, says: Bool, pause: Double) {
        if says, let connection = slots[index]?.connection { transmit(.leaving, connection) }
        trace.note(now) { "slot \(index) leaves" }
        slots[index] = nil
        agenda.add(.slotStarts(index: index), at: now + seconds(pause...(2 * pause)))
    }

    // MARK: - Rendering

    private func startRender(_ order: LeaseOrder, _ index: Int) throws(Violation) {
        guard let process = slots[index] else { return }
        try require(process.render == nil, "slot \(process.spec.slot) renders two chunks at once")
        let cost = store[order.holding.job]?.plan?.tasks[order.holding.task].cost ?? 1
        let pace = scenario.workers[worker(of: index)].pace
        slots[index]?.render = SlotProcess.Render(
            order: order, quarter: .nanoseconds(Int64(cost * pace * 1e9 / 4)))
        step(index)
    }

    private func step(_ index: Int) {
        guard let process = slots[index], let render = process.render else { return }
        let happening = Happening.renders(index: index, process: process.number, render.order.holding)
        agenda.add(happening, at: now + render.quarter)
    }

    private func render(_ index: Int, _ number: Int, _ holding: Holding, _ happening: Happening) throws(Violation) {
        guard let process = slots[index], process.number == number, var render = process.render,
            render.order.holding == holding
        else { return }
        if now < process.frozenUntil { return agenda.add(happening, at: process.frozenUntil) }
        if let stop = standing(.worker(worker(of: index))) {
            diskTroubles.insert(.workerStop)
            return agenda.add(happening, at: stop.until)
        }
        if let stop = render.stopsAt, now < stop { return }
        render.done += 1
        slots[index]?.render = render
        if render.done < 4, render.stopsAt == nil {
            step(index)
            let frames = Scenario.chunkFrames
            return try give(.progress(holding, done: render.done * frames / 4, total: frames), to: index, number, nil)
        }
        slots[index]?.render = nil
        let result: Result<SlotResult, SplitreelError> =
            render.stopsAt == nil
            ? deliver(render.order, scenario.workers[worker(of: index)])
            : .failure(Self.error(.cancelled, "cancelled"))
        if case .success = result { ledger.makers[holding] = process.spec }
        if case .success(let made) = result, made.isKept {
            let segment = Disk.Segment(holding: holding, hash: made.segmentHash)
            slots[index]?.kept = (render.order.segmentPath, segment)
        }
        try give(.rendered(holding, result), to: index, number, nil)
    }

    /// Puts the last byte of a segment in its place. False where nobody takes it now: it comes later.
    private func place(_ holding: Holding, _ index: Int, _ number: Int) -> Bool {
        guard let kept = slots[index]?.kept, kept.segment.holding == holding else { return true }
        let isCut = cutOff[index].map { now < $0 } ?? false
        // Its key opens nothing any more.
        guard !isRevoked(index) else { return false }
        guard coordinator != nil, !isCut else {
            let later = now + pause(0.5...3)
            agenda.add(.slotTurns(index: index, process: number, .delivered(holding)), at: later)
            return false
        }
        slots[index]?.kept = nil
        if disk.folders.contains(holding.job) { disk.segments[kept.path] = kept.segment }
        return true
    }

    /// Stops soon; now and then not soon enough.
    private func cancelRender(_ index: Int) {
        guard let process = slots[index], let render = process.render else { return }
        let time = now + pause(happens(0.05) ? 3...6 : 0.01...0.5)
        slots[index]?.render?.stopsAt = time
        agenda.add(.renders(index: index, process: process.number, render.order.holding), at: time)
    }

    private func deliver(_ order: LeaseOrder, _ worker: Scenario.Worker) -> Result<SlotResult, SplitreelError> {
        let holding = order.holding
        guard let job = scenario.jobs.first(where: { $0.id == holding.job }) else {
            return .failure(Self.error(.internalFault, "no such job"))
        }
        if job.badChunk == holding.task, !mended.contains(job.id) {
            return .failure(Self.error(.decodeFailed, "its source is broken"))
        }
        if let slow = job.slowStart, slow.chunk == holding.task, ledger.failures[job.id, default: 0] < slow.failures {
            ledger.failures[job.id, default: 0] += 1
            return .failure(Self.error(.transportFailed, "not yet"))
        }
        let truth = scenario.isHeldToTruth ? Self.bytes(ofTask: holding.task, isLie: worker.lies) : nil
        if worker.sends { return .success(SlotResult(segmentHash: truth ?? self.hash(), seconds: 1, isKept: true)) }
        guard disk.folders.contains(holding.job) else {
            return .failure(Self.error(.outputNotWritable, "its folder is gone"))
        }
        if let error = fullDisk() { return .failure(error) }
        let hash = truth ?? self.hash()
        disk.segments[order.segmentPath] = Disk.Segment(holding: holding, hash: hash)
        if worker.rewrites, isTroubled, happens(0.1) {
            agenda.add(.rewrites(file: order.segmentPath), at: now + seconds(0.05...3))
        }
        return .success(SlotResult(segmentHash: hash, seconds: 1))
    }
}
