import Diagnostics
import Foundation
package import Reports
import Scheduling

/// The tables that `jobs`, `job` and `workers` print for people.
package enum JobTables {
    /// The table of jobs, as wide as a window of `width` columns; nil: as wide as it is.
    package static func jobs(_ jobs: [JobReport], now: Double, width: Int? = nil) -> String {
        var table = TextTable([
            .init("JOB"), .init("STATE"), .init("PRIORITY", .right, rank: 6), .init("OWNER", rank: 8),
            .init("SUBMITTED", rank: 7), .init("DONE", .right), .init("FRAMES", .right, rank: 3),
            .init("CHUNKS", .right, rank: 5), .init("RATE", .right, rank: 2),
            .init("LEFT", .right, rank: 1), .init("ELAPSED", .right, rank: 4), .init("OUTPUT"),
        ])
        for job in jobs {
            let progress = JobProgress(job, now: now)
            let work = progress.work
            let isPlanned = job.waitsFor?.value == .planning
            table.add(
                [
                    job.job, isPlanned ? "planning" : progress.state, "\(job.priority)", job.owner ?? "",
                    job.submitted > 0 ? Date(timeIntervalSince1970: job.submitted).formatted(.iso8601) : "",
                    "\(work.percent) %",
                    work.frames > 0 ? "\(work.framesDone)/\(work.frames)" : "",
                    work.chunks > 0 ? "\(work.chunksDone)/\(work.chunks)" : "",
                    progress.framesPerSecond.map(ForPeople.speed) ?? "",
                    progress.secondsLeft.map(ForPeople.clock) ?? "", progress.elapsed.map(ForPeople.clock) ?? "",
                    job.knownOutput + (job.severalOutputs.map { " and \($0.count - 1) more" } ?? ""),
                ], note: reason(job))
        }
        return table.lines(width: width).joined(separator: "\n")
    }

    /// The reason why a job failed or waits; empty where it does neither.
    private static func reason(_ job: JobReport) -> String {
        guard let error = job.error, job.state.value != .cancelled else {
            let remark = job.remarks.first.map { "waiting: \($0.printable)" }
            return job.delay?.sentence ?? job.waitSentence ?? remark ?? ""
        }
        return Paint.text("error \(error.code.number)", .red) + ": " + error.inOptions.oneLine
    }

    package static func job(_ job: JobReport, now: Double) -> String {
        let head = "job \(job.job.printable)  " + JobProgress(job, now: now).summary
        let owner = job.owner.map { ["owner \($0.printable)"] } ?? []
        let outputs = (job.severalOutputs ?? [job.knownOutput]).map { "output \($0.printable)" }
        let planning = job.waitsFor?.value == .planning ? "planning: its media are looked at" : nil
        let waiting =
            [planning, job.delay?.sentence, job.keptSentence, job.waitSentence].compactMap(\.self)
            + job.remarks.map { "waiting: \($0.printable)" }
        let lines = [head] + owner + outputs + waiting
        return (lines + (job.chunks.isEmpty ? [] : chunks(job.chunks))).joined(separator: "\n")
    }

    private static func chunks(_ chunks: [ChunkReport]) -> [String] {
        var table = TextTable([
            .init("CHUNK", .right), .init("KIND"), .init("STATE"), .init("TRY", .right), .init("DONE", .right),
            .init("FRAMES"), .init("TIME", .right), .init("WORKER"),
        ])
        for chunk in chunks {
            let kind = chunk.kind.value
            let (isSound, isAnalysis) = (kind?.isSound == true, kind == .analysis)
            let done = WorkDone(frames: chunk.frameCount, framesDone: chunk.framesDone)
            let last = chunk.firstFrame + max(1, chunk.frameCount) - 1
            let isDone = chunk.state.value == .done
            let seconds = chunk.ended.flatMap { end in chunk.started.map { end - $0 } } ?? 0
            table.add(
                [
                    isSound ? "sound" : isAnalysis ? "" : "\(chunk.index)", kind == .audio ? "" : chunk.kind.word,
                    chunk.state.word,
                    chunk.attempt > 0 ? "\(chunk.attempt)" : "", isDone ? "100 %" : "\(done.percent) %",
                    isSound ? "" : "\(chunk.firstFrame)…\(last)",
                    isDone && seconds > 0 ? ForPeople.clock(seconds) : "",
                    chunk.maker.map { "cache (\($0))" } ?? ProgressText.label(ofSlot: chunk.worker),
                ], note: chunk.error.map { "last failure: " + $0.inOptions.oneLine } ?? "")
        }
        return table.lines
    }

    /// The events of a job, with times as a coordinator's log has them.
    package static func events(_ events: [EventReport], of job: JobReport) -> String {
        let sounds = Set(job.chunks.filter { $0.kind.value?.isSound == true }.map(\.index))
        var table = TextTable([.init("TIME"), .init("CHUNK", .right), .init("WORKER"), .init("EVENT")])
        for event in events {
            let chunk = event.task.map { sounds.contains($0) ? "sound" : "\($0)" } ?? ""
            let time = Date(timeIntervalSince1970: event.at).formatted(.iso8601)
            let worker = event.worker ?? ""
            let label = ProgressText.label(ofSlot: worker)
            let text = worker.isEmpty ? event.text : event.text.replacingOccurrences(of: worker, with: label)
            table.add([time, chunk, label, text])
        }
        return table.text
    }

    /// The table of workers, as wide as a window of `width` columns; nil: as wide as it is.
    package static func workers(_ workers: [WorkerReport], width: Int? = nil) -> String {
        var table = TextTable([
            .init("WORKER"), .init("STATE"), .init("SLOTS", .right), .init("RATE", .right), .init("HOST", rank: 2),
            .init("PID", rank: 1), .init("VERSION", rank: 3), .init("SINCE", rank: 4), .init("CHUNKS IN HAND"),
        ])
        for worker in workers {
            let processes = worker.processes
            let pids = processes.compactMap(\.pid).map { "\($0)" }
            let since = processes.compactMap(\.since).min().map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
            table.add(
                [
                    worker.name, worker.state.word, "\(worker.slots)",
                    worker.framesPerSecond > 0 ? ForPeople.speed(worker.framesPerSecond) : "",
                    each(processes.compactMap(\.host)), each(pids), each(processes.compactMap(\.version)), since ?? "",
                    worker.current.joined(separator: " "),
                ], note: worker.remarks.map(\.printable).joined(separator: "\n    "))
        }
        return table.lines(width: width).joined(separator: "\n")
    }

    /// The words in their order, each once; of many the first three.
    private static func each(_ words: [String]) -> String {
        var known: Set<String> = []
        let words = words.filter { known.insert($0).inserted }
        return words.prefix(3).joined(separator: " ") + (words.count > 3 ? " and \(words.count - 3) more" : "")
    }
}

extension JobReport {
    /// The line that says why nothing of the job is in hand; nil where something is. A job without any worker says so
    /// in its remarks, too.
    var waitSentence: String? {
        switch waitsFor?.value {
        case .planning: nil
        case .workers: remarks.isEmpty ? "waiting: no worker is connected" : nil
        case .priority: "waiting: jobs of a higher priority have the slots"
        case .slots: "waiting: other jobs have every slot"
        case nil: nil
        }
    }
}

extension DelayReport {
    /// The delay as a line: the work, since when it waits, and for what.
    var sentence: String {
        let since = since.map { " since " + Date(timeIntervalSince1970: $0).formatted(.iso8601) } ?? ""
        return "\(work.printable) waits\(since) and is tried again: error \(error.code.number): "
            + error.inOptions.oneLine.printable
    }
}
