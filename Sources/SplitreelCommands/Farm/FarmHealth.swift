import Diagnostics
package import Reports

/// The state of a whole farm, for `doctor --farm`; encodes as its document.
package struct FarmHealth: Encodable {
    package var counters: CountersReport

    package init(counters: CountersReport) { self.counters = counters }

    /// The counters with their meaning, a row each.
    package var table: String {
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
