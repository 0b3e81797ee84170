/// The state that the loop's thread alone touches.
struct LoopState {
    var sockets: [SocketID: Socket] = [:]
    /// The socket that lets peers in, of a loop that serves under keys.
    var doors: AuthenticationSocket?
    var descriptors: [DescriptorID: WatchedDescriptor] = [:]
    var timers = TimerQueue()
    /// The number of messages with more frames than the limit.
    var droppedMessages = 0
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

struct WatchedDescriptor {
    let descriptor: Int32
    let readable: () -> Void
}

/// Timers in the order of their deadlines; a loop has few, so a sorted array serves.
struct TimerQueue {
    struct Entry {
        let id: TimerID
        var deadline: ContinuousClock.Instant
        /// The time between two beats; nil for a timer that fires once.
        let interval: Duration?
        let body: () -> Void
    }
    private var entries: [Entry] = []
    /// The timers that were taken and did not yet run in this turn; cancelling removes from here too.
    private var due: Set<TimerID> = []

    mutating func add(_ entry: Entry) {
        entries.insert(entry, at: entries.firstIndex { $0.deadline > entry.deadline } ?? entries.count)
    }

    mutating func cancel(_ id: TimerID) {
        due.remove(id)
        entries.removeAll { $0.id == id }
    }

    mutating func takeDue(_ now: ContinuousClock.Instant) -> [Entry] {
        let count = entries.firstIndex { $0.deadline > now } ?? entries.count
        let taken = Array(entries.prefix(count))
        entries.removeFirst(count)
        due = Set(taken.map(\.id))
        return taken
    }

    /// Arms a periodic timer again, which skips missed beats where it fell behind. False if the timer was cancelled
    /// since it was taken.
    mutating func rearm(_ entry: Entry, now: ContinuousClock.Instant) -> Bool {
        guard due.remove(entry.id) != nil else { return false }
        if let interval = entry.interval {
            var next = entry
            next.deadline = max(entry.deadline + interval, now)
            add(next)
        }
        return true
    }

    /// The milliseconds to the next timer, for a poll: -1 where there is none, rounded up so that the loop does not
    /// wake too early.
    func millisecondsToNext() -> Int32 {
        guard let first = entries.first else { return -1 }
        return (first.deadline - ContinuousClock.now).clampedMilliseconds
    }
}
