import TestTools

/// The most memory that the program, one of its slots and one of its media processes had, in MiB.
struct MemoryPeaks {
    var own = 0.0
    var slot = 0.0
    var media = 0.0

    var most: Double { max(own, slot, media) }
}

extension Splitreel {
    /// Runs it to its end, looking at its processes all the time.
    func measured(_ arguments: [String], seconds: Double) throws -> (peaks: MemoryPeaks, result: ToolResult) {
        let tool = try start(arguments)
        var peaks = MemoryPeaks()
        _ = tool.until(seconds: seconds) {
            peaks.own = max(peaks.own, ProcessTable.peakMemory(of: tool.identifier))
            for child in ProcessTable.children(of: tool.identifier) {
                let peak = ProcessTable.peakMemory(of: child)
                if ProcessTable.commandLine(of: child).contains("splitreel media") {
                    peaks.media = max(peaks.media, peak)
                } else {
                    // A slot's media half is a child of the one that has the network.
                    let halves = ProcessTable.children(of: child).map(ProcessTable.peakMemory)
                    peaks.slot = max(peaks.slot, halves.max() ?? peak)
                }
            }
            return !tool.isRunning
        }
        return (peaks, tool.finish(seconds: 10))
    }
}
