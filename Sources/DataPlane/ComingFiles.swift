import Diagnostics
import Scheduling

/// The name of a file that comes piece by piece.
protocol ComingKey: Hashable, Sendable {
    /// An order for those that are due together, so that a seed decides all.
    static func precedes(_ a: Self, _ b: Self) -> Bool
}

/// Files that come piece by piece, each by one stream at a time, and are written in order: what `Arrivals` and
/// `StoreUploads` share. A value without clock or I/O. What is offered, taken and kept is decided by those two.
///
/// A file outlives its streams: it goes on by the next one behind the last byte that came. Bytes that wait for the disk
/// are not asked for again.
struct ComingFiles<Key: ComingKey>: Sendable {
    enum Step: Sendable {
        /// Writes that part of the piece that has just come.
        case write(Key, offset: Int64, skip: Int, count: Int)
        case startOver(Key)
        case sum(Key)
        /// All bytes of the file are there, and right.
        case place(Key)
        case want(StreamID, Demand)
        /// The file cannot come any more.
        case fail(Key, SplitreelError)
    }

    let limits: DataLimits
    /// The time of the event that is being handled.
    var now: Instant = .zero
    private(set) var entries: [Key: ComingFile] = [:]
    private var receiver: PieceReceiver
    private var keys: [StreamID: Key] = [:]

    init(limits: DataLimits) {
        self.limits = limits
        receiver = PieceReceiver(limits: limits)
    }

    /// The bytes that may come or wait to be written, of all peers.
    var outstanding: Int64 { receiver.outstanding }
    var dropped: Int { receiver.dropped }

    subscript(_ key: Key) -> ComingFile? { entries[key] }

    /// The file that comes by a stream; nil where none does.
    func key(of stream: StreamID) -> Key? { keys[stream] }

    func streamCount(of peer: Peer) -> Int { keys.keys.count { $0.peer == peer } }

    // MARK: - Streams

    /// Notes a file, which comes by no stream yet.
    mutating func add(_ key: Key, _ file: ComingFile) { entries[key] = file }

    /// Answers a later offer of a file that is whole: its stream is told when it is placed.
    mutating func answer(_ key: Key, to stream: StreamID) { entries[key]?.answer = stream }

    /// Lets a file come by a stream, from where it stands.
    mutating func attach(_ key: Key, to stream: StreamID, keyName: String?) -> [Step] {
        guard let entry = entries[key] else { return [] }
        entries[key]?.stream = stream
        entries[key]?.answer = stream
        entries[key]?.heardAt = now
        keys[stream] = key
        receiver.elsewhere -= entry.waiting
        let goal = StreamGoal(
            from: entry.came, taken: entry.written, end: entry.size, sum: entry.sum, wholes: entry.wholes)
        return receive(.open(stream, goal, keyName: keyName))
    }

    /// Lets the stream go; what came by it stays.
    mutating func detach(_ stream: StreamID) -> [Step] {
        guard let key = keys[stream], let entry = entries[key], !entry.isWhole else { return [] }
        keys[stream] = nil
        entries[key]?.stream = nil
        entries[key]?.answer = nil
        receiver.elsewhere += entry.waiting
        return receive(.close(stream))
    }

    mutating func detachAll(of peer: Peer) -> [Step] {
        keys.keys.filter { $0.peer == peer }.flatMap { detach($0) }
    }

    // MARK: - What comes

    mutating func receive(_ event: PieceReceiver.Event) -> [Step] {
        receiver.handle(event, now: now).compactMap { step(for: $0) }
    }

    private mutating func step(for action: PieceReceiver.Action) -> Step? {
        switch action {
        case .ask(let id, let demand, _): return .want(id, demand)
        case .take(let id, let offset, let skip, let count):
            guard let key = keys[id] else { return nil }
            entries[key]?.came = offset + Int64(count)
            entries[key]?.heardAt = now
            return .write(key, offset: offset, skip: skip, count: count)
        case .startOver(let id):
            guard let key = keys[id] else { return nil }
            entries[key]?.startOver()
            return .startOver(key)
        case .sum(let id): return keys[id].map { .sum($0) }
        case .complete(let id):
            guard let key = keys[id] else { return nil }
            entries[key]?.isWhole = true
            return .place(key)
        case .giveUp(let id, let error): return keys[id].map { .fail($0, error) }
        }
    }

    /// Notes that all bytes before a place are in the file.
    mutating func written(_ key: Key, _ place: Int64) -> [Step] {
        guard let entry = entries[key], place >= entry.written, place <= entry.came else { return [] }
        entries[key]?.written = place
        guard let id = entry.stream else {
            receiver.elsewhere -= place - entry.written
            return []
        }
        return receive(.taken(id, place))
    }

    mutating func summed(_ key: Key, _ sum: [UInt8]) -> [Step] {
        guard let id = entries[key]?.stream else { return [] }
        return receive(.summed(id, sum))
    }

    /// Notes that a whole file has its name. Answers the stream to be told that; nil where there is none.
    mutating func placed(_ key: Key) -> StreamID? {
        guard let entry = entries[key], entry.isWhole else { return nil }
        entries[key]?.isPlaced = true
        if let id = entry.stream { keys[id] = nil }
        entries[key]?.stream = nil
        entries[key]?.answer = nil
        return entry.answer ?? entry.stream
    }

    mutating func remove(_ key: Key) -> [Step] {
        guard let entry = entries.removeValue(forKey: key) else { return [] }
        guard let id = entry.stream else {
            receiver.elsewhere -= entry.waiting
            return []
        }
        keys[id] = nil
        return receive(.close(id))
    }

    /// Looks after time. The credit of silent streams goes to others; they come again by an offer. Answers the files
    /// of which nothing has come for too long, too.
    mutating func tick() -> (steps: [Step], old: [Key]) {
        var steps = receive(.tick)
        var silent: [StreamID] = []
        var old: [Key] = []
        for (key, entry) in entries where !entry.isWhole {
            let silence = now - entry.heardAt
            if silence >= limits.arrivalKeeps {
                old.append(key)
            } else if silence >= limits.silence, let id = entry.stream {
                silent.append(id)
            }
        }
        for id in silent.sorted(by: StreamID.precedes) { steps += detach(id) }
        return (steps, old.sorted(by: Key.precedes))
    }
}

/// One file that comes.
struct ComingFile: Sendable {
    let size: Int64
    let sum: [UInt8]
    /// The name of the key under which it was offered first; nil on a farm without keys.
    let keyName: String?
    /// All bytes before this one have come, and are on their way into the file.
    fileprivate(set) var came: Int64
    /// All bytes before this one are in the file.
    fileprivate(set) var written: Int64
    /// The number of times that the content came, or comes, from its first byte on.
    fileprivate(set) var wholes = 1
    /// The stream by which it comes; nil while its sender is away.
    fileprivate(set) var stream: StreamID?
    /// The stream whose offer is to be answered.
    fileprivate(set) var answer: StreamID?
    /// Whether all bytes are there, and right.
    fileprivate(set) var isWhole = false
    /// Whether the file has its name.
    fileprivate(set) var isPlaced = false
    /// The time of its last byte, or of the offer that it comes by.
    fileprivate(set) var heardAt: Instant

    /// The first bytes of it, up to `written`, are there already.
    init(size: Int64, sum: [UInt8], keyName: String?, written: Int64 = 0, _ now: Instant) {
        self.size = size
        self.sum = sum
        self.keyName = keyName
        self.written = written
        came = written
        heardAt = now
    }

    /// The stream that is told what becomes of it.
    var listener: StreamID? { answer ?? stream }
    /// The bytes that have come and are not written.
    fileprivate var waiting: Int64 { came - written }

    fileprivate mutating func startOver() {
        came = 0
        written = 0
        wholes += 1
    }
}
