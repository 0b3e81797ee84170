package import Diagnostics
package import Scheduling

/// A file that arrives: one of the segment that an attempt made.
package struct ArrivalKey: Sendable, Hashable {
    package var holding: Holding
    /// The file's place in its set of several outputs, from 0.
    package var file: Int
    /// Whether it is the record beside that file.
    package var isRecord: Bool

    package init(holding: Holding, file: Int, isRecord: Bool) {
        self.holding = holding
        self.file = file
        self.isRecord = isRecord
    }
}

/// The offer of a file, by the stream that it would come on.
package struct ArrivalOffer: Sendable, Hashable {
    package var stream: StreamID
    package var key: ArrivalKey
    package var size: Int64
    package var sum: [UInt8]
    /// The name of the key that it came under; nil on a farm without keys.
    package var keyName: String?

    package init(stream: StreamID, key: ArrivalKey, size: Int64, sum: [UInt8]) {
        self.stream = stream
        self.key = key
        self.size = size
        self.sum = sum
    }
}

/// The coordinator's end of segments that travel: which files are taken, from where on, and when they are whole. A
/// value without clock or I/O.
///
/// A file grows under a temporary name. It goes on behind the last byte that came when its worker comes back by another
/// link: bytes that wait for the disk are not asked for again. It gets its name only when its SHA-256 is right and its
/// bytes are on the disk.
package struct Arrivals: Sendable {
    package enum Event: Sendable, Hashable {
        /// A file of a current attempt is offered; `free` is what the disk of its job's folder has.
        case offer(ArrivalOffer, free: Int64?)
        case piece(StreamID, offset: Int64, count: Int, end: Int64)
        /// All bytes before this one are in the temporary file.
        case written(ArrivalKey, Int64)
        case summed(ArrivalKey, [UInt8])
        /// The file has its name, and is on the disk.
        case placed(ArrivalKey)
        /// The file could not be made, written or named.
        case failed(ArrivalKey, SplitreelError)
        case stopped(StreamID)
        /// Nothing of the attempt is wanted any more.
        case over(Holding)
        case peerGone(Peer)
        case tick
    }

    package enum Action: Sendable, Hashable {
        /// Makes the temporary file, empty.
        case make(ArrivalKey)
        /// Writes that part of the piece that has just come. Answered with `written`.
        case write(ArrivalKey, offset: Int64, skip: Int, count: Int)
        case startOver(ArrivalKey)
        case sum(ArrivalKey)
        /// Brings the file to the disk and gives it its name. Answered with `placed`.
        case place(ArrivalKey)
        case want(StreamID, Demand)
        case stored(StreamID)
        case refuse(StreamID, SplitreelError)
        /// Removes the temporary file.
        case drop(ArrivalKey)
    }

    package let limits: DataLimits
    package let budget: DiskBudget
    private var receiver: PieceReceiver
    private var entries: [ArrivalKey: Arrival] = [:]
    private var keys: [StreamID: ArrivalKey] = [:]
    private var now: Instant = .zero
    private var actions: [Action] = []

    package init(limits: DataLimits = DataLimits(), budget: DiskBudget) {
        self.limits = limits
        self.budget = budget
        receiver = PieceReceiver(limits: limits)
    }

    /// The bytes that may come or wait to be written, of all peers.
    package var outstanding: Int64 { receiver.outstanding }
    package var dropped: Int { receiver.dropped }
    /// The bytes of all files that are not whole, as they will be.
    package var promised: Int64 { entries.values.reduce(0) { $0 + ($1.isPlaced ? 0 : $1.size) } }
    /// The attempts of which something is here.
    package var holdings: Set<Holding> { Set(entries.keys.map(\.holding)) }

    package func isKnown(_ key: ArrivalKey) -> Bool { entries[key] != nil }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        self.now = max(self.now, now)
        switch event {
        case .offer(let offer, let free): take(offer, free: free)
        case .piece(let id, let offset, let count, let end):
            receive(.piece(id, offset: offset, count: count, end: end))
        case .written(let key, let place): written(key, place)
        case .summed(let key, let sum):
            if let id = entries[key]?.stream { receive(.summed(id, sum)) }
        case .placed(let key): placed(key)
        case .failed(let key, let error): fail(key, error)
        case .stopped(let id): detach(id)
        case .over(let holding): for key in keys(of: holding) { drop(key) }
        case .peerGone(let peer): for id in keys.keys.filter({ $0.peer == peer }) { detach(id) }
        case .tick: tick()
        }
        defer { actions = [] }
        return actions
    }

    private func keys(of holding: Holding) -> [ArrivalKey] {
        entries.keys.filter { $0.holding == holding }.sorted(by: Self.precedes)
    }

    private static func precedes(_ a: ArrivalKey, _ b: ArrivalKey) -> Bool {
        let left = a.holding
        let right = b.holding
        guard left.job == right.job else { return left.job < right.job }
        return (left.task, left.epoch, a.file, a.isRecord ? 1 : 0)
            < (right.task, right.epoch, b.file, b.isRecord ? 1 : 0)
    }

    // MARK: - Offers

    private mutating func take(_ offer: ArrivalOffer, free: Int64?) {
        if let other = keys[offer.stream], other != offer.key {
            let error = SplitreelError(
                .malformedMessage, operation: "taking a segment", subject: "stream \(offer.stream.number)",
                reason: "another file comes by it")
            return actions.append(.refuse(offer.stream, error))
        }
        if let known = entries[offer.key] { return meet(known, offer) }
        if let error = refusal(of: offer, free: free) { return actions.append(.refuse(offer.stream, error)) }
        entries[offer.key] = Arrival(size: offer.size, sum: offer.sum, keyName: offer.keyName, now)
        actions.append(.make(offer.key))
        attach(offer)
    }

    /// Answers an offer of a file that is known: it is whole, it comes by this stream already, or it goes on by this
    /// one.
    private mutating func meet(_ known: Arrival, _ offer: ArrivalOffer) {
        guard known.size == offer.size, known.sum == offer.sum else {
            let error = SplitreelError(
                .segmentInvalid, operation: "taking a segment", subject: "task \(offer.key.holding.task)",
                reason: "the same attempt offers two contents for one file")
            return actions.append(.refuse(offer.stream, error))
        }
        if known.isPlaced { return actions.append(.stored(offer.stream)) }
        guard known.stream != offer.stream else {
            // An answer was lost, unless the file only waits for the disk.
            return receive(.again(offer.stream))
        }
        if known.isWhole {
            entries[offer.key]?.answer = offer.stream
            return
        }
        if let old = known.stream { detach(old) }
        attach(offer)
    }

    private func refusal(of offer: ArrivalOffer, free: Int64?) -> SplitreelError? {
        let subject = "task \(offer.key.holding.task)"
        guard offer.size >= 0, offer.size <= limits.arrivalBytes, offer.sum.count == 32 else {
            return SplitreelError(
                .segmentInvalid, operation: "taking a segment", subject: "\(subject)",
                reason: "a file of \(offer.size) bytes is offered; one may have \(limits.arrivalBytes)")
        }
        let ofPeer = keys.keys.count { $0.peer == offer.stream.peer }
        // What is whole takes nobody's place.
        let arriving = entries.values.count { !$0.isWhole }
        let ofKey = offer.keyName.map { name in entries.values.count { !$0.isWhole && $0.keyName == name } } ?? 0
        guard DataLimits.hasPlace(own: ofKey, all: arriving, most: limits.arrivals), ofPeer < limits.streamsOfPeer
        else {
            return SplitreelError(
                .systemLimit, operation: "taking a segment", subject: "\(subject)",
                reason: "\(ofPeer) files of this worker and \(arriving) of all arrive already",
                hint: "it is offered again")
        }
        return budget.refusal(
            of: offer.size, held: promised, free: free.map { $0 - missing }, place: "the coordinator's work folder")
    }

    /// The bytes of all files that have not come yet.
    private var missing: Int64 { entries.values.reduce(0) { $0 + ($1.isPlaced ? 0 : $1.size - $1.written) } }

    /// Lets the file come by the offer's stream, from where it stands.
    private mutating func attach(_ offer: ArrivalOffer) {
        guard let entry = entries[offer.key] else { return }
        entries[offer.key]?.stream = offer.stream
        entries[offer.key]?.answer = offer.stream
        entries[offer.key]?.heardAt = now
        keys[offer.stream] = offer.key
        receiver.elsewhere -= entry.waiting
        let goal = StreamGoal(
            from: entry.came, taken: entry.written, end: entry.size, sum: entry.sum, wholes: entry.wholes)
        receive(.open(offer.stream, goal, keyName: offer.keyName))
    }

    /// Lets the stream go; what came by it stays.
    private mutating func detach(_ id: StreamID) {
        guard let key = keys[id], let entry = entries[key], !entry.isWhole else { return }
        keys[id] = nil
        entries[key]?.stream = nil
        entries[key]?.answer = nil
        receiver.elsewhere += entry.waiting
        receive(.close(id))
    }

    // MARK: - What comes

    private mutating func written(_ key: ArrivalKey, _ place: Int64) {
        guard let entry = entries[key], place >= entry.written, place <= entry.came else { return }
        entries[key]?.written = place
        guard let id = entry.stream else { return receiver.elsewhere -= place - entry.written }
        receive(.taken(id, place))
    }

    private mutating func placed(_ key: ArrivalKey) {
        guard let entry = entries[key], entry.isWhole else { return }
        entries[key]?.isPlaced = true
        if let id = entry.answer ?? entry.stream { actions.append(.stored(id)) }
        if let id = entry.stream { keys[id] = nil }
        entries[key]?.stream = nil
        entries[key]?.answer = nil
    }

    private mutating func fail(_ key: ArrivalKey, _ error: SplitreelError) {
        guard let entry = entries[key], !entry.isPlaced else { return }
        if let id = entry.answer ?? entry.stream { actions.append(.refuse(id, error)) }
        drop(key)
    }

    private mutating func drop(_ key: ArrivalKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        if let id = entry.stream {
            keys[id] = nil
            receive(.close(id))
        } else {
            receiver.elsewhere -= entry.waiting
        }
        if !entry.isPlaced { actions.append(.drop(key)) }
    }

    private mutating func tick() {
        receive(.tick)
        var silent: [StreamID] = []
        var old: [ArrivalKey] = []
        for (key, entry) in entries where !entry.isWhole {
            let silence = now - entry.heardAt
            if silence >= limits.arrivalKeeps {
                old.append(key)
            } else if silence >= limits.silence, let id = entry.stream {
                silent.append(id)
            }
        }
        // Their credit goes to others; they come again by an offer.
        for id in silent.sorted(by: StreamID.precedes) { detach(id) }
        for key in old.sorted(by: Self.precedes) { drop(key) }
    }

    private mutating func receive(_ event: PieceReceiver.Event) {
        for action in receiver.handle(event, now: now) { perform(action) }
    }

    private mutating func perform(_ action: PieceReceiver.Action) {
        switch action {
        case .ask(let id, let demand, _): actions.append(.want(id, demand))
        case .take(let id, let offset, let skip, let count):
            guard let key = keys[id] else { return }
            entries[key]?.came = offset + Int64(count)
            entries[key]?.heardAt = now
            actions.append(.write(key, offset: offset, skip: skip, count: count))
        case .startOver(let id):
            guard let key = keys[id] else { return }
            entries[key]?.startOver()
            actions.append(.startOver(key))
        case .sum(let id): if let key = keys[id] { actions.append(.sum(key)) }
        case .complete(let id):
            guard let key = keys[id] else { return }
            entries[key]?.isWhole = true
            actions.append(.place(key))
        case .giveUp(let id, let error): if let key = keys[id] { fail(key, error) }
        }
    }
}

/// One file that arrives.
private struct Arrival: Sendable {
    let size: Int64
    let sum: [UInt8]
    /// The name of the key under which it was offered first; nil on a farm without keys.
    let keyName: String?
    /// All bytes before this one have come, and are on their way into the temporary file.
    var came: Int64 = 0
    /// All bytes before this one are in the temporary file.
    var written: Int64 = 0
    /// The number of times that the content came, or comes, from its first byte on.
    private(set) var wholes = 1
    /// The stream by which it comes; nil while its worker is away.
    var stream: StreamID?
    /// The stream whose offer is to be answered.
    var answer: StreamID?
    /// Whether all bytes are there, and right.
    var isWhole = false
    /// Whether the file has its name.
    var isPlaced = false
    /// The time of its last byte, or of the offer that it comes by.
    var heardAt: Instant

    /// The bytes that have come and are not written.
    var waiting: Int64 { came - written }

    init(size: Int64, sum: [UInt8], keyName: String?, _ now: Instant) {
        self.size = size
        self.sum = sum
        self.keyName = keyName
        heardAt = now
    }

    mutating func startOver() {
        came = 0
        written = 0
        wholes += 1
    }
}
