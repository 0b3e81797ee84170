import Diagnostics
package import Threads

/// The machine that this process runs on, as far as it may use it.
package enum Machine {
    /// The number of cores, at most one worker per GiB of memory.
    package static var defaultWorkers: Int { MachineShare.current.defaultWorkers }
}

extension MachineShare {
    /// The workers that there are where nobody says how many: one for each core, at most one for each GiB of memory.
    package var defaultWorkers: Int { max(1, min(cores.amount, memory.amount >> 30)) }

    /// The memory that all workers together may take, in bytes: what the process that starts them, and the readers of
    /// media beside it, leave of it.
    package var bytesForWorkers: Int { memory.amount - min(256 << 20, memory.amount / 8) }

    /// The workers that render at a time where nobody says how many, if each takes so many bytes: one at least.
    package func workers(taking bytes: Int) -> Int {
        max(1, min(defaultWorkers, bytesForWorkers / max(1, bytes)))
    }

    /// The share for people: `2 cores of 8 (affinity), 3.0 GiB of 24.0 GiB (memory.max)`.
    package var words: String {
        func words(_ part: Part, _ text: (Int) -> String, of total: String) -> String {
            text(part.amount) + (part.limiter.map { " of \(total) (\($0))" } ?? "")
        }
        return words(cores, { counted($0, "core") }, of: "\(cores.total)") + ", "
            + words(memory, memoryText, of: memoryText(memory.total))
    }
}
