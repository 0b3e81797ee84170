import ArgumentParser
import Diagnostics
import Foundation
import Logging
import Media
import Transport
import Worker

struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Render chunks for a coordinator, one per slot.",
        discussion: """
            Each slot is a process of its own, so that one that hangs or leaks is ended alone. SIGTERM drains: the \
            chunks in hand are finished or handed back. All ends must see the same files under the same paths.
            """)

    @OptionGroup var coordinator: EndpointOptions

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

    func validate() throws {
        if let slots, !(1...256).contains(slots) { throw ValidationError("--slots takes 1 to 256") }
    }

    func run() throws {
        try refuseUnlessLocal()
        let name = slotOf ?? name ?? ProcessInfo.processInfo.hostName
        if slotOf != nil { runSlot(of: name) }
        var arguments = ["worker", "--slot-of", name, "--connect", coordinator.endpoint]
        for root in roots { arguments += ["--root", try absolutePath(root)] }
        if insecure { arguments.append("--insecure") }
        let logger = ServiceLog.make("worker")
        let count = slots ?? Machine.defaultWorkers
        logger.info(
            "connecting, and waiting for the coordinator if it is not there",
            metadata: ["endpoint": "\(coordinator.endpoint)", "slots": "\(count)"])
        let supervisor = SlotSupervisor(arguments: arguments, count: count, logger: logger)
        try supervisor.start()
        let ended = DispatchSemaphore(value: 0)
        let interruption = Interruption(
            status: ExitStatus.cancelled.rawValue,
            first: {
                supervisor.drain(timeout: .seconds(15))
                ended.signal()
            }, second: { supervisor.hurry() })
        // The main thread has nothing else to do.
        ended.wait()
        withExtendedLifetime(interruption) {}
    }

    private func runSlot(of name: String) -> Never {
        var configuration = SlotConfiguration(
            endpoint: coordinator.endpoint, workerName: name,
            slotName: SlotConfiguration.uniqueSlotName(worker: name), roots: roots, watchStandardInput: true)
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
