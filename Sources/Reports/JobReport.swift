package import Diagnostics
package import FarmProtocol
package import Scheduling

/// The news of a job; encodes as the document of `job ID --json` and the elements of `jobs --json`.
package struct JobReport: Sendable, Hashable {
    package var job: String
    package var name = ""
    package var state: Told<JobState>
    /// The state that the job will end in: decided, but not yet its state; nil before.
    package var ending: Told<JobState>?
    package var priority = 0
    package var work = WorkDone()
    /// The number of chunks that are copied from sources and never made.
    package var copiedChunks = 0
    /// The first output's path.
    package var output: String
    /// The paths of all outputs, where there are several.
    package var severalOutputs: [String]?
    /// The path of a command's own output, which the job's is made for; nil for a job that stands by itself.
    package var madeFor: String?
    /// The person who submitted it, as `USER@HOST`; nil where nobody said.
    package var owner: String?
    /// The frames a second of late; 0 where they are not known.
    package var framesPerSecond = 0.0
    /// The submission in seconds since 1970.
    package var submitted = 0.0
    /// The first lease in seconds since 1970; nil before it.
    package var started: Double?
    /// The end in seconds since 1970; nil before it.
    package var ended: Double?
    /// The number of the picture's chunks that are done and were in the coordinator's cache.
    package var chunksCached = 0
    /// All chunks of a short job; else those that are going on or failed, or those that were asked for.
    package var chunks: [ChunkReport] = []
    package var error: SplitreelError?
    package var notices: [Notice] = []
    /// The number of occurrences beyond the bound of `notices`.
    package var noticesDropped = 0
    /// The reason why nothing of it is in hand; nil where something is, and once it has ended.
    package var waitsFor: Told<WaitReason>?
    /// The reasons why chunks wait although workers are there.
    package var remarks: [String] = []
    /// The work on it that waits, the coordinator's own or that of its chunks; nil for none.
    package var delay: DelayReport?
    /// The work of a job that failed, as far as it is kept for a retry; nil where it cannot be retried.
    package var kept: KeptReport?

    package init(job: String = "", state: JobState, output: String = "") {
        self.job = job
        self.state = .known(state)
        self.output = output
    }

    /// The report of another process's message, whose numbers may be anything.
    package init(_ message: Splitreel_Farm_JobReport) {
        job = message.job
        name = message.name
        state = Told(message.state.known, number: message.state.rawValue)
        if message.ending != .unspecified { ending = Told(message.ending.known, number: message.ending.rawValue) }
        priority = Int(message.priority)
        work = WorkDone(
            frames: Int(clamping: message.frames), framesDone: Int(clamping: message.framesDone),
            chunks: Int(message.counts.total), chunksDone: Int(message.counts.done),
            isInPlace: message.state == .completed)
        work.sources = message.sources
        copiedChunks = min(Int(message.counts.passthrough), work.chunksDone)
        output = message.output
        severalOutputs = message.outputs.count > 1 ? message.outputs : nil
        madeFor = message.madeFor.isEmpty ? nil : message.madeFor
        owner = message.owner.isEmpty ? nil : message.owner
        framesPerSecond = message.framesPerSecond.asRate
        submitted = message.submitted.asTime ?? 0
        started = message.started.asTime
        ended = message.ended.asTime
        chunksCached = Int(message.counts.cached)
        chunks = message.chunks.map { ChunkReport($0) }
        error = message.hasProblem ? SplitreelError(message.problem) : nil
        notices = message.notices.map(\.notice)
        noticesDropped = Int(clamping: message.noticesDropped)
        if message.waitsFor != .unspecified {
            waitsFor = Told(message.waitsFor.known, number: message.waitsFor.rawValue)
        }
        remarks = message.remarks
        delay = DelayReport(message)
        kept = KeptReport(message)
    }

    /// The report with its errors and warnings as plain texts, in which `name` calls settings by their names.
    package func told(_ name: (Setting) -> String) -> JobReport {
        var report = self
        report.error = error?.told(name)
        if let delay { report.delay?.error = delay.error.told(name) }
        report.notices = notices.map { $0.told(name) }
        for index in chunks.indices { report.chunks[index].error = chunks[index].error?.told(name) }
        return report
    }

    /// Whether the job has ended; in a state of a later minor, whether the time of its end is known.
    package var isTerminal: Bool { state.value.map(\.isTerminal) ?? (ended != nil) }

    /// The path that a person knows the job by: the first output's, or that of the output which it is made for.
    package var knownOutput: String { madeFor ?? output }

    /// Whether only sound was made. A job without chunks has no picture: its units are samples.
    package var isOfSound: Bool { work.chunks == 0 && work.frames > 0 }

    package var warnings: [Notice] { notices.filter { !$0.isMeasurement } }

    /// The figures that were measured, a line each; nil where there are none.
    package var measurements: [String]? {
        let lines = notices.filter(\.isMeasurement).map { "\($0.subject): \($0.reason)" }
        return lines.isEmpty ? nil : lines
    }
}

extension JobReport: Encodable {
    private enum Key: String, CodingKey {
        case job, name, state, owner, priority, progress, output, outputs, frames, framesDone, framesPerSecond
        case submitted, waitsFor, ended, chunks, error, warnings, remarks, delay, kept
        case bytesNeeded, bytesFetched, soundBytesNeeded, soundBytesFetched
    }

    package func encode(to encoder: any Encoder) throws {
        var document = encoder.container(keyedBy: Key.self)
        try document.encode(job, forKey: .job)
        try document.encode(name, forKey: .name)
        try document.encode(state, forKey: .state)
        try document.encodeIfPresent(owner, forKey: .owner)
        try document.encode(priority, forKey: .priority)
        try document.encode(work.fraction, forKey: .progress)
        try document.encode(output, forKey: .output)
        try document.encodeIfPresent(severalOutputs, forKey: .outputs)
        try document.encode(work.frames, forKey: .frames)
        try document.encode(work.framesDone, forKey: .framesDone)
        try document.encode(framesPerSecond, forKey: .framesPerSecond)
        try document.encode(submitted, forKey: .submitted)
        try document.encodeIfPresent(waitsFor, forKey: .waitsFor)
        try document.encodeIfPresent(ended, forKey: .ended)
        try document.encode(chunks, forKey: .chunks)
        try document.encodeIfPresent(error.map { FailureReport($0) }, forKey: .error)
        try document.encode(warnings.map { WarningReport($0) }, forKey: .warnings)
        try document.encode(remarks, forKey: .remarks)
        try document.encodeIfPresent(delay, forKey: .delay)
        try document.encodeIfPresent(kept, forKey: .kept)
        guard !work.sources.isNone else { return }
        try document.encode(work.sources.needed, forKey: .bytesNeeded)
        try document.encode(work.sources.fetched, forKey: .bytesFetched)
        try document.encode(work.sources.soundNeeded, forKey: .soundBytesNeeded)
        try document.encode(work.sources.soundFetched, forKey: .soundBytesFetched)
    }
}
