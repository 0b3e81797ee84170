package import Diagnostics
package import Scheduling

/// The bytes that a stream is to bring.
package struct StreamGoal: Sendable, Hashable {
    /// The first byte that is wanted; those before it are there already.
    package var from: Int64
    /// All bytes before this one are put away: those between it and `from` came by an earlier stream, and are told as
    /// taken later.
    package var taken: Int64
    /// The byte behind the last one that is wanted; nil for all that there is.
    package var end: Int64?
    /// The SHA-256 of the whole content from byte 0 on, 32 bytes; nil where another one checks the bytes.
    package var sum: [UInt8]?
    /// The number of times that the content was, or is being, brought whole, by earlier streams too.
    package var wholes: Int

    /// Without `taken` all bytes before `from` are put away.
    package init(from: Int64 = 0, taken: Int64? = nil, end: Int64? = nil, sum: [UInt8]? = nil, wholes: Int = 1) {
        self.from = from
        self.taken = taken ?? from
        self.end = end
        self.sum = sum
        self.wholes = wholes
    }
}

/// The receiving end of many streams: how much may be sent, what of that which came is new, and what is asked for
/// again. A value without clock or I/O.
///
/// Pieces are taken in order alone: one behind a gap is dropped, and asked for again. So no peer can make this end hold
/// more than it was given credit for: ten pieces a peer and 32 MiB of all. Links may break and the other end may be
/// another process: a stream goes on at the first byte that has not come.
package struct PieceReceiver: Sendable {
    package enum Event: Sendable, Hashable {
        /// A stream is wanted. `keyName` is the name of its peer's key; nil on a farm without keys.
        case open(StreamID, StreamGoal, keyName: String? = nil)
        /// So many bytes came, of a stream that ends before `end`.
        case piece(StreamID, offset: Int64, count: Int, end: Int64)
        /// All bytes before this one are put away.
        case taken(StreamID, Int64)
        /// The SHA-256 of the whole content that came.
        case summed(StreamID, [UInt8])
        case refused(StreamID, SplitreelError)
        /// Nobody wants it any more.
        case close(StreamID)
        /// The other end does not know what it was asked for. Counts for nothing where it was asked within a second.
        case again(StreamID)
        /// Says the present demand once more, which does no harm: a connection that is gone shows then.
        case remind(StreamID)
        /// There is a new link to a peer: what was asked for over the old one may be lost.
        case relinked(Peer)
        case peerGone(Peer)
        case tick
    }

    package enum Action: Sendable, Hashable {
        case ask(StreamID, Demand, Ask)
        /// Puts away that part of the piece that has just come: `skip` bytes of it are there already. Answered with
        /// `taken`.
        case take(StreamID, offset: Int64, skip: Int, count: Int)
        /// Forgets all bytes: they come again from byte 0.
        case startOver(StreamID)
        /// Asks for the SHA-256 of the whole content. Answered with `summed`.
        case sum(StreamID)
        case complete(StreamID)
        case giveUp(StreamID, SplitreelError)
    }

    package enum Ask: Sendable, Hashable {
        /// Asks for a stream, or for one again, whose other end may know nothing of it.
        case begin
        /// Gives an open stream more credit.
        case more
    }

    package let limits: DataLimits
    /// The bytes of all peers that may come, or have come and are not put away.
    package private(set) var outstanding: Int64 = 0
    /// The bytes that came by streams that are closed, and are not put away: they are held as the others are.
    var elsewhere: Int64 = 0
    /// The number of pieces that were dropped: late, doubled, behind a gap, or beyond their credit.
    package private(set) var dropped = 0

    private var flows: [StreamID: ReceivingFlow] = [:]
    private var outstandingOf: [Peer: Int64] = [:]
    private var outstandingOfKeys: [String: Int64] = [:]
    /// The streams that could take more credit.
    private var hungry = Turns<StreamID>()
    /// The round of a stream that is opened: above those of all that were closed, so that the other end, which may know
    /// one of that name, takes it for news.
    private var firstRound: UInt32 = 0
    /// The windows of the streams that were closed last, by peer: the next one need not learn the link anew.
    private var windows: [Peer: FlowWindow] = [:]
    private var now: Instant = .zero
    private var actions: [Action] = []
    /// The rounds after which a stream is given up: a link that works needs a few.
    private static let mostRounds: UInt32 = 1 << 31

    package init(limits: DataLimits = DataLimits()) { self.limits = limits }

    package func outstanding(of peer: Peer) -> Int64 { outstandingOf[peer] ?? 0 }

    package func isOpen(_ id: StreamID) -> Bool { flows[id] != nil }

    /// The bytes that a stream may have in flight at present; nil where it is not open.
    package func window(of id: StreamID) -> Int64? { flows[id]?.window.bytes }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        self.now = max(self.now, now)
        switch event {
        case .open(let id, let goal, let keyName): open(id, goal, keyName)
        case .piece(let id, let offset, let count, let end): piece(id, offset, count, end)
        case .taken(let id, let place): taken(id, place)
        case .summed(let id, let sum): summed(id, sum)
        case .refused(let id, let error): refused(id, error)
        case .close(let id): forget(id)
        case .again(let id): if flows[id]?.wasAsked(within: limits.again, now) == false { askAgain(id) }
        case .remind(let id): if flows[id]?.isBegun == true { tell(id) }
        case .relinked(let peer): for id in streams(of: peer) { askAgain(id) }
        case .peerGone(let peer):
            for id in streams(of: peer) { forget(id) }
            windows[peer] = nil
        case .tick: tick()
        }
        distribute()
        defer { actions = [] }
        return actions
    }

    private func streams(of peer: Peer) -> [StreamID] {
        flows.keys.filter { $0.peer == peer }.sorted(by: StreamID.precedes)
    }

    private mutating func open(_ id: StreamID, _ goal: StreamGoal, _ keyName: String?) {
        guard flows[id] == nil else { return }
        let window = windows[id.peer]?.resumed ?? FlowWindow(limits)
        let flow = ReceivingFlow(goal, window, limits.stall, round: firstRound, keyName: keyName, now)
        flows[id] = flow
        count(flow.outstanding, of: id.peer, keyName)
        endIfWhole(id)
        hungry.add(id)
    }

    // MARK: - What comes

    private mutating func piece(_ id: StreamID, _ offset: Int64, _ count: Int, _ end: Int64) {
        guard let flow = flows[id], flow.isMoving, count >= 0, Int64(count) <= limits.pieceBytes, offset >= 0,
            offset <= end, Int64(count) <= end - offset, offset <= flow.granted,
            Int64(count) <= flow.granted - offset || count == 0
        else { return dropped += 1 }
        guard flow.end == nil || flow.end == end, end >= flow.next else {
            return giveUp(id, Self.otherEnd(id, was: flow.end ?? flow.next, now: end))
        }
        let now = now
        change(id) { $0.answered(now, end: end) }
        guard offset <= flow.next else {
            dropped += 1
            change(id) { if $0.gapAt == nil { $0.gapAt = now } }
            return
        }
        let last = offset + Int64(count)
        guard last > flow.next else {
            if count > 0 { dropped += 1 }
            return endIfWhole(id)
        }
        let fresh = last - flow.next
        change(id) { $0.came(fresh, now) }
        actions.append(.take(id, offset: flow.next, skip: Int(flow.next - offset), count: Int(fresh)))
    }

    private static func otherEnd(_ id: StreamID, was: Int64, now: Int64) -> SplitreelError {
        SplitreelError(
            .mediaChanged, operation: "fetching", subject: "stream \(id.number)",
            reason: "it has \(now) bytes now, and had \(was)")
    }

    private mutating func taken(_ id: StreamID, _ place: Int64) {
        guard let flow = flows[id], flow.isMoving, place > flow.taken, place <= flow.next else { return }
        change(id) { $0.taken = place }
        hungry.add(id)
        endIfWhole(id)
    }

    /// Ends a stream of which all bytes are put away, or has them checked.
    private mutating func endIfWhole(_ id: StreamID) {
        guard let flow = flows[id], flow.isMoving, let end = flow.end, flow.taken >= end else { return }
        if flow.isBegun, flow.isBehind { tell(id) }
        guard flow.goal.sum != nil else {
            forget(id)
            return actions.append(.complete(id))
        }
        change(id) { $0.isSumming = true }
        actions.append(.sum(id))
    }

    private mutating func summed(_ id: StreamID, _ sum: [UInt8]) {
        guard let flow = flows[id], flow.isSumming else { return }
        if sum == flow.goal.sum {
            forget(id)
            return actions.append(.complete(id))
        }
        guard flow.wholes < limits.wholes else {
            let error = SplitreelError(
                .transportFailed, operation: "fetching", subject: "stream \(id.number)",
                reason: "its SHA-256 was wrong \(flow.wholes) times", hint: "is a disk or the memory damaged?")
            return giveUp(id, error)
        }
        change(id) { $0.startOver() }
        actions.append(.startOver(id))
        hungry.add(id)
    }

    private mutating func refused(_ id: StreamID, _ error: SplitreelError) {
        guard flows[id]?.isMoving == true else { return }
        switch error.code.retry {
        case .transient: wait(id, limits.again)
        case .resource: wait(id, limits.againForRoom)
        case .suspectWorker, .suspectAccess, .permanent: giveUp(id, error)
        }
    }

    private mutating func wait(_ id: StreamID, _ pause: Duration) {
        let due = now + pause
        change(id) {
            $0.withdraw()
            $0.dueAt = due
        }
    }

    private mutating func giveUp(_ id: StreamID, _ error: SplitreelError) {
        forget(id)
        actions.append(.giveUp(id, error))
    }

    // MARK: - Credit

    private mutating func forget(_ id: StreamID) {
        guard let flow = flows.removeValue(forKey: id) else { return }
        hungry.remove(id)
        firstRound = flow.round < Self.mostRounds ? max(firstRound, flow.round + 1) : 0
        if windows.count >= 4096 { windows = [:] }
        windows[id.peer] = flow.window
        count(-flow.outstanding, of: id.peer, flow.keyName)
    }

    /// Changes a stream, and keeps the sums in step.
    private mutating func change(_ id: StreamID, _ body: (inout ReceivingFlow) -> Void) {
        guard var flow = flows[id] else { return }
        let before = flow.outstanding
        body(&flow)
        flows[id] = flow
        count(flow.outstanding - before, of: id.peer, flow.keyName)
    }

    private mutating func count(_ bytes: Int64, of peer: Peer, _ keyName: String?) {
        guard bytes != 0 else { return }
        outstanding += bytes
        let rest = (outstandingOf[peer] ?? 0) + bytes
        outstandingOf[peer] = rest == 0 ? nil : rest
        guard let keyName else { return }
        let ofKey = (outstandingOfKeys[keyName] ?? 0) + bytes
        outstandingOfKeys[keyName] = ofKey == 0 ? nil : ofKey
    }

    /// Gives credit out, a piece for each stream in turn, and tells whoever got some.
    private mutating func distribute() {
        var waiting: [StreamID] = []
        var told: [StreamID] = []
        var isTold: Set<StreamID> = []
        while let id = hungry.next() {
            guard let flow = flows[id], flow.isMoving, flow.dueAt == nil else { continue }
            if isTold.insert(id).inserted { told.append(id) }
            let step = flow.step(limits.pieceBytes)
            guard step > 0 else { continue }
            guard hasRoom(for: step, id.peer, flow.keyName) else {
                waiting.append(id)
                continue
            }
            change(id) { $0.granted += step }
            hungry.add(id)
        }
        for id in waiting { hungry.add(id) }
        for id in told where flows[id]?.hasNews(limits.pieceBytes) == true { tell(id) }
    }

    private func hasRoom(for bytes: Int64, _ peer: Peer, _ keyName: String?) -> Bool {
        let own = outstandingOf[peer] ?? 0
        let reserved = limits.reserve(own: own, ofKey: keyName.flatMap { outstandingOfKeys[$0] } ?? 0)
        return own + bytes <= limits.bytesOfPeer && outstanding + elsewhere + bytes <= limits.bytesOfAll - reserved
    }

    /// Says how far the stream has come, and how far it may go.
    private mutating func tell(_ id: StreamID) {
        guard let flow = flows[id] else { return }
        guard flow.round < Self.mostRounds else {
            let error = SplitreelError(
                .transportFailed, operation: "fetching", subject: "stream \(id.number)",
                reason: "it was asked for \(flow.round) times")
            return giveUp(id, error)
        }
        let ask: Ask = flow.isBegun ? .more : .begin
        let now = now
        change(id) { $0.tell(now) }
        actions.append(.ask(id, Demand(offset: flow.next, limit: flow.granted, round: flow.round), ask))
    }

    /// Asks for everything that has not come, whatever was asked for before.
    private mutating func askAgain(_ id: StreamID) {
        guard let flow = flows[id], flow.isMoving else { return }
        if flow.isBegun { change(id) { $0.withdraw() } }
        hungry.add(id)
    }

    private mutating func tick() {
        var due: [StreamID] = []
        for (id, flow) in flows where flow.isMoving {
            if let dueAt = flow.dueAt {
                if now >= dueAt { due.append(id) }
            } else if flow.isStalled(now) || flow.hasGap(now, limits) {
                due.append(id)
            }
        }
        for id in due.sorted(by: StreamID.precedes) {
            let now = now
            let longest = limits.stallMaximum
            change(id) {
                if $0.dueAt == nil, $0.isStalled(now) { $0.slowDown(longest) }
                $0.dueAt = nil
            }
            askAgain(id)
        }
    }
}
