import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import Logging
import Scheduling

// Messages that arrive on the two sockets.
extension Coordinator {
    func receiveControl(_ frames: [[UInt8]], _ key: PublicKey?) {
        guard frames.count == 2 else { return malformedMessages += 1 }
        guard let sender = admitted(key) else { return }
        let identity = frames[0]
        takeOthersAway(from: identity, sender)
        switch ReceivedFrame(frames[1]) {
        case .malformed: malformedMessages += 1
        case .unknownBody: unknownMessages += 1
        case .otherMajor(let major, let request):
            refuse(identity, Splitreel_Farm_Envelope.versionMismatch(theirs: major), request: request)
        case .message(let envelope):
            guard let body = envelope.body, permits(sender, body, identity, request: envelope.request) else { return }
            if !receiveFromSlot(identity, body, frames[1].count, sender) {
                receiveFromClient(identity, body, request: envelope.request, from: sender)
            }
        }
    }

    func refuse(_ identity: [UInt8], _ error: SplitreelError, request: UInt64 = 0) {
        var refused = Splitreel_Farm_Refused()
        refused.problem = Splitreel_Farm_Problem(error)
        send(.refused(refused), to: identity, request: request)
        logger.warning("refused", metadata: ["error.code": "\(error.code.number)", "reason": "\(error.reason)"])
    }

    /// Takes a slot's message of so many bytes; false for a message that is not a slot's.
    private func receiveFromSlot(
        _ identity: [UInt8], _ body: Splitreel_Farm_Envelope.OneOf_Body, _ byteCount: Int, _ sender: Sender
    ) -> Bool {
        if case .register(let message) = body {
            register(identity, message, byteCount, sender)
            return true
        }
        if case .slotEnded(let message) = body {
            guard isShort(message.slot) else { return true }
            let reason = message.reason.cut(toBytes: limits.textBytes)
            let cause: LossCause = message.outOfMemory ? .outOfMemory : .unknown
            enqueueOfPeer(
                .slotLost(slot: sender.qualified(message.slot), reason: reason, cause: cause), byteCount)
            return true
        }
        guard let (event, isOfSlot) = event(from: slotPeers.slot(of: Peer(identity)), body) else { return false }
        if isOfSlot, let event { enqueueOfPeer(event, byteCount) }
        return true
    }

    /// Whether a peer's name of a slot or a job may be kept; a message with a longer one counts as malformed.
    private func isShort(_ name: String) -> Bool {
        guard name.utf8.count > limits.textBytes else { return true }
        malformedMessages += 1
        return false
    }

    private func holding(_ wire: Splitreel_Farm_Holding) -> Holding? { isShort(wire.job) ? Holding(wire) : nil }

    /// The most texts in the lists of a slot's registration, the most bytes of each, and of all of them.
    private static let mostListed = 1024
    private static let mostListedBytes = 256
    private static let mostListsBytes = 32 << 10

    /// The most bytes of a machine's name, which is longer nowhere, and of a release's.
    private static let mostHostBytes = 255
    private static let mostReleaseBytes = 64

    /// The fault of a registration whose lists would fill this process's memory; nil where it has none.
    private func listFault(_ message: Splitreel_Farm_Register) -> SplitreelError? {
        let texts = message.versions + message.encoders + message.effects
        let bytes = texts.map(\.utf8.count)
        guard
            texts.count > Self.mostListed || (bytes.max() ?? 0) > Self.mostListedBytes
                || bytes.reduce(0, +) > Self.mostListsBytes
        else { return nil }
        return SplitreelError(
            .refused, operation: "registering", subject: message.slot,
            reason: "it lists \(texts.count) libraries, encoders and effects in \(bytes.reduce(0, +)) bytes; a slot "
                + "may list \(Self.mostListed) in \(Self.mostListsBytes), each in \(Self.mostListedBytes)",
            hint: "register fewer effects, or give them shorter names")
    }

    private func register(
        _ identity: [UInt8], _ message: Splitreel_Farm_Register, _ byteCount: Int, _ sender: Sender
    ) {
        guard !message.slot.isEmpty, !message.worker.isEmpty, message.slot.utf8.count <= limits.textBytes,
            message.worker.utf8.count <= limits.textBytes, message.holding.job.utf8.count <= limits.textBytes
        else { return malformedMessages += 1 }
        guard Int(message.rendererVersion) == configuration.rendererVersion else {
            let error = SplitreelError(
                .versionMismatch, operation: "registering", subject: message.slot,
                reason: "its renderer has version \(message.rendererVersion), this farm's has version "
                    + "\(configuration.rendererVersion)",
                hint: "install the same release of splitreel on both machines")
            return refuse(identity, error)
        }
        if let fault = listFault(message) { return refuse(identity, fault) }
        let slot = sender.qualified(message.slot)
        let spec = SlotSpec(
            slot: slot, worker: sender.qualified(message.worker), key: sender.keyName, pid: message.pid,
            peer: Peer(identity), versions: sharedLists.shared(message.versions),
            encoders: sharedLists.shared(message.encoders),
            effects: sharedLists.shared(Set(message.effects)),
            memoryBytes: message.memoryBytes > 0 ? Int(clamping: message.memoryBytes) : nil,
            process: WorkerProcess(
                host: message.host.cut(toBytes: Self.mostHostBytes),
                pid: message.workerPid > 0 ? message.workerPid : nil,
                release: message.release.cut(toBytes: Self.mostReleaseBytes)))
        let event = Event.slotRegistered(spec, holding: message.hasHolding ? Holding(message.holding) : nil)
        guard enqueueOfPeer(event, byteCount) else { return }
        slotPeers.register(Peer(identity), as: slot)
        note(message.hasFacts ? message.facts : nil, of: slot)
        if case .holder(_, let key) = sender { slotKeys[slot] = key }
    }

    /// Keeps what a slot tells of its machine, of which equal parts are held once.
    private func note(_ message: Splitreel_Farm_WorkerFacts?, of slot: String) {
        guard let message else { return slotFacts[slot] = nil }
        var facts = ToldFacts(message)
        facts.fonts = facts.fonts.map { sharedLists.shared($0) }
        facts.roots = sharedLists.shared(facts.roots)
        facts.maps = sharedLists.shared(facts.maps)
        slotFacts[slot] = facts
    }

    /// The event of a slot's message, which there is only where the slot is registered and the message makes sense; nil
    /// for a message that is not a slot's.
    private func event(
        from slot: String?, _ body: Splitreel_Farm_Envelope.OneOf_Body
    ) -> (Event?, isOfSlot: Bool)? {
        let name = slot ?? ""
        let event: Event?
        switch body {
        case .started(let message): event = holding(message.holding).map { .started(slot: name, $0) }
        case .progress(let message):
            event = holding(message.holding).map {
                .progress(slot: name, $0, done: Int(message.unitsDone), total: Int(message.unitsTotal))
            }
        case .finished(let message):
            let segment = ReportedSegment(
                name: message.segment.cut(toBytes: limits.textBytes), hash: Array(message.segmentHash.prefix(64)),
                sources: message.sources)
            event = holding(message.holding).map { .finished(slot: name, $0, segment) }
        case .failed(let message):
            let error = message.problem.error.bounded(limits.textBytes)
            event = holding(message.holding).map {
                .failed(slot: name, $0, error, unitsDone: Int(message.unitsDone))
            }
        case .released(let message): event = holding(message.holding).map { .released(slot: name, $0) }
        case .sending(let message): event = holding(message.holding).map { .sending(slot: name, $0) }
        case .leaving: event = .leaving(slot: name)
        case .drainRequest: event = .draining(slot: name)
        case .assetsChecked(let message):
            let error = message.hasProblem ? message.problem.error.bounded(limits.textBytes) : nil
            event = isShort(message.job) ? .assetsChecked(slot: name, job: message.job, error) : nil
        default: return nil
        }
        return (event, slot != nil)
    }

    func receiveHeartbeat(_ frames: [[UInt8]], _ key: PublicKey?) {
        guard let sender = admitted(key) else { return }
        guard frames.count == 2, case .message(let envelope) = ReceivedFrame(frames[1]),
            case .heartbeat(let beat)? = envelope.body, beat.slot.utf8.count <= limits.textBytes,
            beat.holding.job.utf8.count <= limits.textBytes
        else { return malformedMessages += 1 }
        // Nothing can be answered while the store fails; the clock stands still for slots then.
        guard storeFault == nil else { return }
        if case .holder(let holder, _) = sender, !holder.role.maySend(.heartbeat(beat)) {
            return unknownMessages += 1
        }
        let holding = beat.hasHolding ? Holding(beat.holding) : nil
        let slot = sender.qualified(beat.slot)
        let event = Event.heartbeat(slot: slot, holding: holding, isStill: beat.isStill)
        guard enqueueOfPeer(event, frames[1].count) else { return }
        slotFacts[slot]?.hear(beat, now: Date().timeIntervalSince1970)
        heartbeatOrigins[slot] = HeartbeatOrigin(identity: frames[0], name: beat.slot)
    }
}

extension SplitreelError {
    /// The error with every text cut to that many bytes: it comes from another process and is stored and sent on.
    func bounded(_ limit: Int) -> SplitreelError {
        SplitreelError(
            code, operation: operation.bounded(toBytes: limit), subject: subject.bounded(toBytes: limit),
            reason: reason.bounded(toBytes: limit), hint: hint.bounded(toBytes: limit))
    }
}
