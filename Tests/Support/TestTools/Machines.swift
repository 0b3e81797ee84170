import Foundation

/// Machines of a network, on this one: each has a network card, a host name and a root of its own.
///
/// They have nothing in common but the system, the program and the wire. `Tests/machines/machines.sh` makes them; they
/// end with this.
package final class Machines {
    /// The reason why none can be made here; nil where they can.
    package static let lack: String? = {
        guard geteuid() == 0 else { return "machines of a network need root" }
        let words = ["--net", "--mount", "--uts", "--propagation", "private", "ip"]
        guard succeeds("/usr/bin/unshare", words + ["tuntap", "add", "dev", "m1", "mode", "tap"]) else {
            return "machines of a network need network and mount namespaces, /dev/net/tun and iproute2"
        }
        return succeeds("/usr/bin/perl", ["-MTime::HiRes", "-e", "1"]) ? nil : "machines of a network need perl"
    }()

    /// The names, by which they also reach each other.
    package let names: [String]
    private let folder: TestFolder
    private let program: Splitreel
    /// The folder in which each has its own.
    private let base: String
    private let holder: Tool
    private let processes: [String: String]
    private static let path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    /// - Parameters:
    ///   - megabits: what each one's wire carries in a second, each way.
    ///   - delay: milliseconds from one machine to another.
    package init(
        in folder: TestFolder, _ program: Splitreel, _ names: [String], megabits: Int = 50, delay: Int = 20
    ) throws {
        guard let root = SourceTree.root() else { throw ToolFailure("the project's folder is not there") }
        base = try folder.folder("machines")
        let owner = "\(ProcessInfo.processInfo.processIdentifier)"
        let words = ["\(root)/Tests/machines/machines.sh", owner, program.path, base, "\(megabits)", "\(delay)"]
        let holder = try Tool("/bin/bash", words + names, in: folder, environment: ["PATH": Self.path])
        guard holder.until(seconds: 30, { holder.outputSoFar.hasSuffix("ready\n") }) else {
            holder.send(SIGTERM)
            throw ToolFailure("the machines did not come up: \(holder.finish(seconds: 10))")
        }
        let lines = holder.outputSoFar.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let pairs = lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
        processes = Dictionary(pairs) { $1 }
        self.holder = holder
        self.names = names
        self.folder = folder
        self.program = program
    }

    deinit {
        holder.send(SIGTERM)
        _ = holder.finish(seconds: 20)
    }

    /// The words that start a program in a machine. The process is the program's own, so signals reach it.
    private func words(of name: String) throws -> [String] {
        guard let process = processes[name] else { throw ToolFailure("there is no machine \(name)") }
        return [
            "/usr/bin/nsenter", "--target", process, "--net", "--mount", "--uts", "/usr/bin/env", "HOME=/\(name)",
            "TMPDIR=/tmp", "PATH=/program:\(Self.path)",
        ]
    }

    /// The program as it runs in a machine. Its working folder is the root there: paths are to be absolute.
    package func program(on name: String) throws -> Splitreel {
        try program.started(by: try words(of: name), as: "on-\(name)")
    }

    /// Runs a command's line in a machine, as a person does at home there. The program is `splitreel`.
    package func shell(on name: String, _ line: String, seconds: Double = 60) throws -> ToolResult {
        try start(on: name, line).finish(seconds: seconds)
    }

    /// Starts a command's line in a machine, at home there. The process is the command's own.
    package func start(on name: String, _ line: String) throws -> Tool {
        let all = try words(of: name) + ["/bin/sh", "-c", "cd && exec \(line)"]
        return try Tool(all[0], Array(all.dropFirst()), in: folder)
    }

    /// The path in a machine of a file in its own folder.
    package func path(_ file: String, on name: String) -> String { "/\(name)/\(file)" }

    /// The path of the same file for this process.
    package func seen(_ file: String, on name: String) -> String { "\(base)/\(name)/\(file)" }

    /// Takes a machine's wire out: what is on its way is lost, and nobody is told.
    package func cut(_ name: String) throws { try Data().write(to: URL(fileURLWithPath: "\(base)/\(name).cut")) }

    /// Puts it in again.
    package func mend(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(base)/\(name).cut") }

    private static func succeeds(_ path: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ["PATH": Self.path]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
