import Glibc

/// The cores and the memory that this process may use: those of the machine, or what its affinity, its control groups
/// and its job of a batch system leave of them.
package struct MachineShare: Hashable, Sendable {
    /// An amount that the process may use, and the machine's own.
    package struct Part: Hashable, Sendable {
        /// The amount that the process may use: cores, from 1, or bytes.
        package var amount: Int
        /// The amount that the machine has.
        package var total: Int
        /// The word for what keeps the rest from the process: `affinity`, the name of a control group's file, or that
        /// of a variable such as `SLURM_CPUS_PER_TASK`; nil where nothing does.
        package var limiter: String?

        init(total: Int) {
            amount = total
            self.total = total
        }

        /// Takes a limit that is tighter than what is known.
        mutating func limit(to most: Int, by word: String) {
            guard most < amount else { return }
            amount = max(1, most)
            limiter = word
        }
    }

    package private(set) var cores: Part
    package private(set) var memory: Part

    /// The share of this process, as it was when it was first asked for.
    package static let current = MachineShare { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Reads the share, with the variables of `environment`.
    package init(environment: [String: String]) { self.init { environment[$0] } }

    /// Reads the share. Affinity counts what cpusets leave, too; where several leave the same, the cpuset is named
    /// before affinity, and what the kernel holds the process to before what it is asked to heed.
    ///
    /// - Parameters:
    ///   - root: the folder in which /proc and the control groups lie; empty for this system.
    ///   - machineCores: the machine's cores.
    ///   - machineBytes: the machine's memory in bytes.
    ///   - variable: the variable of the environment that has the name; nil for none.
    package init(
        root: String = "", machineCores: Int = Self.machineCores, machineBytes: Int = Self.machineBytes,
        variable: (String) -> String? = { _ in nil }
    ) {
        let job = SlurmAllocation(variable)
        let groups = ControlGroups(root: root)
        cores = Part(total: max(1, machineCores))
        if let set = groups.cpuset { cores.limit(to: set.cores, by: set.file) }
        if let quota = groups.quota { cores.limit(to: quota.cores, by: quota.file) }
        if let affinity = Self.affinity(KernelFiles(root: root)) { cores.limit(to: affinity, by: "affinity") }
        if let asked = job.cores { cores.limit(to: asked.amount, by: asked.variable) }
        memory = Part(total: max(1, machineBytes))
        if let limit = groups.memory { memory.limit(to: limit.bytes, by: limit.file) }
        if let asked = job.memory { memory.limit(to: asked.bytes, by: asked.variable) }
    }

    package static var machineCores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The machine's memory in bytes; 1 GiB where the system does not tell.
    package static var machineBytes: Int {
        max(1 << 30, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of cores that the calling thread may be scheduled on; nil where the system does not tell.
    private static func affinity(_ files: KernelFiles) -> Int? {
        // sched_getaffinity is no part of what Swift sees of glibc; this is the same set.
        for line in files.text("/proc/thread-self/status").split(separator: "\n") {
            let words = line.split(separator: ":", maxSplits: 1)
            if words.first == "Cpus_allowed_list", words.count == 2 {
                return KernelFiles.count(ofList: String(words[1]))
            }
        }
        return nil
    }
}
