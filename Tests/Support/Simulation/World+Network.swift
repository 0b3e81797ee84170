import Diagnostics
import Scheduling

// Messages: what arrives when, and what never does.
extension World {
    /// To the slot, wherever it was welcomed; one that cannot be reached is lost.
    func send(_ event: SlotEvent, to slot: String) {
        guard let peer = coordinator?.peers.peer(of: slot) else { return }
        if let connection = connection(of: peer) { return transmit(event, connection) }
        let isByName = putBack.contains(.losesByName)
        enqueue(
            .slotLost(
                slot: slot, peer: isByName ? nil : peer, reason: Self.connectionGone, cause: .unreachable))
    }

    static let connectionGone = "its connection is gone"

    /// The connection of a slot's process that lives and has not connected anew.
    func connection(of peer: Peer) -> Connection? {
        slots.lazy.compactMap { $0?.connection }.first {
            $0.peer == peer && $0.life == coordinator?.life && !isRevoked($0.index)
        }
    }

    func transmit(_ event: SlotEvent, _ connection: Connection) {
        // A wish to leave is said once, by a connection that stands.
        let isSafe = if case .drainRequest = event { true } else { false }
        for time in arrivals(connection, isSafe: isSafe) { agenda.add(.slotHears(connection, event), at: time) }
    }

    func transmit(_ message: SlotMessage, _ connection: Connection) {
        let isSafe = if case .leaving = message { true } else { false }
        for time in arrivals(connection, isSafe: isSafe) { agenda.add(.arrives(message, connection), at: time) }
    }

    /// When a message arrives: once, never, or twice.
    private func arrivals(_ connection: Connection, isSafe: Bool) -> [Instant] {
        if scenario.isInstant { return [now] }
        let troubles = isTroubled ? scenario.troubles : Scenario.Troubles()
        if !isSafe, happens(troubles.lost) { return [] }
        if !isSafe, let end = cutOff[connection.index], now < end, happens(0.5) { return [] }
        var first = now + (happens(troubles.slow) ? seconds(0.1...3) : seconds(0.0002...0.005))
        if let end = cutOff[connection.index], now < end { first = max(first, end + seconds(0...0.1)) }
        if !happens(troubles.reordered) {
            first = max(first, lastArrival[connection] ?? first)
            lastArrival[connection] = first
        }
        return happens(troubles.duplicated) ? [first, first + seconds(0...2)] : [first]
    }

    /// A heartbeat goes its own way; nothing is said again when it is lost.
    func beatDelay(_ index: Int) -> Duration? {
        if scenario.isInstant { return .zero }
        if let end = cutOff[index], now < end { return nil }
        let troubles = isTroubled ? scenario.troubles : Scenario.Troubles()
        if happens(troubles.lost) { return nil }
        return happens(troubles.slow) ? seconds(0.1...3) : seconds(0.0002...0.005)
    }

    // MARK: - At the coordinator

    func receive(_ message: SlotMessage, _ connection: Connection) {
        guard let process = coordinator, process.life == connection.life, !isRevoked(connection.index) else { return }
        if case .register(let spec, let holding) = message {
            process.peers.register(connection.peer, as: spec.slot)
            if putBack.contains(.bindsOnReceipt) { process.peers.welcome(spec.slot, connection.peer) }
            return enqueue(.slotRegistered(spec, holding: holding))
        }
        guard let slot = process.peers.slot(of: connection.peer) else { return }
        switch message {
        case .register: break
        case .started(let holding): enqueue(.started(slot: slot, holding))
        case .progress(let holding, let done, let total):
            enqueue(.progress(slot: slot, holding, done: done, total: total))
        case .finished(let holding, let segment): enqueue(.finished(slot: slot, holding, segment))
        case .failed(let holding, let error): enqueue(.failed(slot: slot, holding, error, unitsDone: 0))
        case .released(let holding): enqueue(.released(slot: slot, holding))
        case .sending(let holding): enqueue(.sending(slot: slot, holding))
        case .leaving: enqueue(.leaving(slot: slot))
        case .draining: enqueue(.draining(slot: slot))
        case .assetsChecked(let job, let error):
            if error == nil { ledger.able.insert("\(spec(of: connection.index).worker) \(job)") }
            enqueue(.assetsChecked(slot: slot, job: job, error))
        }
    }

    func receive(_ beat: Beat) {
        guard coordinator != nil, !isRevoked(beat.index) else { return }
        coordinator?.beats[beat.slot] = (beat.index, beat.process)
        enqueue(.heartbeat(slot: beat.slot, holding: beat.holding, isStill: beat.isStill))
    }

    func answerBeat(_ slot: String, _ known: Bool, _ isValid: Bool) {
        guard let (index, process) = coordinator?.beats.removeValue(forKey: slot), let delay = beatDelay(index) else {
            return
        }
        let reply = SlotEvent.heartbeatReply(known: known, leaseValid: isValid)
        agenda.add(.slotTurns(index: index, process: process, reply), at: now + delay)
    }
}
