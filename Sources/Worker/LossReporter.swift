import FarmProtocol
import Synchronization
package import Transport

/// Tells the coordinator of slots whose process ended without a goodbye, which is quicker than waiting for silence.
/// Used by the parent that reaps them; has no thread and no socket before the first report.
package final class LossReporter: Sendable {
    private enum State {
        case unused
        case open(LossLine)
        case closed
    }

    private let endpoint: String
    private let security: LinkSecurity
    private let state = Mutex(State.unused)

    package init(endpoint: String, security: LinkSecurity = .open) {
        self.endpoint = endpoint
        self.security = security
    }

    /// Reports a slot's end, from any thread; returns at once. The slot's silence tells later what cannot be told now.
    package func report(slot: String, reason: String, isOutOfMemory: Bool = false) {
        state.withLock { state in
            if case .unused = state, let line = try? LossLine(endpoint: endpoint, security: security) {
                state = .open(line)
            }
            if case .open(let line) = state { line.tell(slot, reason, isOutOfMemory) }
        }
    }

    /// Sends reports that are under way; blocks for a third of a second at most, while nobody takes them. Idempotent.
    package func close() {
        let line: LossLine? = state.withLock { state in
            defer { state = .closed }
            if case .open(let line) = state { return line }
            return nil
        }
        line?.end()
    }
}

private actor LossLine {
    private let loop: EventLoop
    private let endpoint: String
    private var socket: SocketID?

    init(endpoint: String, security: LinkSecurity) throws {
        var limits = TransportLimits()
        limits.linger = .milliseconds(300)
        loop = try EventLoop(name: "losses", limits: limits, security: security)
        self.endpoint = endpoint
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    nonisolated func tell(_ slot: String, _ reason: String, _ isOutOfMemory: Bool) {
        loop.post { self.assumeIsolated { try? $0.send(slot, reason, isOutOfMemory) } }
    }

    nonisolated func end() { loop.shutDown() }

    private func send(_ slot: String, _ reason: String, _ isOutOfMemory: Bool) throws {
        let socket = try socket ?? connect()
        var message = Splitreel_Farm_SlotEnded()
        message.slot = slot
        message.reason = reason
        message.outOfMemory = isOutOfMemory
        _ = try loop.send([try Splitreel_Farm_Envelope(.slotEnded(message)).frame()], on: socket)
    }

    private func connect() throws -> SocketID {
        let opened = try loop.open(.dealer) { _ in }
        socket = opened
        try loop.connect(opened, to: endpoint)
        return opened
    }
}
