import Diagnostics
import FarmProtocol
import Glibc
import Logging
import Rendering
import Scheduling
import Transfer
import Transport

/// Carries out what a slot's brain decides; lives on the slot's own loop.
actor SlotHands {
    private let loop: EventLoop
    private let configuration: SlotConfiguration
    private let renderer: LeaseRenderer
    private let heartbeats: HeartbeatLine
    private let transfer: SlotTransfer?
    /// The slot's word to whoever asks on its machine; nil where it has no folder for it.
    private let sign: ReadySign?
    private let logger: Logger
    private let end: @Sendable (_ status: Int32, _ atOnce: Bool) -> Void
    private let origin = ContinuousClock.now
    private var brain: SlotBrain
    private var socket: SocketID?
    private var cancellation: Cancellation?
    private var isWelcome = false
    /// Whether the slot was told that the other end does not speak with it.
    private var isLockedOut = false
    private var watched: [Int32: DescriptorID] = [:]

    /// `end` is called once, on the loop, with the status that the process should end with; `atOnce` means now.
    init(
        loop: EventLoop, configuration: SlotConfiguration, renderer: LeaseRenderer, heartbeats: HeartbeatLine,
        transfer: SlotTransfer?, logger: Logger, end: @escaping @Sendable (_ status: Int32, _ atOnce: Bool) -> Void
    ) {
        self.loop = loop
        self.configuration = configuration
        self.renderer = renderer
        self.heartbeats = heartbeats
        self.transfer = transfer
        sign = configuration.dataFolder.map { ReadySign(ofSlot: configuration.slotName, data: $0) }
        self.logger = logger
        self.end = end
        brain = SlotBrain(limits: configuration.limits, sending: transfer?.left?.work)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Posts an event, from any thread; handled in order on the loop, dropped after its end.
    nonisolated func post(_ event: SlotEvent) {
        loop.post { self.assumeIsolated { $0.handle(event) } }
    }

    /// Watches descriptors, starts the clock and registers; from any thread.
    nonisolated func begin(signals: Int32?) {
        loop.post { self.assumeIsolated { $0.start(signals) } }
    }

    private func start(_ signals: Int32?) {
        do {
            if configuration.watchStandardInput { try watch(STDIN_FILENO, atEnd: .inputClosed) }
            if let signals { try watch(signals, eachByte: .terminate) }
        } catch {
            fail(error)
        }
        if let left = transfer?.left {
            logger.notice(
                "goes on with a segment that an earlier process finished",
                metadata: ["job.id": "\(left.holding.job)", "segment": "\(left.segment)"])
        }
        loop.every(configuration.limits.tick) { [weak self] in self?.assumeIsolated { $0.tick() } }
        handle(.begin)
    }

    private func tick() {
        if !isLockedOut, let socket, let fault = loop.linkFault(of: socket) {
            isLockedOut = true
            let hasToken = configuration.tokenSource != nil
            handle(.refused(fault.error(connecting: configuration.endpoint, hasToken: hasToken)))
        }
        handle(.tick)
    }

    private func watch(_ descriptor: Int32, atEnd: SlotEvent? = nil, eachByte: SlotEvent? = nil) throws {
        watched[descriptor] = try loop.watch(descriptor) { [weak self] in
            self?.assumeIsolated { hands in
                var byte: UInt8 = 0
                let count = unsafe read(descriptor, &byte, 1)
                if count == 1 {
                    if let eachByte { hands.handle(eachByte) }
                } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                    if let id = hands.watched.removeValue(forKey: descriptor) { hands.loop.unwatch(id) }
                    if let atEnd { hands.handle(atEnd) }
                }
            }
        }
    }

    private func handle(_ event: SlotEvent) {
        if case .welcome = event { isWelcome = true }
        let actions = brain.handle(event, now: Instant(nanoseconds: (ContinuousClock.now - origin).nanoseconds))
        for action in actions { perform(action) }
        tell(event)
    }

    /// Says on this machine what the event made of the slot.
    private func tell(_ event: SlotEvent) {
        guard !brain.isDraining else {
            sign?.lower()
            return
        }
        switch event {
        case .welcome, .heartbeatReply(known: true, _):
            if isWelcome { sign?.raise() }
        default: break
        }
    }

    private func perform(_ action: SlotAction) {
        switch action {
        case .register(let holding): register(holding)
        case .startHeartbeat(let endpoint, let interval): startHeartbeats(endpoint, interval)
        case .hold(let holding): heartbeats.hold(holding)
        case .startRender(let order):
            let cancellation = Cancellation()
            self.cancellation = cancellation
            renderer.start(order, cancellation: cancellation) { [weak self] event in self?.post(event) }
        case .cancelRender: cancellation?.cancel()
        case .deliver(let order): transfer?.deliver(order)
        case .discard(let order):
            renderer.discard(order)
            transfer?.discard(order)
        case .noteChunkDone: SupervisorLine.noteChunkDone(configuration)
        case .noteHopeless(let error): SupervisorLine.noteHopeless(error, configuration)
        case .startAssetCheck(let order):
            renderer.check(order) { [weak self] error in self?.post(.assetsChecked(job: order.job, error)) }
        case .log(let note): logger.log(note, endpoint: configuration.endpoint)
        case .leave(let status): leave(status)
        case .abort(let status): end(status, true)
        case .sendStarted, .sendProgress, .sendFinished, .sendFailed, .sendReleased, .sendSending, .sendDraining,
            .sendAssetsChecked:
            if let message = action.message { send(message) }
        }
    }

    // MARK: - Control socket

    /// Registers by a fresh socket, so that no earlier registration waits in a queue behind this one.
    private func register(_ holding: Holding?) {
        isWelcome = false
        sign?.lower()
        do {
            if let socket { loop.close(socket) }
            socket = nil
            let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
            socket = opened
            try loop.connect(opened, to: configuration.endpoint, watchesLink: true)
            send(.register(configuration.registration(holding: holding)))
        } catch {
            fail(error)
        }
    }

    private func receive(_ frames: [[UInt8]]) {
        guard let frame = frames.first, frames.count == 1 else { return }
        switch ReceivedFrame(frame) {
        case .message(let envelope):
            guard let body = envelope.body, let event = SlotEvent(body) else { return }
            if case .welcome(let welcome) = body, !welcome.dataEndpoint.isEmpty {
                transfer?.line.link(
                    to: HeartbeatLine.reachable(welcome.dataEndpoint, control: configuration.endpoint))
            }
            handle(event)
        case .otherMajor(let major, _):
            handle(.refused(Splitreel_Farm_Envelope.versionMismatch(theirs: major)))
        case .unknownBody, .malformed:
            logger.debug("message ignored", metadata: ["bytes": "\(frame.count)"])
        }
    }

    private func send(_ body: Splitreel_Farm_Envelope.OneOf_Body) {
        guard let socket else { return }
        do {
            let result = try loop.send([try Splitreel_Farm_Envelope(body).frame()], on: socket)
            // Important messages are said again until they are acknowledged.
            if result != .sent { logger.debug("message not sent") }
        } catch {
            fail(error)
        }
    }

    private func startHeartbeats(_ endpoint: String, _ interval: Duration) {
        let endpoint = HeartbeatLine.reachable(endpoint, control: configuration.endpoint)
        heartbeats.start(endpoint: endpoint, interval: interval) { [weak self] error in self?.report(error) }
    }

    nonisolated private func report(_ error: any Error) {
        logger.error("transport failed", metadata: ["reason": "\(error)"])
    }

    /// Reports a failed call. None is fatal: the brain notices the silence and connects anew.
    private func fail(_ error: any Error) { report(error) }

    // MARK: - End

    private func leave(_ status: Int32) {
        if isWelcome {
            var leaving = Splitreel_Farm_Leaving()
            leaving.slot = configuration.slotName
            send(.leaving(leaving))
        }
        cancellation?.cancel()
        end(status, false)
    }
}
