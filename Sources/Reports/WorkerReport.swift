package import FarmProtocol
package import Scheduling

/// The news of a worker; the elements of `workers --json`.
package struct WorkerReport: Sendable, Hashable, Encodable {
    package var name: String
    package var state: Told<SlotEntry.Condition>
    package var slots: Int
    /// The tasks in hand as `JOB/CHUNK`, and sound as `JOB/sound`.
    package var current: [String]
    package var framesPerSecond: Double
    /// The jobs that it gets nothing of, and why.
    package var remarks: [String]

    package init(name: String, state: SlotEntry.Condition, slots: Int, current: [String] = []) {
        self.name = name
        self.state = .known(state)
        self.slots = slots
        self.current = current
        framesPerSecond = 0
        remarks = []
    }

    package init(_ message: Splitreel_Farm_WorkerReport) {
        name = message.name
        state = Told(message.state.known, number: message.state.rawValue)
        slots = Int(message.slots)
        current = message.current
        framesPerSecond = message.framesPerSecond.asRate
        remarks = message.remarks
    }
}
