package import Diagnostics
package import Scheduling

/// One file of a finished segment, complete on the worker's disk.
package struct OutboxFile: Sendable, Hashable {
    /// The file's place in its set of several outputs, from 0.
    package var number: Int
    /// Whether it is the record beside that file.
    package var isRecord: Bool
    package var size: Int64
    /// The SHA-256 of its bytes, 32 bytes.
    package var sum: [UInt8]

    package init(number: Int, isRecord: Bool, size: Int64, sum: [UInt8]) {
        self.number = number
        self.isRecord = isRecord
        self.size = size
        self.sum = sum
    }
}

/// A finished segment that the coordinator does not see: its attempt, and its files.
package struct OutboxItem: Sendable, Hashable {
    package var holding: Holding
    package var files: [OutboxFile]

    package init(holding: Holding, files: [OutboxFile]) {
        self.holding = holding
        self.files = files
    }

    package var bytes: Int64 { files.reduce(0) { $0 + $1.size } }
}

/// The worker's finished segments until the coordinator has them: what is offered when, and what is told of it. A value
/// without clock or I/O.
///
/// An item is complete before it is kept here, and durable before anything is told of its end. A link that breaks, a
/// coordinator that is away or starts anew cost nothing but time: each file is offered again until it is stored.
package struct Outbox: Sendable {
    package enum Event: Sendable, Hashable {
        /// A segment is complete, now or since an earlier life.
        case kept(OutboxItem)
        /// The link to the coordinator stands, or is broken.
        case link(isUp: Bool)
        /// The coordinator takes the stream's bytes.
        case wanted(UInt64)
        case stored(UInt64)
        case refused(UInt64, SplitreelError)
        /// Nobody wants the segment any more.
        case dropped(Holding)
        case tick
    }

    package enum Action: Sendable, Hashable {
        /// Offers a file, by a stream that the coordinator then asks for.
        case offer(UInt64, Holding, OutboxFile)
        /// Sends nothing more on the stream.
        case forget(UInt64)
        /// Tells that the segment is on its way, so that its lease lasts.
        case tellSending(Holding)
        /// All files are with the coordinator: the segment can be told as finished.
        case delivered(Holding)
        case giveUp(Holding, SplitreelError)
        /// Removes the segment's files.
        case remove(Holding)
    }

    package let limits: DataLimits
    package let budget: DiskBudget
    private var entries: [OutboxEntry] = []
    private var isUp = false
    private var lastStream: UInt64
    private var now: Instant = .zero
    private var actions: [Action] = []

    /// `firstStream` is above all numbers that this process has used otherwise, and random: the coordinator may still
    /// know those of an earlier process.
    package init(limits: DataLimits = DataLimits(), budget: DiskBudget, firstStream: UInt64) {
        self.limits = limits
        self.budget = budget
        lastStream = firstStream
    }

    /// The bytes that are kept.
    package var bytes: Int64 { entries.reduce(0) { $0 + $1.item.bytes } }
    package var holdings: [Holding] { entries.map(\.item.holding) }

    /// The reason why a segment of so many bytes cannot be kept; nil where it can. To be asked before it is begun.
    package func refusal(of bytes: Int64, free: Int64?, place: String) -> SplitreelError? {
        budget.refusal(of: bytes, held: self.bytes, free: free, place: place)
    }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        self.now = max(self.now, now)
        switch event {
        case .kept(let item): keep(item)
        case .link(let isUp): link(isUp)
        case .wanted(let stream): change(stream) { $0 = .sending(stream, heardAt: now) }
        case .stored(let stream): stored(stream)
        case .refused(let stream, let error): refused(stream, error)
        case .dropped(let holding): drop(holding)
        case .tick: expire()
        }
        tellAndOffer()
        defer { actions = [] }
        return actions
    }

    private mutating func keep(_ item: OutboxItem) {
        guard !entries.contains(where: { $0.item.holding == item.holding }) else { return }
        entries.append(OutboxEntry(item: item, since: now))
        endIfStored(entries.count - 1)
    }

    private mutating func link(_ isUp: Bool) {
        self.isUp = isUp
        for entry in entries.indices {
            entries[entry].toldAt = nil
            for file in entries[entry].files.indices {
                if let stream = entries[entry].files[file].stream {
                    actions.append(.forget(stream))
                    entries[entry].files[file] = .waiting(until: now)
                }
            }
        }
    }

    /// Changes the state of the file that the stream is of.
    private mutating func change(_ stream: UInt64, _ body: (inout FileState) -> Void) {
        guard let (entry, file) = place(of: stream) else { return }
        body(&entries[entry].files[file])
    }

    private func place(of stream: UInt64) -> (entry: Int, file: Int)? {
        for (index, entry) in entries.enumerated() {
            if let file = entry.files.firstIndex(where: { $0.stream == stream }) { return (index, file) }
        }
        return nil
    }

    private mutating func stored(_ stream: UInt64) {
        guard let (entry, file) = place(of: stream) else { return }
        actions.append(.forget(stream))
        entries[entry].files[file] = .stored
        endIfStored(entry)
    }

    private mutating func endIfStored(_ index: Int) {
        guard entries[index].files.allSatisfy({ $0 == .stored }) else { return }
        let holding = entries.remove(at: index).item.holding
        actions += [.delivered(holding), .remove(holding)]
    }

    private mutating func refused(_ stream: UInt64, _ error: SplitreelError) {
        guard let (entry, file) = place(of: stream) else { return }
        actions.append(.forget(stream))
        entries[entry].refusals += 1
        let first: Duration
        switch error.code.retry {
        case .transient: first = limits.again
        case .resource: first = limits.againForRoom
        case .suspectWorker, .suspectAccess, .permanent:
            entries[entry].files[file] = .waiting(until: now)
            return giveUp(entry, error)
        }
        let pause = min(first * (1 << min(entries[entry].refusals - 1, 8)), limits.offerMaximum)
        entries[entry].files[file] = .waiting(until: now + pause)
    }

    private mutating func giveUp(_ index: Int, _ error: SplitreelError) {
        let holding = entries[index].item.holding
        remove(index)
        actions.append(.giveUp(holding, error))
    }

    private mutating func drop(_ holding: Holding) {
        if let index = entries.firstIndex(where: { $0.item.holding == holding }) { remove(index) }
    }

    private mutating func remove(_ index: Int) {
        let entry = entries.remove(at: index)
        for stream in entry.files.compactMap(\.stream) { actions.append(.forget(stream)) }
        actions.append(.remove(entry.item.holding))
    }

    private mutating func expire() {
        while let index = entries.firstIndex(where: { now - $0.since >= limits.outboxKeeps }) {
            let error = SplitreelError(
                .tookTooLong, operation: "sending a segment", subject: "task \(entries[index].item.holding.task)",
                reason: "the coordinator did not take it within \(limits.outboxKeeps)")
            giveUp(index, error)
        }
    }

    /// Says again what was not answered, and offers the next files: the oldest segment first.
    private mutating func tellAndOffer() {
        guard isUp else { return }
        var open = entries.reduce(0) { sum, entry in sum + entry.files.count { $0.stream != nil } }
        for index in entries.indices {
            let holding = entries[index].item.holding
            if entries[index].toldAt.map({ now - $0 >= limits.telling }) ?? true {
                entries[index].toldAt = now
                actions.append(.tellSending(holding))
            }
            for file in entries[index].files.indices {
                let stream: UInt64
                switch entries[index].files[file] {
                case .stored: continue
                case .waiting(let due):
                    guard now >= due, open < limits.offersAtOnce else { continue }
                    open += 1
                    lastStream += 1
                    stream = lastStream
                case .offered(let known, let at):
                    guard now - at >= limits.offer else { continue }
                    stream = known
                // What is asked for is sent; where nothing is asked for any more, it is offered anew.
                case .sending(let known, let heardAt):
                    guard now - heardAt >= limits.offer * 3 else { continue }
                    actions.append(.forget(known))
                    lastStream += 1
                    stream = lastStream
                }
                entries[index].files[file] = .offered(stream, at: now)
                actions.append(.offer(stream, holding, entries[index].item.files[file]))
            }
        }
    }
}

private struct OutboxEntry: Sendable {
    let item: OutboxItem
    let since: Instant
    /// The states of the item's files, in their order.
    var files: [FileState]
    var toldAt: Instant?
    var refusals = 0

    init(item: OutboxItem, since: Instant) {
        self.item = item
        self.since = since
        files = item.files.map { _ in .waiting(until: since) }
    }
}

private enum FileState: Sendable, Hashable {
    case waiting(until: Instant)
    case offered(UInt64, at: Instant)
    case sending(UInt64, heardAt: Instant)
    case stored

    var stream: UInt64? {
        switch self {
        case .offered(let stream, _), .sending(let stream, _): stream
        case .waiting, .stored: nil
        }
    }
}
