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

extension ArrivalKey: ComingKey {
    static func precedes(_ a: ArrivalKey, _ b: ArrivalKey) -> Bool {
        let left = a.holding
        let right = b.holding
        guard left.job == right.job else { return left.job < right.job }
        return (left.task, left.epoch, a.file, a.isRecord ? 1 : 0)
            < (right.task, right.epoch, b.file, b.isRecord ? 1 : 0)
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
    private var files: ComingFiles<ArrivalKey>
    private var actions: [Action] = []

    package init(limits: DataLimits = DataLimits(), budget: DiskBudget) {
        self.limits = limits
        self.budget = budget
        files = ComingFiles(limits: limits)
    }

    /// The bytes that may come or wait to be written, of all peers.
    package var outstanding: Int64 { files.outstanding }
    package var dropped: Int { files.dropped }
    /// The bytes of all files that are not whole, as they will be.
    package var promised: Int64 { files.entries.values.reduce(0) { $0 + ($1.isPlaced ? 0 : $1.size) } }
    /// The attempts of which something is here.
    package var holdings: Set<Holding> { Set(files.entries.keys.map(\.holding)) }

    package func isKnown(_ key: ArrivalKey) -> Bool { files[key] != nil }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        files.now = max(files.now, now)
        switch event {
        case .offer(let offer, let free): take(offer, free: free)
        case .piece(let id, let offset, let count, let end):
            perform(files.receive(.piece(id, offset: offset, count: count, end: end)))
        case .written(let key, let place): perform(files.written(key, place))
        case .summed(let key, let sum): perform(files.summed(key, sum))
        case .placed(let key): if let id = files.placed(key) { actions.append(.stored(id)) }
        case .failed(let key, let error): fail(key, error)
        case .stopped(let id): perform(files.detach(id))
        case .over(let holding): for key in keys(of: holding) { drop(key) }
        case .peerGone(let peer): perform(files.detachAll(of: peer))
        case .tick:
            let (steps, old) = files.tick()
            perform(steps)
            for key in old { drop(key) }
        }
        defer { actions = [] }
        return actions
    }

    private func keys(of holding: Holding) -> [ArrivalKey] {
        files.entries.keys.filter { $0.holding == holding }.sorted(by: ArrivalKey.precedes)
    }

    // MARK: - Offers

    private mutating func take(_ offer: ArrivalOffer, free: Int64?) {
        if let other = files.key(of: offer.stream), other != offer.key {
            let error = SplitreelError(
                .malformedMessage, operation: "taking a segment", subject: "stream \(offer.stream.number)",
                reason: "another file comes by it")
            return actions.append(.refuse(offer.stream, error))
        }
        if let known = files[offer.key] { return meet(known, offer) }
        if let error = refusal(of: offer, free: free) { return actions.append(.refuse(offer.stream, error)) }
        files.add(
            offer.key, ComingFile(size: offer.size, sum: offer.sum, keyName: offer.keyName, files.now))
        actions.append(.make(offer.key))
        attach(offer)
    }

    /// Answers an offer of a file that is known: it is whole, it comes by this stream already, or it goes on by this
    /// one.
    private mutating func meet(_ known: ComingFile, _ offer: ArrivalOffer) {
        guard known.size == offer.size, known.sum == offer.sum else {
            let error = SplitreelError(
                .segmentInvalid, operation: "taking a segment", subject: "task \(offer.key.holding.task)",
                reason: "the same attempt offers two contents for one file")
            return actions.append(.refuse(offer.stream, error))
        }
        if known.isPlaced { return actions.append(.stored(offer.stream)) }
        guard known.stream != offer.stream else {
            // An answer was lost, unless the file only waits for the disk.
            return perform(files.receive(.again(offer.stream)))
        }
        if known.isWhole { return files.answer(offer.key, to: offer.stream) }
        if let old = known.stream { perform(files.detach(old)) }
        attach(offer)
    }

    private func refusal(of offer: ArrivalOffer, free: Int64?) -> SplitreelError? {
        let subject = "task \(offer.key.holding.task)"
        guard offer.size >= 0, offer.size <= limits.arrivalBytes, offer.sum.count == 32 else {
            return SplitreelError(
                .segmentInvalid, operation: "taking a segment", subject: "\(subject)",
                reason: "a file of \(offer.size) bytes is offered; one may have \(limits.arrivalBytes)")
        }
        let ofPeer = files.streamCount(of: offer.stream.peer)
        // What is whole takes nobody's place.
        let arriving = files.entries.values.count { !$0.isWhole }
        let ofKey = offer.keyName.map { name in files.entries.values.count { !$0.isWhole && $0.keyName == name } } ?? 0
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
    private var missing: Int64 { files.entries.values.reduce(0) { $0 + ($1.isPlaced ? 0 : $1.size - $1.written) } }

    /// Lets the file come by the offer's stream, from where it stands.
    private mutating func attach(_ offer: ArrivalOffer) {
        perform(files.attach(offer.key, to: offer.stream, keyName: offer.keyName))
    }

    // MARK: - What comes

    private mutating func fail(_ key: ArrivalKey, _ error: SplitreelError) {
        guard let entry = files[key], !entry.isPlaced else { return }
        if let id = entry.listener { actions.append(.refuse(id, error)) }
        drop(key)
    }

    private mutating func drop(_ key: ArrivalKey) {
        guard let entry = files[key] else { return }
        perform(files.remove(key))
        if !entry.isPlaced { actions.append(.drop(key)) }
    }

    private mutating func perform(_ steps: [ComingFiles<ArrivalKey>.Step]) {
        for step in steps {
            switch step {
            case .write(let key, let offset, let skip, let count):
                actions.append(.write(key, offset: offset, skip: skip, count: count))
            case .startOver(let key): actions.append(.startOver(key))
            case .sum(let key): actions.append(.sum(key))
            case .place(let key): actions.append(.place(key))
            case .want(let id, let demand): actions.append(.want(id, demand))
            case .fail(let key, let error): fail(key, error)
            }
        }
    }
}
