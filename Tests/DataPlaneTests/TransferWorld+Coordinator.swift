import DataPlane
import Diagnostics
import Scheduling

/// The coordinator's process, and the folder that outlives it.
struct CoordinatorEnd {
    var sender = PieceSender(limits: TransferWorld.limits)
    var arrivals = Arrivals(
        limits: TransferWorld.limits, budget: DiskBudget(mostBytes: 1 << 30, spareBytes: 0))
    /// The contents that streams are read from.
    var open: [StreamID: Int] = [:]
    var temporary: [ArrivalKey: [UInt8]] = [:]
    var placed: [ArrivalKey: [UInt8]] = [:]
}

extension TransferWorld {
    mutating func coordinatorTakes(_ message: Message, from link: Peer) {
        switch message {
        case .fetch(let stream, let content, let demand):
            let id = StreamID(link, stream)
            coordinator.open[id] = content
            senderActs(.begin(id, end: Int64(contents[content].count), demand))
        case .credit(let stream, let demand): senderActs(.demand(StreamID(link, stream), demand))
        case .stop(let stream): senderActs(.stop(StreamID(link, stream)))
        case .offer(let offer):
            // A file that got its name in an earlier life counts as stored.
            if coordinator.placed[offer.key] != nil, !coordinator.arrivals.holdings.contains(offer.key.holding) {
                return transmit(.stored(offer.stream.number), link: link, toCoordinator: false)
            }
            arrivalsAct(.offer(offer, free: nil))
        case .piece(let stream, let offset, let bytes, let end):
            arrivalsAct(.piece(StreamID(link, stream), offset: offset, count: bytes.count, end: end), bytes)
        case .want, .stored, .refusal: break
        }
    }

    mutating func senderActs(_ event: PieceSender.Event) {
        for action in coordinator.sender.handle(event, now: now) {
            switch action {
            case .send(let id, let offset, let count, let end):
                guard let content = coordinator.open[id] else {
                    faults.append("a stream is sent that nobody opened")
                    continue
                }
                let bytes = Array(contents[content][Int(offset)..<Int(offset) + count])
                transmit(.piece(id.number, offset: offset, bytes, end: end), link: id.peer, toCoordinator: false)
            case .refuse(let id, let error):
                transmit(.refusal(id.number, error), link: id.peer, toCoordinator: false)
            case .close(let id, _): coordinator.open[id] = nil
            case .disconnect(let name): faults.append("key \(name) is shut out")
            }
        }
    }

    mutating func arrivalsAct(_ event: Arrivals.Event, _ bytes: [UInt8] = []) {
        for action in coordinator.arrivals.handle(event, now: now) {
            switch action {
            case .make(let key), .startOver(let key): coordinator.temporary[key] = []
            case .write(let key, let offset, let skip, let count):
                guard coordinator.temporary[key]?.count == Int(offset) else {
                    faults.append("bytes are written out of place")
                    continue
                }
                coordinator.temporary[key]?.append(contentsOf: bytes[skip..<skip + count])
                arrivalsAct(.written(key, offset + Int64(count)))
            case .sum(let key): arrivalsAct(.summed(key, Self.sum(coordinator.temporary[key] ?? [])))
            case .place(let key):
                coordinator.placed[key] = coordinator.temporary.removeValue(forKey: key)
                arrivalsAct(.placed(key))
            case .want(let id, let demand):
                transmit(.want(id.number, demand), link: id.peer, toCoordinator: false)
            case .stored(let id): transmit(.stored(id.number), link: id.peer, toCoordinator: false)
            case .refuse(let id, let error):
                transmit(.refusal(id.number, error), link: id.peer, toCoordinator: false)
            case .drop(let key): coordinator.temporary[key] = nil
            }
        }
    }

    /// Another process takes the coordinator's place; temporary files go, those with names stay.
    mutating func restartCoordinator() {
        let placed = coordinator.placed
        coordinator = CoordinatorEnd()
        coordinator.placed = placed
        for index in workers.indices { breakLink(index) }
    }
}
