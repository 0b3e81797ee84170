import Foundation

extension Splitreel_Farm_Holding {
    package init(job: String, task: UInt32, epoch: UInt32, lease: some Sequence<UInt8>) {
        self.init()
        self.job = job
        self.task = task
        self.epoch = epoch
        self.lease = Data(lease)
    }

    /// An absent holding reads as the empty message.
    package var isNone: Bool { job.isEmpty && lease.isEmpty }

    /// The same task of the same job, whichever attempt.
    package func isSameTask(as other: Splitreel_Farm_Holding) -> Bool {
        job == other.job && task == other.task
    }

    /// The same attempt: job, task, epoch and lease all agree. Fields of later minors do not count.
    package func isSameAttempt(as other: Splitreel_Farm_Holding) -> Bool {
        isSameTask(as: other) && epoch == other.epoch && lease == other.lease
    }

    /// For logs: `JOB/TASK@EPOCH`.
    package var label: String { "\(job)/\(task)@\(epoch)" }
}
