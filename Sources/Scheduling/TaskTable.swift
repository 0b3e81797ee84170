/// A job's tasks, with their sums kept in step: whoever asks how far the job is need not count 100,000 tasks.
package struct TaskTable: Sendable, RandomAccessCollection {
    private var entries: [TaskEntry]
    private(set) var sums = TaskSums()

    package init(_ entries: [TaskEntry] = []) {
        self.entries = entries
        for index in entries.indices { sums.count(entries[index], at: index, 1) }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { entries.count }

    package subscript(index: Int) -> TaskEntry {
        get { entries[index] }
        _modify {
            sums.count(entries[index], at: index, -1)
            defer { sums.count(entries[index], at: index, 1) }
            yield &entries[index]
        }
    }
}

/// The sums of a job's tasks: whole numbers only, so that taking away what was added leaves nothing.
struct TaskSums: Sendable {
    /// The numbers of the picture's chunks by their state.
    private(set) var states: [TaskState: Int] = [:]
    private(set) var framesDone = 0
    private(set) var chunksDone = 0
    /// The chunks that are done and were in a cache.
    private(set) var chunksCached = 0
    /// The samples of the sound, and below them those that are done.
    private(set) var samples = 0
    private(set) var samplesDone = 0
    /// The samples mixed of the sound's parts, and below them the parts that are done.
    private(set) var samplesMixed = 0
    private(set) var mixesDone = 0
    /// The frames analysed, and below them the analyses that are done.
    private(set) var framesAnalysed = 0
    private(set) var analysesDone = 0
    /// The tasks whose segments are on their way from a cache: nobody is at work on them.
    private(set) var awaited = 0
    /// The indexes of the tasks that are neither pending nor done.
    private(set) var active: Set<Int> = []

    mutating func count(_ task: TaskEntry, at index: Int, _ sign: Int) {
        switch task.spec.kind {
        case .audio:
            samples += sign * task.spec.unitCount
            samplesDone += sign * task.unitsDone
        case .mix:
            samplesMixed += sign * task.unitsDone
            if task.state == .done { mixesDone += sign }
        case .analysis:
            framesAnalysed += sign * task.unitsDone
            if task.state == .done { analysesDone += sign }
        case .composite, .source, .still, .cut, .passthrough:
            states[task.state, default: 0] += sign
            framesDone += sign * task.unitsDone
            // A chunk that an earlier life stored is done until the check says otherwise.
            if task.state == .done || task.attempt?.isRecovered == true { chunksDone += sign }
            if task.state == .done, task.lastSlot == TaskEntry.cacheName { chunksCached += sign }
        }
        if task.attempt?.isAwaited == true { awaited += sign }
        guard task.state != .pending, task.state != .done else { return }
        if sign > 0 { active.insert(index) } else { active.remove(index) }
    }
}
