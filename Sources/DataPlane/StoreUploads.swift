package import Diagnostics
package import Scheduling

/// A content that a key uploads.
package struct UploadKey: Sendable, Hashable {
    /// The store's name of whoever sends it.
    package var owner: String
    /// The SHA-256 of the content, 32 bytes.
    package var sum: [UInt8]

    package init(owner: String, sum: [UInt8]) {
        self.owner = owner
        self.sum = sum
    }

    static func precedes(_ a: UploadKey, _ b: UploadKey) -> Bool {
        a.owner == b.owner ? a.sum.lexicographicallyPrecedes(b.sum) : a.owner < b.owner
    }
}

/// The offer of a content, by the stream that it would come on.
package struct UploadOffer: Sendable, Hashable {
    package var stream: StreamID
    package var key: UploadKey
    package var size: Int64
    /// The name of the key that it came under; nil on a farm without keys.
    package var keyName: String?

    package init(stream: StreamID, key: UploadKey, size: Int64, keyName: String? = nil) {
        self.stream = stream
        self.key = key
        self.size = size
        self.keyName = keyName
    }
}

/// The coordinator's end of uploads: from where on each content comes, and when it is whole. A value without clock or
/// I/O.
///
/// The begun part of a content outlives its link, its client and this process: `resumed` says how far an earlier one
/// came. Segments differ in that: they are made again, and nothing of them is kept (`Arrivals`).
package struct StoreUploads: Sendable {
    package enum Event: Sendable, Hashable {
        /// A content may come, and its file is open. `resumed` bytes of it are there; for one that comes already the
        /// number counts for nothing.
        case offer(UploadOffer, resumed: Int64)
        case piece(StreamID, offset: Int64, count: Int, end: Int64)
        /// All bytes before this one are in the file.
        case written(UploadKey, Int64)
        case summed(UploadKey, [UInt8])
        /// The content is in the store, and on the disk.
        case placed(UploadKey)
        /// The file could not be written or named.
        case failed(UploadKey, SplitreelError)
        case stopped(StreamID)
        case peerGone(Peer)
        case tick
    }

    package enum Action: Sendable, Hashable {
        /// Writes that part of the piece that has just come. Answered with `written`.
        case write(UploadKey, offset: Int64, skip: Int, count: Int)
        case startOver(UploadKey)
        case sum(UploadKey)
        /// Brings the file to the disk and into the store. Answered with `placed`.
        case place(UploadKey)
        case want(StreamID, Demand)
        case stored(StreamID)
        case refuse(StreamID, SplitreelError)
        /// Closes the file; what has come stays for a later offer.
        case letGo(UploadKey)
        /// Removes the file.
        case drop(UploadKey)
    }

    package let limits: DataLimits
    private var receiver: PieceReceiver
    private var entries: [UploadKey: Upload] = [:]
    private var keys: [StreamID: UploadKey] = [:]
    private var now: Instant = .zero
    private var actions: [Action] = []

    package init(limits: DataLimits = DataLimits()) {
        self.limits = limits
        receiver = PieceReceiver(limits: limits)
    }

    /// The bytes that may come or wait to be written, of all peers.
    package var outstanding: Int64 { receiver.outstanding }

    package func isKnown(_ key: UploadKey) -> Bool { entries[key] != nil }

    /// Whether a stream brings a content.
    package func isOpen(_ stream: StreamID) -> Bool { keys[stream] != nil }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        self.now = max(self.now, now)
        switch event {
        case .offer(let offer, let resumed): take(offer, resumed: resumed)
        case .piece(let id, let offset, let count, let end):
            receive(.piece(id, offset: offset, count: count, end: end))
        case .written(let key, let place): written(key, place)
        case .summed(let key, let sum):
            if let id = entries[key]?.stream { receive(.summed(id, sum)) }
        case .placed(let key): placed(key)
        case .failed(let key, let error): fail(key, error)
        case .stopped(let id): detach(id)
        case .peerGone(let peer): for id in keys.keys.filter({ $0.peer == peer }) { detach(id) }
        case .tick: tick()
        }
        defer { actions = [] }
        return actions
    }

    // MARK: - Offers

    private mutating func take(_ offer: UploadOffer, resumed: Int64) {
        if let other = keys[offer.stream], other != offer.key {
            let error = SplitreelError(
                .malformedMessage, operation: "uploading", subject: "a file", reason: "another one comes by its stream")
            actions.append(.refuse(offer.stream, error))
            if entries[offer.key] == nil { actions.append(.letGo(offer.key)) }
            return
        }
        if let known = entries[offer.key] { return meet(known, offer) }
        let ofPeer = keys.keys.count { $0.peer == offer.stream.peer }
        // All that one key uploads has one owner.
        let ofKey = offer.keyName == nil ? 0 : entries.keys.count { $0.owner == offer.key.owner }
        guard DataLimits.hasPlace(own: ofKey, all: entries.count, most: limits.arrivals),
            ofPeer < limits.streamsOfPeer
        else {
            let error = SplitreelError(
                .transportFailed, operation: "uploading", subject: "a file",
                reason: "\(ofPeer) files of this client and \(entries.count) of all arrive already",
                hint: "it is offered again")
            return actions += [.refuse(offer.stream, error), .letGo(offer.key)]
        }
        entries[offer.key] = Upload(size: offer.size, written: min(max(resumed, 0), offer.size), now)
        attach(offer)
    }

    /// Answers an offer of a content that comes already: by this stream, by another one that goes on, or it goes on by
    /// this one.
    private mutating func meet(_ known: Upload, _ offer: UploadOffer) {
        guard known.size == offer.size else {
            let error = SplitreelError(
                .malformedMessage, operation: "uploading", subject: "a file",
                reason: "one content is offered with two sizes")
            return actions.append(.refuse(offer.stream, error))
        }
        guard known.stream != offer.stream else { return receive(.again(offer.stream)) }
        if known.isWhole {
            entries[offer.key]?.answer = offer.stream
            return
        }
        if let old = known.stream {
            // Two clients that took it from each other in turns would send most bytes for nothing.
            guard now - known.heardAt >= limits.quiet else {
                let error = SplitreelError(
                    .transportFailed, operation: "uploading", subject: "a file",
                    reason: "another connection of this client's key sends it at present", hint: "it is offered again")
                actions.append(.refuse(offer.stream, error))
                return receive(.remind(old))
            }
            detach(old)
        }
        attach(offer)
    }

    /// Lets the content come by the offer's stream, from where it stands.
    private mutating func attach(_ offer: UploadOffer) {
        guard let entry = entries[offer.key] else { return }
        entries[offer.key]?.stream = offer.stream
        entries[offer.key]?.answer = offer.stream
        entries[offer.key]?.heardAt = now
        keys[offer.stream] = offer.key
        receiver.elsewhere -= entry.waiting
        let goal = StreamGoal(
            from: entry.came, taken: entry.written, end: entry.size, sum: offer.key.sum, wholes: entry.wholes)
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

    private mutating func written(_ key: UploadKey, _ place: Int64) {
        guard let entry = entries[key], place >= entry.written, place <= entry.came else { return }
        entries[key]?.written = place
        guard let id = entry.stream else { return receiver.elsewhere -= place - entry.written }
        receive(.taken(id, place))
    }

    private mutating func placed(_ key: UploadKey) {
        guard let entry = entries[key], entry.isWhole else { return }
        entries[key] = nil
        if let id = entry.answer ?? entry.stream { actions.append(.stored(id)) }
        if let id = entry.stream { keys[id] = nil }
        actions.append(.letGo(key))
    }

    private mutating func fail(_ key: UploadKey, _ error: SplitreelError) {
        guard let entry = entries[key] else { return }
        if let id = entry.answer ?? entry.stream { actions.append(.refuse(id, error)) }
        end(key)
        actions.append(.drop(key))
    }

    private mutating func end(_ key: UploadKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        guard let id = entry.stream else { return receiver.elsewhere -= entry.waiting }
        keys[id] = nil
        receive(.close(id))
    }

    private mutating func tick() {
        receive(.tick)
        var silent: [StreamID] = []
        var old: [UploadKey] = []
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
        for key in old.sorted(by: UploadKey.precedes) {
            end(key)
            actions.append(.letGo(key))
        }
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

/// One content that arrives.
private struct Upload: Sendable {
    let size: Int64
    /// All bytes before this one have come, and are on their way into the file.
    var came: Int64
    /// All bytes before this one are in the file.
    var written: Int64
    /// The number of times that the content came, or comes, from its first byte on.
    private(set) var wholes = 1
    /// The stream by which it comes; nil while its client is away.
    var stream: StreamID?
    /// The stream whose offer is to be answered.
    var answer: StreamID?
    /// Whether all bytes are there, and right.
    var isWhole = false
    /// The time of its last byte, or of the offer that it comes by.
    var heardAt: Instant

    /// The bytes that have come and are not written.
    var waiting: Int64 { came - written }

    init(size: Int64, written: Int64, _ now: Instant) {
        self.size = size
        came = written
        self.written = written
        heardAt = now
    }

    mutating func startOver() {
        came = 0
        written = 0
        wholes += 1
    }
}
