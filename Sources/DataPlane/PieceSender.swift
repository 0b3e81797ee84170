package import Diagnostics
package import Scheduling

/// The sending end of many streams: which piece of which goes next, and when none may. A value without clock or I/O.
///
/// A stream is sent up to the place that its receiver named. At most ten pieces of a peer are in flight, and 32 MiB of
/// all: peers take turns, and so do the streams of one. A peer that is slow or stopped keeps its own pieces from
/// going on, and nobody else's.
///
/// A piece whose peer is silent, asks anew or stops counts no more as in flight, and may still wait in the connection.
/// Such bytes are stranded: their peer gets a piece at a time until it confirms one. A key whose connections hold too
/// many of them loses these connections.
package struct PieceSender: Sendable {
    package enum Event: Sendable, Hashable {
        /// A stream of the bytes up to `end` is open. One that is open already takes it for a demand. `keyName` is the
        /// name of its peer's key; nil on a farm without keys.
        case begin(StreamID, end: Int64, Demand, keyName: String? = nil)
        case demand(StreamID, Demand)
        /// The bytes of a piece could not be read.
        case failed(StreamID, SplitreelError)
        /// The socket, which is full, did not take the bytes from `offset` on: they are sent again when it takes more.
        /// The hands send none of the stream that were told before this (`PiecesUnderWay`).
        case unsent(StreamID, offset: Int64)
        case stop(StreamID)
        case peerGone(Peer)
        case tick
    }

    package enum Action: Sendable, Hashable {
        /// Reads the bytes and sends them. `count` is 0 where only the end is to be told. Pieces of one stream go out
        /// in the order of these actions.
        case send(StreamID, offset: Int64, count: Int, end: Int64)
        case refuse(StreamID, SplitreelError)
        /// Lets go of what the stream is read from.
        case close(StreamID, StreamEnd)
        /// Ends the connections of that key: they hold too much that nobody reads.
        case disconnect(keyName: String)
    }

    package let limits: DataLimits
    /// The bytes in flight of all peers.
    package private(set) var inFlight: Int64 = 0
    package private(set) var streamCount = 0

    private var sides: [Peer: SendingSide] = [:]
    private var loads: [String: KeyLoad] = [:]
    private var turns = Turns<Peer>()
    private var now: Instant = .zero
    private var actions: [Action] = []

    package init(limits: DataLimits = DataLimits()) { self.limits = limits }

    /// The bytes in flight of one peer.
    package func inFlight(of peer: Peer) -> Int64 { sides[peer]?.inFlight ?? 0 }

    /// The bytes of one peer that count no more as in flight, and that its connection may still hold.
    package func stranded(of peer: Peer) -> Int64 { sides[peer]?.stranded ?? 0 }

    package func isOpen(_ id: StreamID) -> Bool { sides[id.peer]?.flows[id.number] != nil }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        self.now = max(self.now, now)
        switch event {
        case .begin(let id, let end, let demand, let keyName): begin(id, end, demand, keyName)
        case .demand(let id, let demand): take(demand, of: id)
        case .failed(let id, let error):
            if isOpen(id) { actions.append(.refuse(id, error)) }
            close(id, .failed)
        case .unsent(let id, let offset): takeBack(id, from: offset)
        case .stop(let id):
            sides[id.peer]?.heardAt = self.now
            close(id, .stopped)
        case .peerGone(let peer):
            for number in (sides[peer]?.flows.keys).map({ $0.sorted() }) ?? [] { close(StreamID(peer, number), .gone) }
            sides[peer] = nil
        case .tick: tick()
        }
        pump()
        defer { actions = [] }
        return actions
    }

    private mutating func begin(_ id: StreamID, _ end: Int64, _ demand: Demand, _ keyName: String?) {
        guard !isOpen(id) else { return take(demand, of: id) }
        guard demand.fits(end) else { return actions += [.refuse(id, misfit(demand, end)), .close(id, .failed)] }
        let ofPeer = sides[id.peer]?.flows.count ?? 0
        let ofKey = keyName.flatMap { loads[$0]?.streams } ?? 0
        guard ofPeer < limits.streamsOfPeer,
            DataLimits.hasPlace(own: ofKey, all: streamCount, most: limits.streamsOfAll)
        else {
            let error = SplitreelError(
                .transportFailed, operation: "fetching", subject: "stream \(id.number)",
                reason: "\(ofPeer) streams of this peer and \(streamCount) of all are open already",
                hint: "it is tried again")
            return actions += [.refuse(id, error), .close(id, .failed)]
        }
        streamCount += 1
        if sides[id.peer] == nil { sides[id.peer] = SendingSide(keyName: keyName, now) }
        if let keyName = sides[id.peer]?.keyName { loads[keyName, default: KeyLoad()].streams += 1 }
        sides[id.peer]?.flows[id.number] = SendingFlow(end: end, demand, now)
        sides[id.peer]?.heardAt = now
        goOn(id, hasBegun: true)
    }

    private mutating func take(_ demand: Demand, of id: StreamID) {
        guard let flow = sides[id.peer]?.flows[id.number] else {
            let error = SplitreelError(
                .transportFailed, operation: "fetching", subject: "stream \(id.number)",
                reason: "the stream is not open (any more)", hint: "it is asked for again")
            return actions.append(.refuse(id, error))
        }
        guard demand.round >= flow.round else { return }
        let isNew = demand.round > flow.round
        guard !isNew || demand.fits(flow.end) else {
            actions.append(.refuse(id, misfit(demand, flow.end)))
            return close(id, .failed)
        }
        let now = now
        // Whoever confirms what was sent last has read all that was sent before.
        if !isNew, flow.confirmsNews(demand) { sides[id.peer]?.read() }
        if isNew { strand(flow.unconfirmed(from: demand.offset), of: id.peer) }
        sides[id.peer]?.heardAt = now
        change(id) {
            $0.heardAt = now
            $0.isQuiet = false
            $0.take(demand)
        }
        goOn(id, hasBegun: isNew)
    }

    /// Counts bytes as not sent. Nothing goes to the peer before it confirms something, or for a beat.
    private mutating func takeBack(_ id: StreamID, from offset: Int64) {
        guard isOpen(id) else { return }
        sides[id.peer]?.isFull = true
        change(id) { $0.takeBack(from: offset) }
        sides[id.peer]?.turns.add(id.number)
    }

    /// Ends a stream that has come whole; else gives it its turn.
    private mutating func goOn(_ id: StreamID, hasBegun: Bool) {
        guard let flow = sides[id.peer]?.flows[id.number] else { return }
        // Whoever has all of it already may not know that.
        if hasBegun, flow.sent == flow.end { actions.append(.send(id, offset: flow.end, count: 0, end: flow.end)) }
        guard flow.acknowledged < flow.end else { return close(id, .sent) }
        sides[id.peer]?.turns.add(id.number)
        turns.add(id.peer)
    }

    private func misfit(_ demand: Demand, _ end: Int64) -> SplitreelError {
        SplitreelError(
            .mediaChanged, operation: "fetching", subject: "bytes from \(demand.offset) on",
            reason: "there are \(end) bytes")
    }

    /// Changes a stream, and keeps the sums of what is in flight and written off in step.
    private mutating func change(_ id: StreamID, _ body: (inout SendingFlow) -> Void) {
        guard let before = sides[id.peer]?.flows[id.number] else { return }
        var flow = before
        body(&flow)
        sides[id.peer]?.flows[id.number] = flow
        sides[id.peer]?.writtenOff += flow.writtenOff - before.writtenOff
        count(flow.inFlight - before.inFlight, of: id.peer)
    }

    private mutating func count(_ bytes: Int64, of peer: Peer) {
        sides[peer]?.inFlight += bytes
        countOfAll(bytes, sides[peer]?.keyName)
        // There is room for its other streams.
        if bytes < 0 { turns.add(peer) }
    }

    private mutating func countOfAll(_ bytes: Int64, _ keyName: String?) {
        inFlight += bytes
        if let keyName { loads[keyName]?.inFlight += bytes }
    }

    /// Notes bytes that count no more and may wait in the peer's connection, which holds no more than it can.
    private mutating func strand(_ bytes: Int64, of peer: Peer) {
        guard let lost = sides[peer]?.lost else { return }
        sides[peer]?.lost = min(lost + bytes, limits.bytesOfConnection)
    }

    private mutating func close(_ id: StreamID, _ end: StreamEnd) {
        guard let flow = sides[id.peer]?.flows.removeValue(forKey: id.number) else { return }
        count(-flow.inFlight, of: id.peer)
        sides[id.peer]?.writtenOff -= flow.writtenOff
        strand(flow.unconfirmed(from: 0), of: id.peer)
        streamCount -= 1
        if let keyName = sides[id.peer]?.keyName {
            loads[keyName]?.streams -= 1
            if loads[keyName]?.streams == 0 { loads[keyName] = nil }
        }
        if sides[id.peer]?.flows.isEmpty == true { turns.remove(id.peer) }
        if sides[id.peer]?.isIdle == true { sides[id.peer] = nil }
        actions.append(.close(id, end))
    }

    /// Sends as much as may be in flight: a piece of one peer, then of the next.
    private mutating func pump() {
        var waiting: [Peer] = []
        while let peer = turns.next() {
            guard let own = sides[peer]?.inFlight, let stranded = sides[peer]?.stranded, sides[peer]?.isFull == false,
                own == 0 || limits.bytesOfPeer - own - stranded >= limits.pieceBytes
            else { continue }
            let ofKey = sides[peer]?.keyName.flatMap { loads[$0]?.inFlight } ?? 0
            let all = limits.bytesOfAll - limits.reserve(own: own, ofKey: ofKey) - inFlight
            guard all >= limits.pieceBytes else {
                waiting.append(peer)
                continue
            }
            guard let piece = sides[peer]?.next(limits.pieceBytes) else { continue }
            countOfAll(Int64(piece.count), sides[peer]?.keyName)
            let id = StreamID(peer, piece.number)
            actions.append(.send(id, offset: piece.offset, count: piece.count, end: piece.end))
            turns.add(peer)
        }
        for peer in waiting { turns.add(peer) }
    }

    private mutating func tick() {
        var silent: [StreamID] = []
        var quiet: [StreamID] = []
        var full: [Peer] = []
        for (peer, side) in sides {
            if side.isFull { full.append(peer) }
            for (number, flow) in side.flows {
                if now - flow.heardAt >= limits.silence {
                    silent.append(StreamID(peer, number))
                } else if now - flow.heardAt >= limits.quiet, flow.inFlight > 0 {
                    quiet.append(StreamID(peer, number))
                }
            }
        }
        for id in silent.sorted(by: StreamID.precedes) { close(id, .silent) }
        for id in quiet { change(id) { $0.writeOff() } }
        // A connection may have been emptied of what nobody confirms, as of a stream that was stopped.
        for peer in full.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            sides[peer]?.isFull = false
            turns.add(peer)
        }
        lookAfterStranded()
    }

    /// Ends the connections of keys that hold too much unread, and forgets peers of whom nothing is left.
    private mutating func lookAfterStranded() {
        var ofKeys: [String: Int64] = [:]
        var over: [Peer] = []
        for (peer, side) in sides {
            if let keyName = side.keyName {
                ofKeys[keyName, default: 0] += min(side.stranded, limits.bytesOfConnection)
            }
            if side.flows.isEmpty, now - side.heardAt >= limits.silence { over.append(peer) }
        }
        for peer in over { sides[peer] = nil }
        for keyName in ofKeys.filter({ $0.value > limits.strandedOfKey }).keys.sorted() {
            actions.append(.disconnect(keyName: keyName))
        }
    }
}

/// The streams and the bytes in flight of one key, of all its peers.
private struct KeyLoad: Sendable {
    var streams = 0
    var inFlight: Int64 = 0
}

/// The end of a stream at its sender.
package enum StreamEnd: Sendable, Hashable {
    /// The receiver has all of it.
    case sent
    case stopped
    /// The receiver was not heard of for `DataLimits.silence`.
    case silent
    case gone
    case failed
}

/// The streams of one peer.
private struct SendingSide: Sendable {
    var flows: [UInt64: SendingFlow] = [:]
    var turns = Turns<UInt64>()
    var inFlight: Int64 = 0
    let keyName: String?
    var heardAt: Instant
    /// The bytes of open streams that count as lost in their present round.
    var writtenOff: Int64 = 0
    /// The unconfirmed bytes of earlier rounds and of streams that have ended.
    var lost: Int64 = 0
    /// Whether its connection took a piece no more, and nothing was heard of it since.
    var isFull = false

    init(keyName: String?, _ now: Instant) {
        self.keyName = keyName
        heardAt = now
    }

    var stranded: Int64 { writtenOff + lost }
    var isIdle: Bool { flows.isEmpty && lost == 0 }

    /// Notes that the peer has read of its connection.
    mutating func read() {
        lost = 0
        isFull = false
    }

    struct Piece {
        let number: UInt64
        let offset: Int64
        let count: Int
        let end: Int64
    }

    /// Takes the next piece of the stream whose turn it is; nil where none may be sent.
    mutating func next(_ most: Int64) -> Piece? {
        while let number = turns.next() {
            guard let flow = flows[number], flow.isReady else { continue }
            let count = min(most, min(flow.limit, flow.end) - flow.sent)
            flows[number]?.sent += count
            inFlight += count
            turns.add(number)
            return Piece(number: number, offset: flow.sent, count: Int(count), end: flow.end)
        }
        return nil
    }
}

private struct SendingFlow: Sendable {
    let end: Int64
    private(set) var acknowledged: Int64
    /// The bytes before this one have come, or count as lost.
    private var settled: Int64
    var sent: Int64
    var limit: Int64
    var round: UInt32
    var heardAt: Instant
    /// Whether nothing is sent before the peer is heard.
    var isQuiet = false

    init(end: Int64, _ demand: Demand, _ now: Instant) {
        self.end = end
        acknowledged = demand.offset
        settled = demand.offset
        sent = demand.offset
        limit = demand.limit
        round = demand.round
        heardAt = now
    }

    var inFlight: Int64 { sent - settled }
    /// The bytes that count as lost, and were not told to have come.
    var writtenOff: Int64 { settled - acknowledged }
    var isReady: Bool { !isQuiet && sent < min(limit, end) }

    /// Whether bytes are told to have come that count neither as come nor as lost.
    func confirmsNews(_ demand: Demand) -> Bool { min(demand.offset, sent) > settled }

    /// The bytes that were sent and that the peer has not confirmed, where it has all before a place.
    func unconfirmed(from place: Int64) -> Int64 { max(0, sent - max(acknowledged, place)) }

    /// Counts the bytes from a place on as not sent.
    mutating func takeBack(from offset: Int64) { sent = min(sent, max(settled, offset)) }

    /// Counts what was sent as lost, until it is asked for again.
    mutating func writeOff() {
        settled = sent
        isQuiet = true
    }

    mutating func take(_ demand: Demand) {
        if demand.round > round {
            round = demand.round
            acknowledged = demand.offset
            settled = demand.offset
            sent = demand.offset
            limit = demand.limit
        } else {
            acknowledged = max(acknowledged, min(demand.offset, sent))
            settled = max(settled, acknowledged)
            limit = max(limit, demand.limit)
        }
    }
}
