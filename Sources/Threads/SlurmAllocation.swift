/// The share of its node that a job of a Slurm cluster may use, as Slurm's variables tell it (man sbatch, "OUTPUT
/// ENVIRONMENT VARIABLES"). Clusters that do not confine tasks by control groups leave it to them to heed that.
///
/// Variables that are missing or make no sense limit nothing, and none does outside of a job.
struct SlurmAllocation {
    /// The least number of cores that a variable names, and the variable; nil where none does.
    let cores: (amount: Int, variable: String)?
    /// The least memory in bytes that a variable names, and the variable; nil where none does.
    let memory: (bytes: Int, variable: String)?

    /// Reads the variables by a function that answers each by its name.
    init(_ variable: (String) -> String?) {
        guard let job = variable("SLURM_JOB_ID"), !job.isEmpty else {
            (cores, memory) = (nil, nil)
            return
        }
        func number(_ name: String) -> (Int, String)? {
            variable(name).flatMap { Int($0) }.flatMap { (1...1 << 31).contains($0) ? ($0, name) : nil }
        }
        func least(_ found: [(Int, String)?]) -> (Int, String)? {
            found.compactMap { $0 }.min { $0.0 < $1.0 }
        }
        let cores = least([number("SLURM_CPUS_PER_TASK"), number("SLURM_CPUS_ON_NODE")])
        // Slurm counts in MiB; 0 is all of the node's.
        let memory = least([
            number("SLURM_MEM_PER_NODE"), number("SLURM_MEM_PER_CPU").map { ($0.0 * (cores?.0 ?? 1), $0.1) },
        ]).flatMap { mebibytes, name in mebibytes < Int.max >> 20 ? (mebibytes << 20, name) : nil }
        self.cores = cores.map { (amount: $0.0, variable: $0.1) }
        self.memory = memory.map { (bytes: $0.0, variable: $0.1) }
    }
}
