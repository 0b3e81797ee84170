import Foundation
import Testing
import Threads

/// The share of a process on a machine of 8 cores and 24 GiB, from trees of control groups that are made here as the
/// kernel writes them (man 7 cgroups, Documentation/admin-guide/cgroup-v1 and cgroup-v2).
@Suite("Share of the machine", .timeLimit(.minutes(1)))
struct MachineShareTests {
    private static let gibibyte = 1 << 30
    /// The number that version 1 has where there is no limit.
    private static let unlimited = "9223372036854771712\n"

    /// The share in a tree of those files; `affinity` is the list of cores that the process may run on.
    private func share(
        _ files: [String: String], affinity: String = "0-127", variables: [String: String] = [:]
    ) throws -> MachineShare {
        var files = files
        files["proc/thread-self/status"] = "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t\(affinity)\nMems:\t0\n"
        let root = try Self.tree(files)
        defer { try? FileManager.default.removeItem(atPath: root) }
        return MachineShare(root: root, machineCores: 8, machineBytes: 24 * Self.gibibyte) { variables[$0] }
    }

    private static func tree(_ files: [String: String]) throws -> String {
        let root = NSTemporaryDirectory() + "/groups-\(UUID().uuidString)"
        for (path, text) in files {
            let file = root + "/" + path
            let folder = (file as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }
        return root
    }

    /// The two files of /proc where version 2 is mounted at its usual place.
    private static func version2(_ group: String, files: [String: String] = [:]) -> [String: String] {
        files.merging([
            "proc/self/cgroup": "0::\(group)\n",
            "proc/self/mountinfo": """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 22 0:26 / /sys/fs/cgroup rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate

            """,
        ]) { own, _ in own }
    }

    @Test("without control groups and with all cores everything is the process's own")
    func whole() throws {
        let share = try share([:])
        #expect(share.cores.amount == 8 && share.cores.total == 8 && share.cores.limiter == nil)
        #expect(share.memory.amount == 24 << 30 && share.memory.limiter == nil)
    }

    @Test("an affinity of fewer cores counts")
    func affinity() throws {
        let files = Self.version2("/", files: ["sys/fs/cgroup/cpu.stat": "usage_usec 5\n"])
        let share = try share(files, affinity: "2,5-6")
        #expect(share.cores.amount == 3 && share.cores.limiter == "affinity")
    }

    @Test(
        "cpu.max of version 2 counts, rounded up",
        arguments: [("max 100000", 8), ("50000 100000", 1), ("150000 100000", 2), ("300000 100000", 3), ("x", 8)])
    func quota2(text: String, cores: Int) throws {
        let share = try share(Self.version2("/job", files: ["sys/fs/cgroup/job/cpu.max": text + "\n"]))
        #expect(share.cores.amount == cores)
        #expect(share.cores.limiter == (cores == 8 ? nil : "cpu.max"))
    }

    @Test("of a group of version 2 and its parents the tightest limit counts")
    func parents() throws {
        let files = [
            "sys/fs/cgroup/a.slice/b.scope/memory.max": "max\n", "sys/fs/cgroup/a.slice/b.scope/memory.high": "max\n",
            "sys/fs/cgroup/a.slice/memory.max": "3221225472\n", "sys/fs/cgroup/a.slice/cpu.max": "400000 100000\n",
            "sys/fs/cgroup/a.slice/b.scope/cpu.max": "200000 100000\n",
            "sys/fs/cgroup/a.slice/b.scope/cpuset.cpus.effective": "0-2,6\n",
        ]
        let share = try share(Self.version2("/a.slice/b.scope", files: files))
        #expect(share.memory.amount == 3 << 30 && share.memory.limiter == "memory.max")
        #expect(share.cores.amount == 2 && share.cores.limiter == "cpu.max")
    }

    @Test("memory.high counts, above which a process is slowed down")
    func high() throws {
        let files = [
            "sys/fs/cgroup/job/memory.max": "4294967296\n", "sys/fs/cgroup/job/memory.high": "2147483648\n",
        ]
        let share = try share(Self.version2("/job", files: files))
        #expect(share.memory.amount == 2 << 30 && share.memory.limiter == "memory.high")
    }

    @Test("a process in a namespace of groups sees its own as the root")
    func namespace() throws {
        let limited = ["sys/fs/cgroup/memory.max": "1073741824\n", "sys/fs/cgroup/cpu.max": "100000 100000\n"]
        for group in ["/", "/../../elsewhere"] {
            let share = try share(Self.version2(group, files: limited))
            #expect(share.memory.amount == 1 << 30 && share.cores.amount == 1, "\(group)")
        }
    }

    @Test("version 1 counts: quota, cpuset and memory, each in a tree of its own")
    func version1() throws {
        let files = [
            "proc/self/cgroup": "9:name=systemd:/\n4:memory:/jobs/one\n3:cpuset:/\n2:cpu,cpuacct:/jobs\n0::/\n",
            "proc/self/mountinfo": """
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
            34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw

            """,
            "sys/fs/cgroup/memory/memory.limit_in_bytes": Self.unlimited,
            "sys/fs/cgroup/memory/jobs/memory.limit_in_bytes": "5368709120\n",
            "sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes": Self.unlimited,
            "sys/fs/cgroup/cpuset/cpuset.effective_cpus": "0-5\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us": "350000\n",
            "sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_period_us": "100000\n",
        ]
        let share = try share(files)
        #expect(share.memory.amount == 5 << 30 && share.memory.limiter == "memory.limit_in_bytes")
        #expect(share.cores.amount == 4 && share.cores.limiter == "cpu.cfs_quota_us")
        let whole = try self.share(files.filter { !$0.key.hasSuffix("jobs/cpu.cfs_quota_us") }, affinity: "0-5")
        #expect(whole.cores.amount == 6 && whole.cores.limiter == "cpuset.effective_cpus")
    }

    @Test("a container of version 1 sees its group at the mounted place, and limits above it by memory.stat")
    func container() throws {
        let files = [
            "proc/self/cgroup": "4:memory:/docker/0123\n",
            "proc/self/mountinfo":
                "35 31 0:32 /docker/0123 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "8589934592\n",
            "sys/fs/cgroup/memory/memory.stat": "cache 1\nhierarchical_memory_limit 2147483648\n",
        ]
        #expect(try share(files).memory.amount == 2 << 30)
    }

    /// Slurm's documents: memory is in MiB, that of a core is of each, and 0 is all of the node's.
    @Test("the variables of a job of Slurm count, the tightest first")
    func slurm() throws {
        let job = ["SLURM_JOB_ID": "7", "SLURM_CPUS_PER_TASK": "2", "SLURM_CPUS_ON_NODE": "6"]
        var share = try share([:], variables: job)
        #expect(share.cores.amount == 2 && share.cores.limiter == "SLURM_CPUS_PER_TASK")
        #expect(share.memory.amount == 24 << 30 && share.memory.limiter == nil)

        let ofNode = ["SLURM_JOB_ID": "7", "SLURM_CPUS_ON_NODE": "6", "SLURM_MEM_PER_NODE": "4096"]
        share = try self.share([:], variables: ofNode)
        #expect(share.cores.amount == 6 && share.cores.limiter == "SLURM_CPUS_ON_NODE")
        #expect(share.memory.amount == 4 << 30 && share.memory.limiter == "SLURM_MEM_PER_NODE")

        let ofCore = job.merging(["SLURM_MEM_PER_CPU": "1536", "SLURM_MEM_PER_NODE": "0"]) { $1 }
        share = try self.share([:], variables: ofCore)
        #expect(share.memory.amount == 3 << 30 && share.memory.limiter == "SLURM_MEM_PER_CPU")

        let group = Self.version2(
            "/job",
            files: ["sys/fs/cgroup/job/memory.max": "2147483648\n", "sys/fs/cgroup/job/cpu.max": "100000 100000\n"])
        share = try self.share(group, variables: ofCore)
        #expect(share.cores.amount == 1 && share.cores.limiter == "cpu.max")
        #expect(share.memory.amount == 2 << 30 && share.memory.limiter == "memory.max")
    }

    @Test("variables without a job, or that make no sense, limit nothing")
    func noSlurm() throws {
        let huge = "\(Int.max)"
        let sets = [
            ["SLURM_CPUS_PER_TASK": "1", "SLURM_MEM_PER_NODE": "100"],
            ["SLURM_JOB_ID": "", "SLURM_CPUS_PER_TASK": "1", "SLURM_MEM_PER_CPU": "100"],
            ["SLURM_JOB_ID": "7", "SLURM_CPUS_PER_TASK": "0", "SLURM_CPUS_ON_NODE": "-2", "SLURM_MEM_PER_NODE": "x"],
            ["SLURM_JOB_ID": "7", "SLURM_CPUS_PER_TASK": huge, "SLURM_MEM_PER_CPU": huge],
            ["SLURM_JOB_ID": "7", "SLURM_CPUS_ON_NODE": "2147483648", "SLURM_MEM_PER_CPU": "2147483648"],
        ]
        for variables in sets {
            let share = try share([:], variables: variables)
            #expect(share.cores.amount == 8 && share.cores.limiter == nil, "\(variables)")
            #expect(share.memory.amount == 24 << 30 && share.memory.limiter == nil, "\(variables)")
        }
    }

    @Test("kills for want of memory are counted, of version 1 and 2")
    func kills() throws {
        let trees = [
            Self.version2(
                "/job", files: ["sys/fs/cgroup/job/memory.events": "low 0\nhigh 0\nmax 31\noom 4\noom_kill 3\n"]),
            [
                "proc/self/cgroup": "4:memory:/job\n",
                "proc/self/mountinfo": "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
                "sys/fs/cgroup/memory/job/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
            ],
        ]
        for files in trees {
            let root = try Self.tree(files)
            defer { try? FileManager.default.removeItem(atPath: root) }
            #expect(ControlGroups(root: root).memoryKills == 3)
        }
        #expect(ControlGroups(root: "/nowhere").memoryKills == nil)
    }

    @Test("on this system the cores are those that nproc counts, at most")
    func here() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/nproc")
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let counted = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect((1...counted).contains(MachineShare().cores.amount))
    }

    /// uname(2) is asked by nobody else here.
    @Test func theMachinesNameIsThatOfTheSystem() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/uname")
        process.arguments = ["-n"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(!MachineName.current.isEmpty && MachineName.current + "\n" == text)
    }
}
