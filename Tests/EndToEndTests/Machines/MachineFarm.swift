import Foundation
import TestTools

/// The long form of the tests with machines: `SPLITREEL_MACHINES=full` (`make two-machines`).
enum MachineScale {
    static let isFull = ProcessInfo.processInfo.environment["SPLITREEL_MACHINES"] == "full"
    /// The seconds for which a wire is cut: longer than a silence that loses a slot, and much longer than a lease.
    static let cut = isFull ? 20.0 : 7.0

    /// Whether the program takes a person's own files, and gives the film back.
    static let hasStore: Bool = {
        guard let folder = try? TestFolder("help"), let program = try? Splitreel(in: folder),
            let help = try? program.run(["--help"], seconds: 30)
        else { return false }
        return help.text.contains("  download ")
    }()
}

/// A farm with keys on machines of their own: a coordinator, workers and a person, who have no folder in common.
final class MachineFarm {
    static let coordinator = "coordinator"
    static let person = "person"
    private static let endpoint = "tcp://coordinator:7733"

    let machines: Machines
    private(set) var hub: Tool
    private(set) var workers: [String: Tool] = [:]

    /// The farm's folder for its keys and jobs, as the coordinator's machine has it.
    private static let data = "/coordinator/state"

    /// Makes the keys as the page on setting up a farm does, brings each token to its machine, and starts all.
    init(in folder: TestFolder, _ program: Splitreel, workers names: [String], megabits: Int = 50) throws {
        machines = try Machines(in: folder, program, [Self.coordinator] + names + [Self.person], megabits: megabits)
        let onHub = try machines.program(on: Self.coordinator)
        try Self.expectDone(onHub.run(["keys", "init", "--data", Self.data]))
        for (key, role) in [("w", "worker"), ("p", "submit")] {
            let words = ["keys", "add", key, "--role", role, "--endpoint", Self.endpoint, "--data", Self.data]
            try Self.expectDone(onHub.run(words + ["-o", "/coordinator/\(key).token"]))
        }
        for name in names { try Self.bring("w.token", to: name, machines) }
        try Self.bring("p.token", to: Self.person, machines)
        for place in ["media", "out"] {
            let path = machines.seen(place, on: Self.coordinator)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        hub = try Self.start(onHub)
        for name in names {
            let words = ["worker", "--token", "/\(name)/w.token", "--data", "/\(name)/own", "--slots", "1"]
            workers[name] = try machines.program(on: name).start(words + ["--name", name])
        }
    }

    deinit { for tool in Array(workers.values) + [hub] where tool.isRunning { tool.send(SIGKILL) } }

    private static func start(_ program: Splitreel) throws -> Tool {
        let words = ["coordinator", "--listen", "tcp://0.0.0.0:7733", "--data", data, "--root", "/coordinator"]
        let tool = try program.start(words)
        guard tool.until(seconds: 20, { tool.outputSoFar.contains("listening on ") }) else {
            throw ToolFailure("the coordinator does not listen: \(tool.errorsSoFar)")
        }
        return tool
    }

    private static func expectDone(_ result: ToolResult) throws {
        guard result.status == 0 else { throw ToolFailure("\(result)") }
    }

    private static func bring(_ token: String, to name: String, _ machines: Machines) throws {
        let path = machines.seen(token, on: name)
        let text = try Data(contentsOf: URL(fileURLWithPath: machines.seen(token, on: coordinator)))
        guard FileManager.default.createFile(atPath: path, contents: text), chmod(path, 0o600) == 0 else {
            throw ToolFailure("no token could be written to \(path)")
        }
    }

    /// Kills the coordinator, and starts it again over the same data.
    func killCoordinator() throws {
        hub.send(SIGKILL)
        _ = hub.finish(seconds: 10)
        hub = try Self.start(try machines.program(on: Self.coordinator))
    }

    /// Runs a command of the person's, on the person's machine.
    func asPerson(_ words: [String], seconds: Double = 120) throws -> ToolResult {
        try machines.program(on: Self.person).run(words + ["--token", "/person/p.token"], seconds: seconds)
    }

    /// Hands in a film whose media the coordinator sees; the job's number.
    func submit(_ composition: String, to output: String, _ options: [String]) throws -> String {
        let words = ["submit", composition, "-o", output, "--no-check", "--timeout", "20"]
        let result = try asPerson(words + options)
        guard result.status == 0 else { throw ToolFailure("submit failed: \(result)") }
        return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The document that `job --json` gives the person.
    func report(_ job: String) throws -> [String: Any] {
        let result = try asPerson(["job", job, "--json", "--timeout", "20"])
        guard result.status == 0, let report = result.json else { throw ToolFailure("job failed: \(result)") }
        return report
    }

    /// Stays with a job until it ends, as a person does; the last document of `job --json`.
    func end(of job: String, seconds: Double = 120) throws -> [String: Any] {
        let watched = try asPerson(["watch", job, "--timeout", "20"], seconds: seconds)
        let last = try report(job)
        guard watched.status == 0 else { throw ToolFailure("\(watched)\n\(hub.errorsSoFar.suffix(3000))") }
        return last
    }

    /// The chunks of a job's report.
    static func chunks(_ report: [String: Any]) -> [Farm.Chunk] {
        (report["chunks"] as? [[String: Any]] ?? []).map { chunk in
            Farm.Chunk(
                index: chunk["index"] as? Int ?? -1, kind: chunk["kind"] as? String ?? "",
                state: chunk["state"] as? String ?? "", attempt: chunk["attempt"] as? Int ?? 0,
                worker: chunk["worker"] as? String ?? "", error: nil)
        }
    }

    /// The workers that have a finished segment which the coordinator has not stored.
    func senders() -> [String] {
        workers.keys.sorted().filter { name in
            files(below: "own/slots", on: name).contains { $0.hasSuffix("/list.json") }
        }
    }

    /// The workers that have got a part of a source.
    func readers() -> [String] {
        workers.keys.sorted().filter { name in
            files(below: "own/blocks", on: name).contains { !$0.contains("/own/blocks/.") }
        }
    }

    /// The bytes of files that are on their way to the coordinator.
    func arriving() -> Int {
        let paths = files(below: "out", on: Self.coordinator).filter { $0.contains(".arriving-") }
        return paths.reduce(0) { sum, path in
            let facts = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + (facts?[.size] as? Int ?? 0)
        }
    }

    /// The bytes that have come to the coordinator's machine over its wire, and those that have gone.
    func bytesOfHub() throws -> (came: Int, went: Int) {
        let told = try machines.shell(on: Self.coordinator, "cat /proc/net/dev")
        let line = told.text.split(separator: "\n").map { $0.split(whereSeparator: { " :".contains($0) }) }
            .first { $0.first == "eth0" }
        guard let line, line.count > 9, let came = Int(line[1]), let went = Int(line[9]) else {
            throw ToolFailure("\(told)")
        }
        return (came, went)
    }

    /// The paths of all files below a folder of a machine, for this process.
    func files(below place: String, on name: String) -> [String] {
        let folder = machines.seen(place, on: name)
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.map { folder + "/" + $0 }.filter { path in
            let facts = try? FileManager.default.attributesOfItem(atPath: path)
            return facts?[.type] as? FileAttributeType == FileAttributeType.typeRegular
        }
    }
}
