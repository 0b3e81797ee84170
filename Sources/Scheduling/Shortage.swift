import Diagnostics

/// The want of something, such as room on a disk, that chunks of a job meet one after the other without one done.
struct Shortage: Sendable {
    /// The time of the first failure.
    let since: Instant
    /// The error of the last failure.
    private(set) var error: SplitreelError
    /// The time that was spent waiting. Work that comes to nothing is no waiting, nor is a time in which the store took
    /// nothing and nobody could be told anything.
    private(set) var waited: Duration = .zero
    private var last: Instant

    init(_ error: SplitreelError, at now: Instant) {
        self.error = error
        since = now
        last = now
    }

    /// Takes another failure. Of a full disk the pause before the attempt counts, `delay` at most: what was rendered
    /// until the disk was full is work. Whatever else is lacking (memory, a disk that hangs) costs the attempt as well.
    mutating func met(_ error: SplitreelError, at now: Instant, delay: Duration) {
        waited += error.code == .diskFull ? min(now - last, delay) : now - last
        last = now
        self.error = error
    }

    var told: JobDelay { JobDelay(work: "rendering", since: since, error: error) }
}
