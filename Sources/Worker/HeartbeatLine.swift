import Diagnostics
import FarmProtocol
import Foundation
import Scheduling
import Synchronization
import Threads
import Transport

/// The state of a machine that a heartbeat tells, for whoever asks how the farm is.
struct BeatFacts: Sendable {
    /// The free bytes in the folder for data; nil where they are not known.
    var diskFree: Int64?
    /// The bytes a second that the link carried of late; nil where they were not measured.
    var linkRate: Double?
    /// The finished segments that wait to be sent.
    var waiting = 0
}

/// A slot's heartbeats: a socket and a thread of their own, so that neither rendering nor control traffic delays them.
actor HeartbeatLine {
    private let loop: EventLoop
    private let slot: String
    /// The lease that the slot holds, set by its own loop.
    private let holding = Mutex<Holding?>(nil)
    private let reply: @Sendable (_ known: Bool, _ leaseValid: Bool) -> Void
    /// The work that the slot's processes have done so far.
    private let work: @Sendable () -> [ProcessWork]
    /// The state of the machine, from any thread and at once; nil where nothing of it is told.
    private let facts: (@Sendable () -> BeatFacts)?
    private var socket: SocketID?
    private var timer: TimerID?
    private var lastWork: [ProcessWork] = []
    private var current: (endpoint: String, interval: Duration)?

    init(
        slot: String, security: LinkSecurity, work: @escaping @Sendable () -> [ProcessWork],
        facts: (@Sendable () -> BeatFacts)?,
        reply: @escaping @Sendable (_ known: Bool, _ leaseValid: Bool) -> Void
    ) throws {
        // While the coordinator is away, a few old heartbeats are enough to find it again.
        var limits = TransportLimits()
        limits.highWaterMark = 4
        limits.linger = .zero
        loop = try EventLoop(name: "heartbeat", limits: limits, security: security)
        self.slot = slot
        self.work = work
        self.facts = facts
        self.reply = reply
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    nonisolated func hold(_ newHolding: Holding?) { holding.withLock { $0 = newHolding } }

    /// Beats at once and then every `interval`. The same endpoint and interval again change nothing.
    nonisolated func start(endpoint: String, interval: Duration, failure: @escaping @Sendable (any Error) -> Void) {
        loop.post {
            self.assumeIsolated { line in
                do {
                    try line.begin(endpoint, interval)
                } catch {
                    failure(error)
                }
            }
        }
    }

    /// Ends the heartbeats; from any thread but its own.
    nonisolated func end() { loop.shutDown() }

    private func begin(_ endpoint: String, _ interval: Duration) throws {
        if let current, current == (endpoint, interval) { return }
        if let socket { loop.close(socket) }
        if let timer { loop.cancel(timer) }
        socket = nil
        timer = nil
        current = nil
        let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        socket = opened
        try loop.connect(opened, to: endpoint)
        current = (endpoint, interval)
        timer = loop.every(interval) { [weak self] in self?.assumeIsolated { $0.beat() } }
        beat()
    }

    private func beat() {
        guard let socket else { return }
        var heartbeat = Splitreel_Farm_Heartbeat()
        heartbeat.slot = slot
        if let holding = holding.withLock({ $0 }) { heartbeat.holding = holding.wire }
        let work = self.work()
        if !work.isEmpty, work.count == lastWork.count {
            heartbeat.isStill = zip(work, lastWork).allSatisfy { $0.isStill(since: $1) }
        }
        lastWork = work
        if let facts = facts?() {
            heartbeat.clock = Date().timeIntervalSince1970
            if let free = facts.diskFree { heartbeat.diskFree = UInt64(clamping: free) }
            heartbeat.linkRate = facts.linkRate ?? 0
            heartbeat.waiting = UInt32(clamping: facts.waiting)
        }
        guard let frame = try? Splitreel_Farm_Envelope(.heartbeat(heartbeat)).frame() else { return }
        // A full queue means that nobody has taken the last heartbeats; the brain notices the silence by itself.
        _ = try? loop.send([frame], on: socket)
    }

    private func receive(_ frames: [[UInt8]]) {
        guard let frame = frames.first, frames.count == 1, case .message(let envelope) = ReceivedFrame(frame),
            case .heartbeatReply(let answer)? = envelope.body, answer.slot == slot
        else { return }
        reply(answer.known, answer.leaseValid)
    }

    /// The endpoint by which heartbeats are reached. A coordinator that listens on all addresses cannot know it: the
    /// control endpoint's host takes the place of a wildcard.
    static func reachable(_ endpoint: String, control: String) -> String {
        Endpoint.reachable(endpoint, control: control)
    }
}
