import Diagnostics
import Glibc
import KeyFiles
package import Logging
import Scheduling
import Synchronization
package import Threads
import Transfer
import Transport

/// One process's slot: registers with a coordinator, renders one lease after the other, and leaves when told to.
///
/// Two threads with an event loop each (control; heartbeats), a third one for bytes where the coordinator's files are
/// elsewhere, and one thread per render.
package final class WorkerSlot: Sendable {
    private let loop: EventLoop
    private let heartbeats: HeartbeatLine
    private let transfer: SlotTransfer?
    private let hands: SlotHands
    private let ending: Ending

    /// Makes the slot. Throws `.usage` for an endpoint or a root that cannot be, `.keyFileUnusable` for a token.
    /// `exitNow` ends the process without cleaning up; it may return in tests. `work` tells what the slot's processes
    /// have done so far, so that it is seen where they stand still.
    package init(
        _ configuration: SlotConfiguration, logger: Logger,
        exitNow: @escaping @Sendable (Int32) -> Void = { _exit($0) },
        work: @escaping @Sendable () -> [ProcessWork] = { [ProcessWork(of: getpid())].compactMap { $0 } },
        render: @escaping RenderFunction
    ) throws {
        _ = try Endpoint(configuration.endpoint)
        let security = try configuration.tokenSource?.token().security() ?? .open
        let relay = Shared()
        let transfer = try configuration.dataFolder.map { folder in
            try SlotTransfer(folder: folder, slot: configuration.slotName, security: security) {
                relay.hands?.post($0)
            }
        }
        self.transfer = transfer
        if let transfer { configuration.sourceHands?.use(transfer.line) }
        let renderer: LeaseRenderer
        let loop: EventLoop
        do {
            renderer = try LeaseRenderer(configuration: configuration, transfer: transfer, render: render)
            loop = try EventLoop(name: "slot", security: security)
        } catch {
            transfer?.stop()
            throw error
        }
        let ending = Ending(exitNow: exitNow)
        do {
            heartbeats = try HeartbeatLine(
                slot: configuration.slotName, security: security, work: work,
                facts: Self.facts(configuration, transfer)
            ) { known, leaseValid in
                relay.hands?.post(.heartbeatReply(known: known, leaseValid: leaseValid))
            }
        } catch {
            loop.shutDown()
            transfer?.stop()
            throw error
        }
        hands = SlotHands(
            loop: loop, configuration: configuration, renderer: renderer, heartbeats: heartbeats, transfer: transfer,
            logger: logger
        ) { status, atOnce in ending.end(status, atOnce) }
        self.loop = loop
        self.ending = ending
        relay.set(hands)
    }

    /// The function that tells a heartbeat the machine's state; nil where nothing of the machine is told.
    private static func facts(
        _ configuration: SlotConfiguration, _ transfer: SlotTransfer?
    ) -> (@Sendable () -> BeatFacts)? {
        guard configuration.fontFiles != nil else { return nil }
        let disk = configuration.dataFolder.map { DiskLook($0) }
        return {
            BeatFacts(diskFree: disk?.free, linkRate: transfer?.line.linkRate, waiting: transfer?.waiting ?? 0)
        }
    }

    /// Runs the slot: blocks until it has left; answers the status for the process. `signals` is a non-blocking
    /// descriptor with one byte for each SIGTERM. To be called once.
    package func run(signals: Int32? = nil) -> Int32 {
        hands.begin(signals: signals)
        let status = ending.wait()
        heartbeats.end()
        loop.shutDown()
        transfer?.stop()
        return status
    }

    /// Does what SIGTERM does; from any thread.
    package func terminate() { hands.post(.terminate) }

    /// Ends what is in hand, since nobody wants it any more, and leaves; from any thread, returns at once.
    package func abandon() { hands.post(.inputClosed) }

    /// The hands, shared with the heartbeats: both know each other, and this is set before either runs.
    private final class Shared: Sendable {
        private let state = Mutex<SlotHands?>(nil)
        var hands: SlotHands? { state.withLock { $0 } }
        func set(_ hands: SlotHands) { state.withLock { $0 = hands } }
    }

    private final class Ending: Sendable {
        private let status = OneShot<Int32>()
        private let exitNow: @Sendable (Int32) -> Void

        init(exitNow: @escaping @Sendable (Int32) -> Void) { self.exitNow = exitNow }

        func end(_ newStatus: Int32, _ atOnce: Bool) {
            if atOnce { exitNow(newStatus) }
            status.set(newStatus)
        }

        func wait() -> Int32 { status.wait() }
    }
}
