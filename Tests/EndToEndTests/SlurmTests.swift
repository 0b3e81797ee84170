import Foundation
import TestTools
import Testing

/// What there is of Slurm on this machine.
private enum Cluster {
    /// Whether the long form is asked for.
    static let isFull = ProcessInfo.processInfo.environment["SPLITREEL_SLURM"] == "full"

    /// The reason why there is no cluster here; nil where there can be one.
    static let lack: String? = {
        guard geteuid() == 0 else { return "a cluster of Slurm needs root" }
        let programs = ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/sbatch"]
        for path in programs where !FileManager.default.isExecutableFile(atPath: path) {
            return "\(path) is not there"
        }
        guard let folder = try? TestFolder("slurm-lack") else { return "no folder" }
        let words = ["--net", "--uts", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc"]
        let made = try? Tool("/usr/bin/unshare", words + ["true"], in: folder).finish(seconds: 10)
        return made?.status == 0 ? nil : "no namespaces can be made"
    }()
}

extension EndToEndAlone {
    /// Films on a cluster of Slurm: three nodes on this machine, in namespaces of their own. The long form is
    /// `make slurm`. The scripts hold the film to that of one machine and look for what is left.
    @Suite(.enabled(if: Cluster.lack == nil, "a cluster of Slurm: root, namespaces, slurm-wlm and munge"))
    struct SlurmTests {
        private let folder: TestFolder
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("slurm")
            program = try Splitreel(in: folder)
        }

        private func run(_ script: String, _ words: [String], seconds: Double) throws -> ToolResult {
            let root = try #require(SourceTree.root())
            let path = "\(root)/Tests/clusters/slurm/\(script)"
            let result = try Tool("/bin/bash", [path] + words, in: folder).finish(seconds: seconds)
            print(result.text)
            return result
        }

        @Test("a film whose workers are preempted and requeued is the film of one machine, byte by byte")
        func preemption() throws {
            let form = Cluster.isFull ? "full" : "short"
            let words = [form, program.path, try folder.folder("cluster")]
            let result = try run("film.sh", words, seconds: Cluster.isFull ? 900 : 180)
            #expect(result.status == 0, "\(result)")
            #expect(result.text.contains(/film\.sh: \d+ s: the same \d+ bytes/))
        }

        /// Where a partition gives time, Slurm takes a worker that drains for completed; the script brings it back.
        @Test("a worker that drains within its time of grace is requeued", .enabled(if: Cluster.isFull, "long form"))
        func grace() throws {
            let root = try #require(SourceTree.root())
            let words = ["\(root)/Tests/clusters/slurm/film.sh", "short", program.path, try folder.folder("grace")]
            let tool = try Tool("/bin/bash", words, in: folder, environment: ["GRACE": "20"])
            let result = tool.finish(seconds: 300)
            #expect(result.status == 0, "\(result)")
        }

        @Test("the page on Slurm, word by word")
        func page() throws {
            let result = try run("page.sh", [program.path, try folder.folder("page")], seconds: 180)
            #expect(result.status == 0, "\(result)")
            #expect(try Witness(in: folder).frameHashes(folder.file("page/second.mp4")).count == 50)
        }
    }
}
