import Foundation

/// A coordinator and workers as processes of their own; all killed when this goes.
package final class Farm {
    package struct Chunk {
        package var index: Int
        package var kind: String
        package var state: String
        package var attempt: Int
        package var worker: String
        /// The number of the error that it failed with last; nil for none.
        package var error: Int?

        /// In a worker's hands.
        package var isHeld: Bool { ["leased", "running"].contains(state) }

        package init(index: Int, kind: String, state: String, attempt: Int, worker: String, error: Int?) {
            self.index = index
            self.kind = kind
            self.state = state
            self.attempt = attempt
            self.worker = worker
            self.error = error
        }
    }

    package struct Job {
        package var state: String
        package var chunks: [Chunk]
        /// The work on it that waits, as reports call it; nil for none.
        package var delay: String?

        /// The chunks of the picture that are done.
        package var doneCount: Int { chunks.count { $0.kind != "audio" && $0.state == "done" } }
        package var isOver: Bool { ["completed", "failed", "cancelled"].contains(state) }
    }

    package let program: Splitreel
    package let endpoint: String
    package let data: String
    package private(set) var coordinator: Tool
    package private(set) var workers: [Tool] = []

    /// - Parameter endpoint: where to listen; port 0 is any free one.
    package init(
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
    package func addWorker(_ name: String, of other: Splitreel? = nil, options: [String] = []) throws {
        let words = ["worker", "--connect", endpoint, "--slots", "1"] + options + ["--name", name]
        workers.append(try (other ?? program).start(words))
    }

    /// Starts the coordinator again at the same endpoint over the same data, after it was killed.
    package func restartCoordinator() throws {
        coordinator = try program.start(["coordinator", "--listen", endpoint, "--data", data])
        _ = try Self.endpoint(of: coordinator)
    }

    package func submit(_ composition: String, to output: String, _ options: [String]) throws -> String {
        let result = try program.run(
            ["submit", composition, "-o", output, "--connect", endpoint] + options, seconds: 30)
        guard result.status == 0 else { throw ToolFailure("submit failed: \(result)") }
        return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func job(_ identifier: String) throws -> Job {
        let result = try program.run(["job", identifier, "--connect", endpoint, "--json"], seconds: 30)
        guard result.status == 0, let root = result.json else { throw ToolFailure("job failed: \(result)") }
        let chunks = (root["chunks"] as? [[String: Any]] ?? []).map { chunk in
            Chunk(
                index: chunk["index"] as? Int ?? -1, kind: chunk["kind"] as? String ?? "",
                state: chunk["state"] as? String ?? "", attempt: chunk["attempt"] as? Int ?? 0,
                worker: chunk["worker"] as? String ?? "",
                error: (chunk["error"] as? [String: Any])?["code"] as? Int)
        }
        let delay = (root["delay"] as? [String: Any])?["work"] as? String
        return Job(state: root["state"] as? String ?? "", chunks: chunks, delay: delay)
    }

    /// Asks until the job satisfies the condition or is over; throws after `seconds`.
    package func wait(
        for identifier: String, seconds: Double = 120, until condition: (Job) -> Bool = { $0.isOver }
    ) throws -> Job {
        var last = try job(identifier)
        let isThere = try eventually(seconds: seconds) {
            if condition(last) || last.isOver { return true }
            last = try job(identifier)
            return condition(last) || last.isOver
        }
        if isThere { return last }
        throw ToolFailure("job \(identifier) took too long; coordinator said: \(coordinator.errorsSoFar.suffix(2000))")
    }

    /// Renders a job and kills the process of a worker that holds a lease; tries again where its result was on its way
    /// already.
    package func renderKillingAWorker(_ composition: String, to output: String, _ options: [String]) throws -> Job {
        for number in 0..<6 {
            let identifier = try submit(composition, to: output, options + ["--overwrite"])
            // A film so short that it has one chunk may have its sound lost instead.
            try killHolder(of: identifier) { $0.isHeld && (number > 1 || $0.kind != "audio") }
            let job = try wait(for: identifier)
            guard job.state == "completed" else { throw ToolFailure("job \(identifier) \(job.state)") }
            if job.chunks.contains(where: { $0.attempt > 1 }) { return job }
        }
        throw NoWorkerCaught()
    }

    /// Kills what renders for a worker, whatever it is at; the worker starts it again.
    package func killSlot(ofWorker number: Int) {
        for process in ProcessTable.children(of: workers[number].identifier) { kill(process, SIGKILL) }
    }

    /// None was caught with a lease in its hands.
    package struct NoWorkerCaught: Error {}

    /// Lets the slots go on in steps, however quick they are, until the job is as wanted or over. They stand still
    /// while it is asked for, and during `deed`: what it says is so then.
    package func halt(
        _ identifier: String, when isWanted: (Job) -> Bool, _ deed: (Job) throws -> Void
    ) throws {
        let isThere = try eventually(seconds: 120) {
            signalSlots(SIGSTOP)
            defer { signalSlots(SIGCONT) }
            let job = try job(identifier)
            guard isWanted(job) || job.isOver else { return false }
            try deed(job)
            return true
        }
        guard isThere else { throw ToolFailure("job \(identifier) never came so far") }
    }

    /// Kills the process that has a chunk in hand, of workers with one slot each; false where there is none.
    @discardableResult
    package func killSlot(holding chunk: Chunk) -> Bool {
        // A slot is called `worker/…`, and each worker here has one, its only child.
        guard let worker = workers.first(where: { chunk.worker.hasPrefix(Self.name(of: $0) + "/") }),
            let process = ProcessTable.children(of: worker.identifier).first
        else { return false }
        return kill(process, SIGKILL) == 0
    }

    /// Signals both halves of every slot, which are one process group.
    private func signalSlots(_ signal: Int32) {
        for process in workers.flatMap({ ProcessTable.children(of: $0.identifier) }) { kill(-process, signal) }
    }

    /// Lets the workers go on in steps, however quick they are, and kills the first that holds such a chunk of the job.
    /// They stand still while the job is asked for: what it says is so when the worker is killed.
    private func killHolder(of identifier: String, _ isWanted: (Chunk) -> Bool) throws {
        _ = try eventually(seconds: 120) {
            signalSlots(SIGSTOP)
            defer { signalSlots(SIGCONT) }
            let job = try job(identifier)
            guard !job.isOver, let held = job.chunks.first(where: isWanted) else { return job.isOver }
            return killSlot(holding: held)
        }
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
