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
///
/// - Parameter media: the words that start this program as the slot's media half; nil to render in this process.
package func runWorkerSlot(
    _ configuration: SlotConfiguration, media: MediaHalfArguments? = nil, logger: Logger
) -> Int32 {
    // Started through /proc/self/exe, the process would be called `exe` in top.
    nameThisProcess(ProcessTitle.text)
    do {
        let signals = try SignalRelay.install()
        if configuration.watchStandardInput { SignalRelay.dieWithParent() }
        var configuration = configuration
        try configuration.decideOpening()
        let half = media.map { media in
            MediaHalf(
                configuration, start: { try HalfProcess.start(arguments: media.words, takesBlocks: $0) },
                onCrash: { endThisProcess(like: $0) })
        }
        try half?.prepare()
        if configuration.tokenSource != nil { hideThisProcess() }
        let render = half.map { rendering(by: $0) } ?? rendering(with: SegmentRenderer(opener: configuration.opener))
        let slot = try WorkerSlot(
            configuration, logger: logger,
            exitNow: { status in
                half?.end()
                _exit(status)
            },
            work: { [ProcessWork(of: getpid()), half?.work].compactMap { $0 } },
            render: render)
        let status = slot.run(signals: signals)
        half?.end()
        return status
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

/// The function that has a media half render.
private func rendering(by half: MediaHalf) -> RenderFunction {
    { plan, hash, task, key, path, progress, cancellation in
        try half.render(
            plan: plan, planHash: hash, task: task, key: key, segmentPath: path, progress: progress,
            cancellation: cancellation)
    }
}

/// Ends this process as its media half ended, by that signal or with that status: whoever keeps the slot is told of the
/// end that there was. A status that a slot says something else with becomes a failure's.
private func endThisProcess(like status: Int32) {
    let number = status & 0x7F
    if number != 0 {
        signal(number, SIG_DFL)
        raise(number)
    }
    let code = (status >> 8) & 0xFF
    let own = [SlotExit.left, SlotExit.hopeless, SlotExit.lockedOut, SlotExit.refused, SlotExit.handedBack]
    _exit(own.contains(code) ? ExitStatus.failed.rawValue : code)
}
