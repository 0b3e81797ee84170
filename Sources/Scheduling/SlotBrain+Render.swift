import Diagnostics

// Reports of the render's thread, and what is told of them.
extension SlotBrain {
    mutating func progress(_ holding: Holding, _ done: Int, _ total: Int) {
        guard case .rendering(var render) = work, render.order.holding == holding else { return }
        render.unitsDone = max(render.unitsDone, done)
        render.unitsTotal = total
        work = .rendering(render)
        sendProgress()
    }

    /// Sends progress: at most one message per `limits.progress`, none while nobody listens; the tick sends what was
    /// held back.
    mutating func sendProgress() {
        guard case .rendering(var render) = work, case .registered = link, !isSilent,
            render.unitsDone > render.sentUnits
        else { return }
        if let sentAt = render.sentAt, now - sentAt < limits.progress { return }
        render.sentAt = now
        render.sentUnits = render.unitsDone
        work = .rendering(render)
        actions.append(
            .sendProgress(render.order.holding, done: render.unitsDone, total: render.unitsTotal))
    }

    mutating func rendered(_ holding: Holding, _ result: Result<SlotResult, SplitreelError>) {
        guard case .rendering(let render) = work, render.order.holding == holding else { return }
        switch (render.stop, result) {
        case (.leaving, _):
            if case .success = result { actions.append(.discard(render.order)) }
            leave(SlotExit.left)
        case (.revoked, _):
            actions.append(.discard(render.order))
            report(render.order, .released)
        case (_, .success(let made)) where made.isKept:
            work = .sending(render.order, made, toldAt: nil)
            actions.append(.deliver(render.order))
            tellSending()
        case (_, .success(let made)):
            work = .publishing(render.order, made)
            publishIfConfirmed()
        case (.drained, .failure(let error)) where error.code == .cancelled:
            report(render.order, .released)
        case (_, .failure(let error)):
            actions.append(.log(.failed(holding, error)))
            report(render.order, .failed(error, unitsDone: render.unitsDone))
        }
    }

    /// Says that the segment is on its way (again): its lease lasts so long.
    mutating func tellSending() {
        guard case .sending(let order, let result, let toldAt) = work, case .registered = link, !isSilent else {
            return
        }
        if let toldAt, now - toldAt < limits.repeatReport { return }
        work = .sending(order, result, toldAt: now)
        actions.append(.sendSending(order.holding))
    }

    mutating func delivered(_ holding: Holding) {
        guard case .sending(let order, let result, _) = work, order.holding == holding else { return }
        work = .publishing(order, result)
        publishIfConfirmed()
    }

    mutating func undelivered(_ holding: Holding, _ error: SplitreelError) {
        guard case .sending(let order, _, _) = work, order.holding == holding else { return }
        actions += [.discard(order), .log(.failed(holding, error))]
        report(order, .failed(error, unitsDone: 0))
    }

    /// Reports a complete segment. Nothing is told of it while the lease may have gone to somebody else.
    mutating func publishIfConfirmed() {
        guard case .publishing(let order, let result) = work, case .registered = link, let confirmedAt,
            now - confirmedAt <= limits.lease
        else { return }
        actions.append(.log(.finished(order.holding)))
        report(order, .finished(result))
    }

    mutating func report(_ order: LeaseOrder, _ report: SlotReport) {
        work = .reporting(order, report, lastSent: now)
        self.report()
    }

    /// Says the last word on the attempt (again).
    mutating func report() {
        guard case .reporting(let order, let report, _) = work else { return }
        work = .reporting(order, report, lastSent: now)
        guard case .registered = link else { return }
        switch report {
        case .finished(let result):
            actions.append(.sendFinished(order.holding, segment: order.segment, result))
        case .failed(let error, let unitsDone):
            actions.append(.sendFailed(order.holding, error, unitsDone: unitsDone))
        case .released: actions.append(.sendReleased(order.holding))
        }
    }
}
