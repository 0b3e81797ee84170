import Diagnostics
import Foundation
import LocalFarm
import Logging
import SplitreelFiles
import Synchronization
import Threads

/// Makes this process a worker, or a reader of media, of the program that started it, and never returns then; does
/// nothing in a process that a person started. To be called at the start of `main`, after everything has been
/// registered, and before anything opens a file, starts a thread or prints:
///
///     register(effect: Negative(), description: Description("example.negative", "Negative colours"))
///     serveFarmIfAsked()
///
/// `ExportSession` and `serve` start such processes as this same program, with `worker --slot-of …` or
/// `media --memory …` as arguments. Without this line sessions render by threads of the process, and media are read
/// unconfined.
public func serveFarmIfAsked() { FarmChild.serve() }

/// Makes this program a worker of a farm, with all that it has registered: renders chunks for a coordinator until the
/// task is cancelled, one a slot.
///
///     register(effect: Negative(), description: Description("example.negative", "Negative colours"))
///     serveFarmIfAsked()
///     try await serve("tcp://10.0.0.2:7733", token: "worker.token")
///
/// Each slot is a process of its own: this same program, started again. A coordinator that is not there is waited for.
/// A cancelled task begins no chunk; those in hand are finished and sent within some seconds, else handed back, and the
/// call returns. Where `SPLITREEL_LOG` names a level, it logs to standard error; else it prints nothing. A process that
/// has a token writes no core file from then on, and other processes of its user cannot look into it.
///
/// - Parameters:
///   - endpoint: the coordinator's, such as `tcp://10.0.0.2:7733` or `ipc:///run/farm/control`.
///   - token: the path of the token's file, or the token's text; nil for what the variable `SPLITREEL_TOKEN` has, else
///     for none. The slots find a text in that variable.
///   - slots: the chunks that are rendered at a time, 1 to 256; nil for one a core, at most one for each GiB of memory.
///   - name: what others see this worker as; nil for the machine's name.
///   - data: the folder where segments wait until they are sent, and where media that come from afar are kept. nil for
///     none, or, where the coordinator is on another machine, for `~/.local/state/splitreel/worker`.
///   - insecure: connects to another machine without a token.
///   - sandbox: whether the processes that read media are confined. false where a kernel cannot, and that is accepted.
/// - Throws: `SplitreelError`: `usage` where `main` has not called `serveFarmIfAsked()`, `refused` for a coordinator
///   elsewhere without a token or without a sandbox, `keyFileUnusable`; and where no retry can help, as with a key
///   that is not let in.
public func serve(
    _ endpoint: String, token: String? = nil, slots: Int? = nil, name: String? = nil, data: String? = nil,
    insecure: Bool = false, sandbox: Bool = true
) async throws {
    if let slots, !(1...256).contains(slots) {
        throw SplitreelError(
            .usage, operation: "starting a worker", subject: "\(slots) slots", reason: "a worker has 1 to 256")
    }
    let leaving = ServeLeaving()
    try await withTaskCancellationHandler {
        try await onThread("worker") {
            Result {
                let environment = ProcessInfo.processInfo.environment
                var settings = WorkerSettings(
                    connect: endpoint, slots: slots ?? MachineShare.current.defaultWorkers,
                    drainSeconds: WorkerSettings.usualDrain, name: name ?? MachineName.current)
                settings.take(token: token, environment)
                settings.data = try data.map(absolutePath)
                settings.insecure = insecure
                settings.sandbox = sandbox
                settings.chooseData(environment)
                try leaving.run(settings)
            }.mapError { SplitreelError.wrapping($0).told(\.property) }
        }.get()
    } onCancel: {
        leaving.leave()
    }
}

/// A worker of a program, and the wish that it leaves. From any thread.
private final class ServeLeaving: Sendable {
    private struct State {
        var isLeaving = false
        var worker: FarmWorker?
    }

    private let state = Mutex(State())

    /// Works until it is told to leave. Blocks.
    func run(_ settings: WorkerSettings) throws {
        guard !state.withLock({ $0.isLeaving }) else { return }
        let logs = ServiceLog.level != nil
        let logger =
            logs ? ServiceLog.make("worker") : Logger(label: "worker") { _ in SwiftLogNoOpLogHandler() }
        let worker = try FarmWorker(settings, logsSlots: logs, logger: logger)
        let isLeaving = state.withLock { state in
            state.worker = worker
            return state.isLeaving
        }
        if isLeaving { worker.drain() }
        guard let hopelessness = worker.wait() else { return }
        throw SplitreelError(
            .refused, operation: "serving the farm", subject: settings.connect, reason: hopelessness.reason)
    }

    func leave() {
        let worker = state.withLock { state in
            state.isLeaving = true
            return state.worker
        }
        worker?.drain()
    }
}
