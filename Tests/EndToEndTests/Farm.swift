import Foundation
import TestSupport
import Testing

/// A coordinator and workers as processes of their own; all killed when this goes.
final class Farm {
    struct Chunk {
        var index: Int
        var kind: String
        var state: String
        var attempt: Int
        var worker: String

        /// In a worker's hands.
        var isHeld: Bool { ["leased", "running"].contains(state) }
    }

    struct Job {
        var state: String
        var chunks: [Chunk]
        var isOver: Bool { ["completed", "failed", "cancelled"].contains(state) }
    }

    let program: Splitreel
    let endpoint: String
    let data: String
    private(set) var coordinator: Tool
    private(set) var workers: [Tool] = []

    /// - Parameter endpoint: where to listen; port 0 is any free one.
    init(
        in folder: TestFolder, _ program: Splitreel, workers: [String], endpoint: String = "tcp://127.0.0.1:0",
        data: String = "state"
    ) throws {
        self.program = program
        self.data = try folder.folder(data)
        coordinator = try program.start(["coordinator", "--listen", endpoint, "--data", self.data])
        self.endpoint = try Self.endpoint(of: coordinator)
        for name in workers { try addWorker(name) }
    }

    deinit {
        for tool in workers + [coordinator] where tool.isRunning { tool.send(SIGKILL) }
        for tool in workers + [coordinator] { _ = tool.finish(seconds: 10) }
    }

    /// `other`: another program than the coordinator's.
    func addWorker(_ name: String, of other: Splitreel? = nil) throws {
        workers.append(try (other ?? program).start(["worker", "--connect", endpoint, "--slots", "1", "--name", name]))
    }

    /// Starts the coordinator again at the same endpoint over the same data, after it was killed.
    func restartCoordinator() throws {
        coordinator = try program.start(["coordinator", "--listen", endpoint, "--data", data])
        _ = try Self.endpoint(of: coordinator)
    }

    func submit(_ composition: String, to output: String, _ options: [String]) throws -> String {
        let result = try program.run(
            ["submit", composition, "-o", output, "--connect", endpoint] + options, seconds: 30)
        guard result.status == 0 else { throw ToolFailure("submit failed: \(result)") }
        return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func job(_ identifier: String) throws -> Job {
        let result = try program.run(["job", identifier, "--connect", endpoint, "--json"], seconds: 30)
        guard result.status == 0, let root = result.json else { throw ToolFailure("job failed: \(result)") }
        let chunks = (root["chunks"] as? [[String: Any]] ?? []).map { chunk in
            Chunk(
                index: chunk["index"] as? Int ?? -1, kind: chunk["kind"] as? String ?? "",
                state: chunk["state"] as? String ?? "", attempt: chunk["attempt"] as? Int ?? 0,
                worker: chunk["worker"] as? String ?? "")
        }
        return Job(state: root["state"] as? String ?? "", chunks: chunks)
    }

    /// Asks until the job satisfies the condition or is over; throws after `seconds`.
    func wait(for identifier: String, seconds: Double = 120, until condition: (Job) -> Bool = { $0.isOver }) throws
        -> Job
    {
        var last = try job(identifier)
        let isThere = try eventually(seconds: seconds) {
            if condition(last) || last.isOver { return true }
            last = try job(identifier)
            return condition(last) || last.isOver
        }
        if isThere { return last }
        throw ToolFailure("job \(identifier) took too long; coordinator said: \(coordinator.errorsSoFar.suffix(2000))")
    }

    /// Renders a job and kills the process of a worker that holds a lease; tries again if the work was too quick, in
    /// the end with workers that stand still until one has been given a chunk.
    func renderKillingAWorker(_ composition: String, to output: String, _ options: [String]) throws -> Job {
        for number in 0..<6 {
            // All that stand still may have been given sound.
            let isWanted = { (chunk: Chunk) in chunk.isHeld && (number > 1 || chunk.kind != "audio") }
            let standing = number > 1 ? workers.flatMap { ProcessTable.children(of: $0.identifier) } : []
            // Those that have not asked for work yet are given none.
            if number > 1 { _ = try eventually(seconds: 5) { try areIdle() } }
            standing.forEach { kill($0, SIGSTOP) }
            defer { standing.forEach { kill($0, SIGCONT) } }
            let identifier = try submit(composition, to: output, options + ["--overwrite"])
            var isKilled = false
            while !isKilled,
                let job = try? wait(for: identifier, seconds: 10, until: { $0.chunks.contains(where: isWanted) }),
                !job.isOver
            {
                isKilled = try killHolder(of: identifier, job, isWanted)
            }
            standing.forEach { kill($0, SIGCONT) }
            let job = try wait(for: identifier)
            guard job.state == "completed" else { throw ToolFailure("job \(identifier) \(job.state)") }
            if job.chunks.contains(where: { $0.attempt > 1 }) { return job }
        }
        throw NoWorkerCaught()
    }

    /// Whether all workers wait for work.
    private func areIdle() throws -> Bool {
        let result = try program.run(["workers", "--connect", endpoint, "--json"], seconds: 30)
        let listed = try JSONSerialization.jsonObject(with: Data(result.text.utf8)) as? [[String: Any]] ?? []
        return listed.count == workers.count && listed.allSatisfy { $0["state"] as? String == "idle" }
    }

    /// Kills what renders for a worker, whatever it is at; the worker starts it again.
    func killSlot(ofWorker number: Int) {
        for process in ProcessTable.children(of: workers[number].identifier) { kill(process, SIGKILL) }
    }

    /// None was caught with a lease in its hands: the film is made too fast.
    struct NoWorkerCaught: Error {}

    /// Stops the process first, so that it still holds the chunk when it is killed.
    private func killHolder(of identifier: String, _ job: Job, _ isWanted: (Chunk) -> Bool) throws -> Bool {
        // A slot is called `worker/…`, and each worker here has one, its only child.
        guard let held = job.chunks.first(where: isWanted),
            let worker = workers.first(where: { held.worker.hasPrefix(Self.name(of: $0) + "/") }),
            let process = ProcessTable.children(of: worker.identifier).first
        else { return false }
        kill(process, SIGSTOP)
        let now = try self.job(identifier)
        let holds = now.chunks.contains { $0.worker == held.worker && isWanted($0) }
        kill(process, holds ? SIGKILL : SIGCONT)
        return holds
    }

    private static func name(of worker: Tool) -> String { worker.command.components(separatedBy: " ").last ?? "" }

    private static func endpoint(of coordinator: Tool) throws -> String {
        let mark = "listening on "
        let isUp = coordinator.until(seconds: 20) { coordinator.outputSoFar.contains(mark) }
        guard isUp, let line = coordinator.outputSoFar.split(separator: "\n").first(where: { $0.hasPrefix(mark) })
        else {
            throw ToolFailure("the coordinator does not listen: \(coordinator.errorsSoFar)")
        }
        return String(line.dropFirst(mark.count))
    }
}
