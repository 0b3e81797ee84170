import Diagnostics
package import Reports

/// The state of a whole farm, for `doctor --farm`; encodes as its document.
package struct FarmHealth: Encodable {
    /// The workers by name, one for each process.
    package var workers: [WorkerHealth]
    package var counters: CountersReport

    package init(workers: [WorkerReport], counters: CountersReport) {
        self.workers = workers.flatMap { worker in worker.processes.map { WorkerHealth(name: worker.name, $0) } }
        self.counters = counters
    }

    /// Whether no worker lacks anything.
    package var isWell: Bool { workers.allSatisfy(\.lacks.isEmpty) }

    /// The tables of counters and workers.
    package var text: String {
        counterTable + "\n\n" + (workers.isEmpty ? "no worker is connected" : WorkerHealth.table(workers))
    }

    /// The counters with their meaning, a row each.
    private var counterTable: String {
        var table = TextTable([.init("COUNTER"), .init("COUNT", .right), .init("MEANING")])
        let rows = [
            ("malformed messages", counters.malformedMessages, "what came was no message, or of no use"),
            ("unknown messages", counters.unknownMessages, "of a newer release, or not for a coordinator"),
            ("dropped messages", counters.droppedMessages, "too large to be one of ours"),
            ("dropped events", counters.droppedEvents, "too many others waited"),
            ("late results", counters.lateResults, "of attempts that were given up"),
        ]
        for (name, count, meaning) in rows { table.add([name, grouped(count), meaning]) }
        return table.text
    }
}
