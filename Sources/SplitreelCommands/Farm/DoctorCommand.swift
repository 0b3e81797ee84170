import ArgumentParser
import Confinement
import Coordinator
import Diagnostics
import FarmClient
import Foundation
import LocalFarm
import MediaWriting
import Outputs
import SplitreelFiles
import SplitreelProject
import Threads
import Worker

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this machine, and clear what dead renders left behind.",
        discussion: """
            Looks for encoders, room and memory; removes work folders that no process holds any more.

            With --farm it asks a coordinator instead: how many messages and events it did not take since its start, \
            and for each worker what media it sees, what is sent to it, its clock, disk and link, and what it lacks, \
            with what to do. Exit status 1 where one lacks anything.

            With --ready it is a probe: status 0, or 1 with the reason, within 5 s. A coordinator is ready when it \
            answers and takes jobs; its farm's token is one of role observe or admin. With --data of a worker on this \
            machine, that worker is ready when all of its slots are registered and the coordinator answers them. One \
            that leaves is not.
            """)

    @Argument(help: "Folders where films were rendered (default: the current one).", completion: .directory)
    var folders: [String] = []

    @Flag(help: "One JSON document.")
    var json = false

    @Flag(help: "Ask a coordinator how its farm is, instead of looking at this machine.")
    var farm = false

    @Flag(help: "Say whether a coordinator, or with --data a worker, is ready.")
    var ready = false

    @Option(help: "With --ready: the folder that a worker on this machine has as --data.", completion: .directory)
    var data: String?

    @OptionGroup var coordinator: ConnectOptions

    struct Check: Encodable {
        var name: String
        var ok: Bool
        var detail: String
    }

    func validate() throws {
        if farm, ready { throw ValidationError("--farm and --ready are two questions: leave out either") }
        if farm || ready, !folders.isEmpty {
            throw ValidationError("\(farm ? "--farm" : "--ready") looks into no folder: leave out either")
        }
        if data != nil, !ready { throw ValidationError("--data goes with --ready") }
        let isAsking =
            coordinator.connect != nil || coordinator.timeout != nil || coordinator.token != nil
            || coordinator.config.config != nil
        if !farm, !ready, isAsking {
            throw ValidationError("--connect, --timeout, --token and --config go with --farm or --ready")
        }
        if data != nil, isAsking {
            throw ValidationError("--data asks a worker of this machine: leave out what asks a coordinator")
        }
    }

    func run() async throws {
        if farm {
            try await askFarm()
        } else if ready {
            try await tellReadiness()
        } else {
            try checkMachine()
        }
    }

    private func tellReadiness() async throws {
        let report = try await readiness()
        if json {
            try Console.json(report)
        } else {
            Console.result(report.text)
        }
        if !report.ready { throw Exit(.failed) }
    }

    private func readiness() async throws -> ReadinessReport {
        if let data { return ReadinessReport(WorkerReadiness(data: try absolutePath(data)), data: data) }
        var options = coordinator
        options.timeout = options.timeout ?? ReadinessReport.patience
        return await ReadinessReport(asking: try options.client())
    }

    private func askFarm() async throws {
        let client = try coordinator.client()
        defer { client.close() }
        let workers = try await client.workers(facts: true)
        let health = FarmHealth(workers: workers, counters: try await client.counters())
        if json {
            try Console.json(health)
        } else {
            Console.result(health.text)
        }
        if !health.isWell { throw Exit(.failed) }
    }

    private func checkMachine() throws {
        var checks = encoderChecks()
        checks.append(machineCheck())
        checks += sandboxChecks()
        checks += try places().map(roomCheck)
        let removed =
            try places().flatMap { removeUnheldFolders(in: $0, where: Self.isWorkFolder) }
            + places().flatMap { removeUnheldLocks(in: $0) } + RuntimeFolder.removeUnheld()
        checks.append(
            Check(
                name: "left behind", ok: true,
                detail: removed.isEmpty ? "nothing" : "removed " + removed.joined(separator: ", ")))
        if json {
            try Console.json(checks)
        } else {
            for check in checks {
                let mark = check.ok ? Console.paint("ok    ", .green) : Console.paint("FAILED", .red)
                Console.result("\(mark) \(check.name.printable): \(check.detail.printable)")
            }
        }
        if checks.contains(where: { !$0.ok }) { throw Exit(.failed) }
    }

    /// Whether a name is that of a work folder, such as `.film.mp4.splitreel-1a2b3c4d`.
    static func isWorkFolder(_ name: String) -> Bool {
        name.wholeMatch(of: /\..+\.splitreel-[a-z0-9]{8}/) != nil
    }

    private func places() throws -> [String] {
        try (folders.isEmpty ? ["."] : folders).map(absolutePath)
    }

    private func encoderChecks() -> [Check] {
        let available = Set(availableEncoders())
        let video = PictureCodec.all.map { ($0.rawValue, $0.encoderName) }
        let audio = SoundCodec.all.map { ($0.rawValue, $0.encoderName) }
        return (video + audio).map { name, encoder in
            let has = available.contains(encoder)
            return Check(
                name: name, ok: has, detail: has ? encoder : "\(encoder) is missing: apt install libavcodec-extra")
        }
    }

    private func machineCheck() -> Check {
        let share = MachineShare.current
        return Check(
            name: "machine", ok: true, detail: "\(share.words): \(counted(share.defaultWorkers, "worker")) by default")
    }

    private func sandboxChecks() -> [Check] {
        let paths = SystemPaths.readable(in: ProcessInfo.processInfo.environment)
        let there = paths.filter { FileManager.default.fileExists(atPath: $0) }
        let support = SandboxSupport.current
        let remark = support.isThere ? "" : "; off loopback coordinator and worker do not start"
        var checks = [
            Check(name: "sandbox", ok: true, detail: support.words + remark),
            Check(name: "sandbox reads", ok: true, detail: there.joined(separator: ", ")),
        ]
        let free = EffectRegistry.all.filter(\.needsSystem).map(\.name)
        if !free.isEmpty {
            let films = "films with \(free.joined(separator: ", "))"
            checks.append(Check(name: "outside the sandbox", ok: true, detail: films))
        }
        return checks
    }

    private func roomCheck(_ folder: String) -> Check {
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else {
            return Check(name: "room in \(folder)", ok: false, detail: String(cString: strerror(errno)))
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return Check(name: "room in \(folder)", ok: false, detail: "it is not a folder: name the one it is in")
        }
        let gibibytes = Double(space.f_bavail) * Double(space.f_frsize) / Double(1 << 30)
        let isWritable = access(folder, W_OK) == 0
        return Check(
            name: "room in \(folder)", ok: isWritable,
            detail: isWritable ? String(format: "%.1f GiB free", gibibytes) : "not writable")
    }
}
