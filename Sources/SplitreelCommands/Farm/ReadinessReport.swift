package import Diagnostics
import FarmClient
import Foundation
package import Worker

/// The answer of `doctor --ready`: whether a coordinator or a worker does its work. Encodes as the command's document.
package struct ReadinessReport: Encodable, Hashable, Sendable {
    package var ready: Bool
    /// The reason why it is not ready, or what makes it so, for people.
    package var reason: String
    /// The slots of a worker; nil for a coordinator.
    package var slots: Int?
    /// The registered ones among them.
    package var registered: Int?
    /// The seconds since the coordinator answered the slot that has waited longest; nil where none was answered.
    package var answered: Double?

    /// The seconds that a coordinator has for its answer where nobody says how many: all together are to be over in 5.
    static let patience = 4.0

    /// The readiness of a coordinator. Closes the client.
    init(asking client: FarmClient) async {
        defer { client.close() }
        do {
            let refusal = try await client.refusalOfJobs()
            self.init(ready: refusal == nil, reason: refusal ?? "the coordinator answers and takes jobs")
        } catch let error as SplitreelError {
            self.init(error)
        } catch {
            self.init(ready: false, reason: "\(error)")
        }
    }

    private init(ready: Bool, reason: String) {
        self.ready = ready
        self.reason = reason
    }

    /// The readiness of a coordinator that could not be asked.
    package init(_ error: SplitreelError) {
        ready = false
        let why = error.reason.isEmpty ? "" : ", \(error.reason)"
        // Only another token helps then.
        let hint = error.code == .roleRefused && !error.hint.isEmpty ? "; \(error.hint)" : ""
        reason = "error \(error.code.number): \(error.code.title): \(error.subject)\(why)\(hint)"
    }

    /// The readiness of the worker that has that folder as --data.
    package init(_ worker: WorkerReadiness, data: String) {
        ready = worker.isReady
        slots = worker.slots
        registered = worker.registered
        answered = worker.answered
        guard worker.slots > 0 else {
            reason = "no worker has \(data) as --data, or it leaves"
            return
        }
        let count = "\(worker.registered) of \(counted(worker.slots, "slot")) \(worker.slots == 1 ? "is" : "are")"
        let last = worker.answered.map { String(format: "; the coordinator's last answer is %.1f s old", $0) } ?? ""
        reason = "\(count) registered\(last)"
    }

    /// The line for people.
    package var text: String { (ready ? "ready: " : "not ready: ") + reason.printable }
}
