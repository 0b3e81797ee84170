import Threads

/// The task of a Slurm cluster that this process is, as Slurm's variables tell it (man srun, "OUTPUT ENVIRONMENT
/// VARIABLES"). Its cores and memory are the matter of `MachineShare`.
struct SlurmTask: Hashable, Sendable {
    /// The number of the job, and of the task in an array: what `scancel` takes.
    let job: String
    /// The name of the machine among the cluster's.
    let node: String
    /// Reads the variables; nil where the process is no such task.
    init?(_ environment: [String: String]) {
        guard let job = environment["SLURM_JOB_ID"], !job.isEmpty else { return nil }
        // The number alone means all of an array, where it is that of the array's last task.
        let array = environment["SLURM_ARRAY_JOB_ID"].flatMap { $0.isEmpty ? nil : $0 }
        let task = environment["SLURM_ARRAY_TASK_ID"].flatMap { $0.isEmpty ? nil : $0 }
        self.job = if let array, let task { "\(array)_\(task)" } else { job }
        node = environment["SLURMD_NODENAME"].flatMap { $0.isEmpty ? nil : $0 } ?? MachineName.current
    }

    /// The name of a worker that has none: it tells the node, and the job to be cancelled for taking it away.
    var workerName: String { "\(node)-slurm-\(job)" }
}
