package import Reports
import Scheduling

/// One line of `--progress json`, and of `watch --json` before its last document.
package enum ProgressEvent: Sendable, Hashable {
    /// The job's news, with its progress as every display has it.
    case progress(JobReport, JobProgress)
    /// The seconds for which nothing was heard of the coordinator.
    case silence(Double)
    /// The seconds after which the coordinator answers again.
    case back(Double)
    /// A sentence for people.
    case note(String)
}

extension ProgressEvent: Encodable {
    private enum Key: String, CodingKey {
        case event, job, state, progress, frames, framesDone, samples, samplesDone, chunks, chunksDone, framesPerSecond
        case secondsLeft, elapsed, seconds, message, delay
    }

    package func encode(to encoder: any Encoder) throws {
        var document = encoder.container(keyedBy: Key.self)
        switch self {
        case .progress(let report, let progress): try encode(report, progress, to: &document)
        case .silence(let seconds):
            try document.encode("silence", forKey: .event)
            try document.encode(seconds, forKey: .seconds)
        case .back(let seconds):
            try document.encode("back", forKey: .event)
            try document.encode(seconds, forKey: .seconds)
        case .note(let message):
            try document.encode("note", forKey: .event)
            try document.encode(message, forKey: .message)
        }
    }

    private func encode(
        _ report: JobReport, _ progress: JobProgress, to document: inout KeyedEncodingContainer<Key>
    ) throws {
        let work = progress.work
        try document.encode("progress", forKey: .event)
        try document.encode(report.job, forKey: .job)
        try document.encode(progress.state, forKey: .state)
        try document.encode(work.fraction, forKey: .progress)
        try document.encode(work.frames, forKey: report.isOfSound ? .samples : .frames)
        try document.encode(work.framesDone, forKey: report.isOfSound ? .samplesDone : .framesDone)
        try document.encode(work.chunks, forKey: .chunks)
        try document.encode(work.chunksDone, forKey: .chunksDone)
        try document.encodeIfPresent(progress.framesPerSecond, forKey: .framesPerSecond)
        try document.encodeIfPresent(progress.secondsLeft, forKey: .secondsLeft)
        try document.encodeIfPresent(progress.elapsed, forKey: .elapsed)
        try document.encodeIfPresent(report.delay, forKey: .delay)
    }
}
