import DataPlane
import Diagnostics
import Scheduling
import TestTools

/// The coordinator's process, and the folder that outlives it.
struct CoordinatorEnd {
    var sender = PieceSender(limits: TransferWorld.limits)
    var arrivals = Arrivals(
        limits: TransferWorld.limits, budget: DiskBudget(mostBytes: 1 << 30, spareBytes: 0))
    /// The contents that streams are read from.
    var open: [StreamID: Int] = [:]
    var temporary: [ArrivalKey: [UInt8]] = [:]
    var placed: [ArrivalKey: [UInt8]] = [:]
    /// The work that the disk has not done, by the time at which it will have.
    var disk: [DiskWork] = []
    /// The time up to which the disk is busy with each file.
    var busy: [ArrivalKey: Instant] = [:]
}

/// Work on one file that arrives; that of a file is done in its order.
struct DiskWork {
    enum Kind {
        case empty
        case append(offset: Int64, [UInt8])
        case sum
        case place
        case remove
    }

    let at: Instant
    let key: ArrivalKey
    let kind: Kind

    /// The bytes that wait in memory for it.
    var count: Int64 { if case .append(_, let bytes) = kind { Int64(bytes.count) } else { 0 } }
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
        // A file that got its name in an earlier life comes again.
        case .offer(let offer): arrivalsAct(.offer(offer, free: nil))
        case .piece(let stream, let offset, let bytes, let end):
            arrivalsAct(.piece(StreamID(link, stream), offset: offset, count: bytes.count, end: end), bytes)
        case .want, .stored, .refusal: break
        }
    }

    mutating func senderActs(_ event: PieceSender.Event) {
        var full: [(id: StreamID, offset: Int64)] = []
        for action in coordinator.sender.handle(event, now: now) {
            switch action {
            case .send(let id, let offset, let count, let end):
                // What is behind a piece that the socket did not take is not sent either.
                guard !full.contains(where: { $0.id == id }) else { continue }
                if happens(oneIn: 50) {
                    full.append((id, offset))
                    continue
                }
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
        for (id, offset) in full { senderActs(.unsent(id, offset: offset)) }
    }

    mutating func arrivalsAct(_ event: Arrivals.Event, _ bytes: [UInt8] = []) {
        for action in coordinator.arrivals.handle(event, now: now) {
            switch action {
            case .make(let key): plan(.empty, key)
            case .startOver(let key):
                // No byte on its way there is ever changed.
                faults.append("\(now): the sum of a segment is wrong")
                plan(.empty, key)
            case .write(let key, let offset, let skip, let count):
                plan(.append(offset: offset, Array(bytes[skip..<skip + count])), key)
            case .sum(let key): plan(.sum, key)
            case .place(let key): plan(.place, key)
            case .want(let id, let demand):
                transmit(.want(id.number, demand), link: id.peer, toCoordinator: false)
            case .stored(let id): transmit(.stored(id.number), link: id.peer, toCoordinator: false)
            case .refuse(let id, let error):
                transmit(.refusal(id.number, error), link: id.peer, toCoordinator: false)
            case .drop(let key): plan(.remove, key)
            }
        }
    }

    /// Puts work on a file into the disk's agenda. A disk that misbehaves is late, and stands still now and then.
    private mutating func plan(_ kind: DiskWork.Kind, _ key: ArrivalKey) {
        var delay = isRough ? chance.next(in: 0..<40) : 0
        if happens(oneIn: 150) { delay += 2000 + chance.next(in: 0..<2500) }
        let due = max(now + .milliseconds(delay), coordinator.busy[key] ?? now)
        coordinator.busy[key] = due
        let place = coordinator.disk.firstIndex { $0.at > due } ?? coordinator.disk.count
        coordinator.disk.insert(DiskWork(at: due, key: key, kind: kind), at: place)
    }

    /// Does the disk's work that is due.
    mutating func workDisk() {
        while let work = coordinator.disk.first, work.at <= now {
            coordinator.disk.removeFirst()
            let key = work.key
            switch work.kind {
            case .empty: coordinator.temporary[key] = []
            case .append(let offset, let bytes):
                guard coordinator.temporary[key]?.count == Int(offset) else {
                    faults.append("\(now): bytes are written out of place")
                    continue
                }
                coordinator.temporary[key]? += bytes
                arrivalsAct(.written(key, offset + Int64(bytes.count)))
            case .sum: arrivalsAct(.summed(key, Self.sum(coordinator.temporary[key] ?? [])))
            case .place:
                coordinator.placed[key] = coordinator.temporary.removeValue(forKey: key)
                arrivalsAct(.placed(key))
            case .remove: coordinator.temporary[key] = nil
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
