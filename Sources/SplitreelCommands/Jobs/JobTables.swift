import Diagnostics
package import FarmProtocol
import Scheduling
import SplitreelFiles

/// The tables that `jobs`, `job` and `workers` print for people.
package enum JobTables {
    package static func jobs(_ jobs: [Splitreel_Farm_JobReport], now: Double) -> String {
        var table = TextTable([
            .init("JOB"), .init("STATE"), .init("DONE", .right), .init("FRAMES", .right), .init("CHUNKS", .right),
            .init("RATE", .right), .init("LEFT", .right), .init("ELAPSED", .right), .init("OUTPUT"),
        ])
        for job in jobs {
            let progress = JobProgress(job, now: now)
            let work = progress.work
            table.add(
                [
                    job.job, progress.state, "\(work.percent) %",
                    work.frames > 0 ? "\(work.framesDone)/\(work.frames)" : "",
                    work.chunks > 0 ? "\(work.chunksDone)/\(work.chunks)" : "",
                    progress.framesPerSecond.map(ForPeople.speed) ?? "",
                    progress.secondsLeft.map(ForPeople.clock) ?? "", progress.elapsed.map(ForPeople.clock) ?? "",
                    job.shownOutput + (job.severalOutputs.map { " and \($0.count - 1) more" } ?? ""),
                ], note: reason(job))
        }
        return table.text
    }

    /// The reason why a job failed; empty where it did not.
    private static func reason(_ job: Splitreel_Farm_JobReport) -> String {
        guard job.hasProblem, job.jobState != .cancelled else { return "" }
        let error = SplitreelError(job.problem)
        return Paint.text("error \(error.code.number)", .red) + ": " + error.oneLine
    }

    package static func job(_ job: Splitreel_Farm_JobReport, now: Double) -> String {
        let head = "job \(job.job.printable)  " + JobProgress(job, now: now).summary
        let outputs = (job.severalOutputs ?? [job.shownOutput]).map { "output \($0.printable)" }
        let waiting = job.remarks.map { "waiting: \($0.printable)" }
        return ([head] + outputs + waiting + (job.chunks.isEmpty ? [] : chunks(job.chunks))).joined(separator: "\n")
    }

    private static func chunks(_ chunks: [Splitreel_Farm_ChunkReport]) -> [String] {
        var table = TextTable([
            .init("CHUNK", .right), .init("KIND"), .init("STATE"), .init("TRY", .right), .init("DONE", .right),
            .init("FRAMES"), .init("TIME", .right), .init("WORKER"),
        ])
        for chunk in chunks {
            let kind = TaskClass(rawValue: chunk.kind)
            let (isSound, isAnalysis) = (kind?.isSound == true, kind == .analysis)
            let done = WorkDone(frames: Int(chunk.frameCount), framesDone: Int(chunk.unitsDone))
            let last = UInt64(chunk.firstFrame) + UInt64(max(1, chunk.frameCount)) - 1
            let isDone = chunk.taskState == .done
            table.add(
                [
                    isSound ? "sound" : isAnalysis ? "" : "\(chunk.index)", kind == .audio ? "" : chunk.kind,
                    chunk.state,
                    chunk.attempt > 0 ? "\(chunk.attempt)" : "", isDone ? "100 %" : "\(done.percent) %",
                    isSound ? "" : "\(chunk.firstFrame)…\(last)",
                    isDone && chunk.started > 0 && chunk.ended > chunk.started
                        ? ForPeople.clock(chunk.ended - chunk.started) : "", chunk.worker,
                ],
                note: chunk.hasLastProblem ? "last failure: " + SplitreelError(chunk.lastProblem).oneLine : "")
        }
        return table.lines
    }

    package static func workers(_ workers: [Splitreel_Farm_WorkerReport]) -> String {
        var table = TextTable([
            .init("WORKER"), .init("STATE"), .init("SLOTS", .right), .init("RATE", .right), .init("CHUNKS IN HAND"),
        ])
        for worker in workers {
            table.add(
                [
                    worker.name, worker.state, "\(worker.slots)",
                    worker.framesPerSecond > 0 ? ForPeople.speed(worker.framesPerSecond) : "",
                    worker.current.joined(separator: " "),
                ], note: worker.remarks.map(\.printable).joined(separator: "\n    "))
        }
        return table.text
    }
}

extension Splitreel_Farm_JobReport {
    /// The first output's path. A file that is made for a command lies in a hidden folder beside the command's own
    /// output, after which the job is named: the path is that output's.
    var shownOutput: String {
        let folder = parentFolder(of: output)
        guard !name.isEmpty, fileName(of: folder).hasPrefix(".\(name).splitreel-") else { return output }
        let parent = parentFolder(of: folder)
        return (parent == "/" ? "" : parent) + "/" + name
    }
}
