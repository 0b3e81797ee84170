import Diagnostics
import Glibc
package import Logging
import Rendering
import Scheduling
import Threads
import Transport

enum ProcessTitle {
    static let text = "splitreel"
}

/// Runs this process as one slot of a worker: blocks until it has left and answers the exit status.
///
/// Takes over the process's signals: SIGTERM drains (twice: ends at once), SIGINT and SIGPIPE are ignored, since the
/// parent decides. Dies with its parent even if its own loop hangs, if it watches standard input.
package func runWorkerSlot(_ configuration: SlotConfiguration, logger: Logger) -> Int32 {
    // Started through /proc/self/exe, the process would be called `exe` in top.
    nameThisProcess(ProcessTitle.text)
    do {
        let signals = try SignalRelay.install()
        if configuration.watchStandardInput { SignalRelay.dieWithParent() }
        var configuration = configuration
        try configuration.decideOpening()
        let renderer = SegmentRenderer(opener: configuration.opener)
        let slot = try WorkerSlot(configuration, logger: logger) {
            plan, hash, task, key, path, progress, cancellation in
            try renderer.render(
                plan: plan, planHash: hash, task: task, key: key, segmentPath: path, progress: progress,
                cancellation: cancellation)
        }
        return slot.run(signals: signals)
    } catch let error as SplitreelError {
        logger.error(
            "worker slot cannot start", metadata: ["error.code": "\(error.code.number)", "reason": "\(error)"])
        SupervisorLine.noteHopeless(error, configuration)
        return error.code.exit == .usage ? SlotExit.hopeless : error.code.exit.rawValue
    } catch {
        logger.error("worker slot cannot start", metadata: ["reason": "\(error)"])
        return ExitStatus.failed.rawValue
    }
}
