import Diagnostics
import Scheduling

/// The happenings to come, by time. Among those of equal times the one that was put down first comes first. A binary
/// heap.
struct Agenda {
    private var heap: [(time: Instant, number: Int, happening: Happening)] = []
    private var count = 0

    mutating func add(_ happening: Happening, at time: Instant) {
        count += 1
        heap.append((time, count, happening))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func takeNext() -> (time: Instant, happening: Happening)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.happening)
    }

    /// Messages and work that are under way.
    var size: Int { heap.count }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let least = left + 1 < heap.count && isBefore(left + 1, left) ? left + 1 : left
            guard isBefore(least, parent) else { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].time.nanoseconds, heap[a].number) < (heap[b].time.nanoseconds, heap[b].number)
    }
}

/// Everything that can happen in a simulated farm. What belongs to a process carries the process's number and means
/// nothing once that one has ended.
enum Happening {
    // clients
    case submit(job: Int)
    case cancel(job: Int)
    /// A person goes on with a job that failed, or has nothing kept of it.
    case retry(job: Int)
    case prune(job: Int)
    case drain(worker: String)
    case revokeKey(Scenario.Revocation)

    // the coordinator's process; `life` is its number
    case coordinatorStarts
    case coordinatorDies
    case coordinatorTicks(life: Int)
    case turn(life: Int)
    case arrives(SlotMessage, Connection)
    case beatArrives(Beat)
    case slotEnded(slot: String)
    case workDone(life: Int, Deed)
    /// The same, of work that stood still over a disk.
    case workGoesOn(life: Int, Deed, Standstill)

    // slots' processes
    case slotStarts(index: Int)
    case slotDies(index: Int)
    case slotFreezes(index: Int, Duration)
    case slotIsCutOff(index: Int, Duration)
    case slotTicks(index: Int, process: Int)
    case slotBeats(index: Int, process: Int)
    /// From the coordinator, by the connection that it was sent to.
    case slotHears(Connection, SlotEvent)
    /// From the slot's own threads, and answers to heartbeats.
    case slotTurns(index: Int, process: Int, SlotEvent)
    case renders(index: Int, process: Int, Holding)

    /// A worker writes to a file that it had delivered long ago.
    case rewrites(file: String)
    /// The disk that all work folders and films are on has no room for so long.
    case diskFills(Duration)
    /// The same, for a moment.
    case diskBlinks(Duration)
    case diskStops(DiskPlace, Duration)
}

/// A heartbeat of a slot's process.
struct Beat {
    var slot: String
    var index: Int
    var process: Int
    var holding: Holding?
    /// The process has done nothing since the last one.
    var isStill: Bool
}

/// One socket of a slot towards one life of the coordinator.
struct Connection: Hashable {
    var index: Int
    var process: Int
    var number: Int
    var life: Int

    var peer: Peer { Peer([index, process, number, life].map { UInt8(truncatingIfNeeded: $0) }) }
}

/// The messages that slots send by their control sockets.
enum SlotMessage {
    case register(SlotSpec, Holding?)
    case started(Holding)
    case progress(Holding, Int, Int)
    case finished(Holding, ReportedSegment)
    case failed(Holding, SplitreelError)
    case released(Holding)
    case sending(Holding)
    case leaving
    case draining
    case assetsChecked(job: String, SplitreelError?)
}
