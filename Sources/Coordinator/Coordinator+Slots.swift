import Diagnostics
import FarmProtocol
import Foundation
import Logging
import Scheduling

// What arrives on the two sockets.
extension Coordinator {
    func receiveControl(_ frames: [[UInt8]]) {
        guard frames.count == 2 else { return malformedMessages += 1 }
        let identity = frames[0]
        switch ReceivedFrame(frames[1]) {
        case .malformed: malformedMessages += 1
        case .unknownBody: unknownMessages += 1
        case .otherMajor(let major, let request):
            refuse(identity, Splitreel_Farm_Envelope.versionMismatch(theirs: major), request: request)
        case .message(let envelope):
            guard let body = envelope.body else { return }
            if !receiveFromSlot(identity, body) { receiveFromClient(identity, body, request: envelope.request) }
        }
    }

    func refuse(_ identity: [UInt8], _ error: SplitreelError, request: UInt64 = 0) {
        var refused = Splitreel_Farm_Refused()
        refused.problem = Splitreel_Farm_Problem(error)
        send(.refused(refused), to: identity, request: request)
        logger.warning("refused", metadata: ["error.code": "\(error.code.number)", "reason": "\(error.reason)"])
    }

    /// False for a message that is not a slot's.
    private func receiveFromSlot(_ identity: [UInt8], _ body: Splitreel_Farm_Envelope.OneOf_Body) -> Bool {
        if case .register(let message) = body {
            register(identity, message)
            return true
        }
        if case .slotEnded(let message) = body {
            let reason = String(message.reason.prefix(limits.textBytes))
            enqueue(.slotLost(slot: message.slot, reason: reason))
            return true
        }
        guard let (event, isOfSlot) = event(from: slotNames[identity], body) else { return false }
        if isOfSlot, let event { enqueue(event) }
        return true
    }

    private func register(_ identity: [UInt8], _ message: Splitreel_Farm_Register) {
        guard !message.slot.isEmpty, !message.worker.isEmpty, message.slot.utf8.count <= limits.textBytes,
            message.worker.utf8.count <= limits.textBytes
        else { return malformedMessages += 1 }
        guard Int(message.rendererVersion) == configuration.rendererVersion else {
            let error = SplitreelError(
                .versionMismatch, operation: "registering", subject: message.slot,
                reason: "its renderer has version \(message.rendererVersion), this farm's has version "
                    + "\(configuration.rendererVersion)",
                hint: "install the same release of splitreel on both machines")
            return refuse(identity, error)
        }
        forget(message.slot)
        if let other = slotNames[identity], other != message.slot { forget(other) }
        identities[message.slot] = identity
        slotNames[identity] = message.slot
        let spec = SlotSpec(slot: message.slot, worker: message.worker, pid: message.pid)
        enqueue(.slotRegistered(spec, holding: message.hasHolding ? Holding(message.holding) : nil))
    }

    /// nil for a message that is not a slot's; an event only where the slot is registered and the message makes sense.
    private func event(
        from slot: String?, _ body: Splitreel_Farm_Envelope.OneOf_Body
    ) -> (Event?, isOfSlot: Bool)? {
        let name = slot ?? ""
        let event: Event?
        switch body {
        case .started(let message): event = Holding(message.holding).map { .started(slot: name, $0) }
        case .progress(let message):
            event = Holding(message.holding).map {
                .progress(slot: name, $0, done: Int(message.unitsDone), total: Int(message.unitsTotal))
            }
        case .finished(let message):
            let segment = ReportedSegment(
                name: String(message.segment.prefix(limits.textBytes)), hash: Array(message.segmentHash.prefix(64)))
            event = Holding(message.holding).map { .finished(slot: name, $0, segment) }
        case .failed(let message):
            let error = message.problem.error.bounded(limits.textBytes)
            event = Holding(message.holding).map {
                .failed(slot: name, $0, error, unitsDone: Int(message.unitsDone))
            }
        case .released(let message): event = Holding(message.holding).map { .released(slot: name, $0) }
        case .leaving: event = .leaving(slot: name)
        default: return nil
        }
        return (event, slot != nil)
    }

    func receiveHeartbeat(_ frames: [[UInt8]]) {
        guard frames.count == 2, case .message(let envelope) = ReceivedFrame(frames[1]),
            case .heartbeat(let beat)? = envelope.body, beat.slot.utf8.count <= limits.textBytes
        else { return malformedMessages += 1 }
        heartbeatIdentities[beat.slot] = frames[0]
        enqueue(.heartbeat(slot: beat.slot, holding: beat.hasHolding ? Holding(beat.holding) : nil))
    }
}

extension Holding {
    /// nil where the lease is not 16 bytes or a number is out of range.
    init?(_ message: Splitreel_Farm_Holding) {
        guard !message.job.isEmpty, let lease = LeaseID(bytes: message.lease) else { return nil }
        self.init(job: message.job, task: Int(message.task), epoch: Int(message.epoch), lease: lease)
    }

    var message: Splitreel_Farm_Holding {
        Splitreel_Farm_Holding(
            job: job, task: UInt32(clamping: task), epoch: UInt32(clamping: epoch), lease: lease.bytes)
    }
}

extension SplitreelError {
    /// With every text cut to that many characters: it comes from another process and is stored and sent on.
    func bounded(_ length: Int) -> SplitreelError {
        SplitreelError(
            code, operation: String(operation.prefix(length)), subject: String(subject.prefix(length)),
            reason: String(reason.prefix(length)), hint: String(hint.prefix(length)))
    }
}
