import Threads

/// The task of a Slurm cluster that this process is, as Slurm's variables tell it (man srun, "OUTPUT ENVIRONMENT
/// VARIABLES").
struct SlurmTask: Hashable, Sendable {
    /// The number of the job, as a text.
    let job: String
    /// The name of the machine among the cluster's.
    let node: String
    /// The cores that the task asked for, from 1; nil where it did not. Clusters that do not confine tasks to their
    /// cores leave it to them to heed that.
    let cores: Int?

    /// Reads the variables; nil where the process is no such task.
    init?(_ environment: [String: String]) {
        guard let job = environment["SLURM_JOB_ID"], !job.isEmpty else { return nil }
        self.job = job
        node = environment["SLURMD_NODENAME"].flatMap { $0.isEmpty ? nil : $0 } ?? MachineName.current
        cores = environment["SLURM_CPUS_PER_TASK"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The name of a worker that has none: it tells the node, and the job to be cancelled for taking it away.
    var workerName: String { "\(node)-slurm-\(job)" }
}
