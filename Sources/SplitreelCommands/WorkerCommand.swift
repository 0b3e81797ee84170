import ArgumentParser
import Diagnostics
import Foundation
import Logging
import Media
import Synchronization
import Transport
import Worker

struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Render chunks for a coordinator, one per slot.",
        discussion: """
            Each slot is a process of its own, so that one that hangs or leaks is ended alone. SIGTERM drains: the \
            chunks in hand are finished or handed back; a second signal ends it at once. All ends must see the same \
            files under the same paths.
            """)

    @OptionGroup var coordinator: ConnectOptions

    @Option(help: "Chunks rendered at a time (default: the cores, at most one per GiB of memory).")
    var slots: Int?

    @Option(help: "What others see this worker as (default: the machine's name).")
    var name: String?

    @Option(name: .customLong("root"), help: "Only media under this folder; may be given several times.")
    var roots: [String] = []

    @Flag(help: "Connect off loopback without authentication.")
    var insecure = false

    @Option(help: .hidden)
    var slotOf: String?

    @Option(help: .hidden)
    var slotToken: String?

    func validate() throws {
        if let slots, !(1...256).contains(slots) { throw ValidationError("--slots takes 1 to 256") }
    }

    func run() throws {
        try refuseUnlessLocal()
        let name = slotOf ?? name ?? ProcessInfo.processInfo.hostName
        if slotOf != nil { runSlot(of: name) }
        let token = SlotConfiguration.newToken()
        var arguments = ["worker", "--slot-of", name, "--slot-token", token, "--connect", coordinator.endpoint]
        for root in roots { arguments += ["--root", absolutePath(root)] }
        if insecure { arguments.append("--insecure") }
        let losses = LossReporter(endpoint: coordinator.endpoint)
        let supervisor = SlotSupervisor(
            arguments: arguments, count: slots ?? Machine.defaultWorkers, logger: ServiceLog.make("worker"),
            onEnd: { end in
                if end.exitStatus == SlotExit.left || end.exitStatus == SlotExit.refused { return }
                losses.report(
                    slot: SlotConfiguration.slotName(worker: name, pid: end.pid, token: token), reason: end.words)
            })
        try supervisor.start()
        let leaving = Leaving()
        let interruption = Interruption(
            status: ExitStatus.cancelled.rawValue,
            // On a thread of its own: the next signal must not wait for the drain.
            first: {
                Thread.detachNewThread {
                    supervisor.drain(timeout: .seconds(15))
                    leaving.drained()
                }
            },
            second: {
                leaving.hurry()
                supervisor.kill()
                losses.close()
            })
        // The main thread has nothing else to do.
        leaving.wait()
        losses.close()
        withExtendedLifetime(interruption) {}
    }

    private func runSlot(of name: String) -> Never {
        var configuration = SlotConfiguration(
            endpoint: coordinator.endpoint, workerName: name,
            slotName: SlotConfiguration.slotName(worker: name, token: slotToken ?? SlotConfiguration.newToken()),
            roots: roots, watchStandardInput: true)
        configuration.encoders = availableEncoders()
        configuration.release = Release.version
        // The parent reads the status: it tells whether to start the slot again.
        Foundation.exit(runWorkerSlot(configuration, logger: ServiceLog.make("slot")))
    }

    /// What leaves this machine in the clear must be asked for.
    private func refuseUnlessLocal() throws {
        guard !insecure, !isLocal(endpoint: coordinator.endpoint) else { return }
        throw SplitreelError(
            .refused, operation: "connecting", subject: coordinator.endpoint,
            reason: "it is not on this machine, and there is no authentication yet",
            hint: "on a network of your own say --insecure")
    }
}

/// How a worker's parent comes to its end: after the drain, unless a second signal ends it first.
private final class Leaving: Sendable {
    private let isHurried = Mutex(false)
    private let end = DispatchSemaphore(value: 0)

    /// From now on whoever was told to hurry ends the process, with a status of its own.
    func hurry() { isHurried.withLock { $0 = true } }

    func drained() {
        if !isHurried.withLock({ $0 }) { end.signal() }
    }

    func wait() { end.wait() }
}
