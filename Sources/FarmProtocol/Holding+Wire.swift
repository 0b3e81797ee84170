import Foundation
package import Scheduling

extension Holding {
    /// The holding of a message; nil where the message is absent or no lease of ours: 16 bytes, and of a job.
    package init?(_ wire: Splitreel_Farm_Holding) {
        guard !wire.job.isEmpty, let lease = LeaseID(bytes: wire.lease) else { return nil }
        self.init(job: wire.job, task: Int(wire.task), epoch: Int(wire.epoch), lease: lease)
    }

    package var wire: Splitreel_Farm_Holding {
        Splitreel_Farm_Holding(
            job: job, task: UInt32(clamping: task), epoch: UInt32(clamping: epoch), lease: lease.bytes)
    }
}

extension Splitreel_Farm_Holding {
    package init(job: String, task: UInt32, epoch: UInt32, lease: some Sequence<UInt8>) {
        self.init()
        self.job = job
        self.task = task
        self.epoch = epoch
        self.lease = Data(lease)
    }
}
