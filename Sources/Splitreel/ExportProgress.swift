import Reports
import Scheduling

extension ExportSession {
    /// The progress of an export, told several times a second while it changes.
    public struct Progress: Sendable, Hashable {
        /// The step that is under way.
        public enum State: Sendable, Hashable {
            /// `export` has not been called.
            case ready
            /// The composition is read and checked.
            case preparing
            /// Media are brought to the coordinator of a farm.
            case uploading
            /// The film is planned, or waits for a worker.
            case waiting
            case rendering
            /// The film is put together, checked and moved to its place.
            case finishing
            /// The film comes from the coordinator of a farm.
            case downloading
            case completed, failed, cancelled
        }

        /// The step that is under way.
        public internal(set) var state = State.ready
        /// The share of the work that is done, 0 to 1; it is 1 only when all films are in their places.
        public internal(set) var fraction = 0.0
        /// The frames of the film; of sound alone its samples. 0 until it is planned. Where the outputs are of several
        /// ranges or rates, those of the present one.
        public internal(set) var frames = 0
        /// The frames of these that are rendered.
        public internal(set) var framesDone = 0
        /// The chunks in which the film is rendered; 0 until it is planned.
        public internal(set) var chunks = 0
        /// The chunks of these that are done.
        public internal(set) var chunksDone = 0
        /// The frames that are rendered in a second, by all workers together; 0 where that is not known.
        public internal(set) var framesPerSecond = 0.0
        /// The time that rendering takes from now on at this rate; nil where that is not known.
        public internal(set) var timeLeft: Duration?
    }
}

extension ExportSession.Progress {
    /// Takes over a report of job `index` of `count`.
    mutating func take(_ report: JobReport, job index: Int, of count: Int) {
        let work = report.work
        switch report.state.value {
        case .running?: state = .rendering
        case .stitching?, .completed?: state = .finishing
        case .waiting?, nil: state = .waiting
        // The session's end tells.
        case .failed?, .cancelled?: break
        }
        fraction = max(fraction, (Double(index) + min(work.fraction, 0.99)) / Double(count))
        (frames, framesDone) = (work.frames, work.framesDone)
        (chunks, chunksDone) = (work.chunks, work.chunksDone)
        framesPerSecond = report.framesPerSecond
        let seconds = framesPerSecond > 0 ? Double(work.framesLeft) / framesPerSecond : .infinity
        timeLeft = state == .rendering && seconds < 1e9 ? .seconds(seconds) : nil
    }
}
