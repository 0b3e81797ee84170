// The speed of jobs and slots, from what is seen of their work.
extension CoordinatorBrain {
    /// The silence after which the coordinator itself counts as having stood still, since it heard not even its own
    /// clock. How long anything took that it hears of next, it cannot know.
    static let standstill: Duration = .seconds(2)

    /// The time between reports below which they lay in a queue, and belong to the time before them.
    private static let together: Duration = .milliseconds(50)

    /// Counts the units that an attempt has done since it was last heard of, over the time since then. To be called
    /// before `unitsDone` changes.
    mutating func measure(_ slot: String, _ attempt: Attempt, _ units: Int) {
        let (holding, now) = (attempt.holding, now)
        guard jobs[holding.job]?.tasks[holding.task].spec.kind.isSound == false else { return }
        guard let measured = attempt.measured else {
            return updateAttempt(holding) { $0.measured = (now, now) }
        }
        let start = now - measured.to > Self.together ? measured.to : measured.from
        let done = units - attempt.unitsDone
        jobs[holding.job]?.meter.add(done, from: start, to: now)
        slots[slot]?.meter.add(done, from: start, to: now)
        updateAttempt(holding) { $0.measured = (start, now) }
    }

    mutating func forgetRates() {
        for slot in slots.keys { slots[slot]?.meter = RateMeter() }
        for job in queue {
            jobs[job]?.meter = RateMeter()
            for index in jobs[job]?.tasks.indices ?? 0..<0 where jobs[job]?.tasks[index].attempt != nil {
                jobs[job]?.tasks[index].attempt?.measured = nil
            }
        }
    }
}
