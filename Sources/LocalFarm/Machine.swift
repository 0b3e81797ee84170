import Foundation

/// The machine that this process runs on.
package enum Machine {
    /// The number of cores, at most one worker per GiB of memory.
    package static var defaultWorkers: Int {
        let information = ProcessInfo.processInfo
        let gibibytes = Int(information.physicalMemory >> 30)
        return max(1, min(information.activeProcessorCount, gibibytes))
    }
}
