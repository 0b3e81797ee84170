import DataPlane
import Diagnostics
import Scheduling
import TestTools
import Testing

/// Two clients under one key that bring the same content at once, to a disk that is late and stands still now and then.
private struct UploadRace {
    enum Message {
        case offer
        case piece(offset: Int64, [UInt8], end: Int64)
        case want(Demand)
        case stored
        case refusal
    }

    /// A message under way, to the coordinator or to a client.
    struct Flight {
        let at: Instant
        let client: Int
        let message: Message
    }

    struct Client {
        let stream: StreamID
        var sender = PieceSender(limits: TransferWorld.limits)
        var offerAt = Instant.zero
        var isDone = false
    }

    enum DiskWork {
        case append(offset: Int64, [UInt8])
        case sum
        case place
    }

    let content: [UInt8]
    let key: UploadKey
    var chance: SeededNumbers
    var now = Instant.zero
    var clients: [Client]
    var flights: [Flight] = []
    var uploads = StoreUploads(limits: TransferWorld.limits)
    var disk: [(at: Instant, work: DiskWork)] = []
    var part: [UInt8] = []
    var stored: [UInt8]?
    var faults: [String] = []

    init(seed: UInt64) {
        var chance = SeededNumbers(seed: seed)
        content = TransferWorld.bytes(1500, &chance)
        key = UploadKey(owner: "o", sum: TransferWorld.sum(content))
        clients = (1...2).map { Client(stream: StreamID(Peer([UInt8($0)]), UInt64($0))) }
        self.chance = chance
    }

    var isDone: Bool { clients.allSatisfy(\.isDone) }

    /// Lets 10 ms pass.
    mutating func step() {
        now = now + .milliseconds(10)
        while let flight = flights.first, flight.at <= now {
            flights.removeFirst()
            deliver(flight)
        }
        while let first = disk.first, first.at <= now {
            disk.removeFirst()
            perform(first.work)
        }
        for index in clients.indices { offerDue(index) }
        guard now.nanoseconds % 250_000_000 == 0 else { return }
        act(.tick)
        for index in clients.indices { serve(.tick, index) }
    }

    private mutating func send(_ message: Message, _ client: Int) {
        let flight = Flight(at: now + .milliseconds(5 + chance.next(in: 0..<30)), client: client, message: message)
        let place = flights.firstIndex { $0.at > flight.at } ?? flights.count
        flights.insert(flight, at: place)
    }

    private mutating func deliver(_ flight: Flight) {
        let stream = clients[flight.client].stream
        switch flight.message {
        case .offer:
            guard stored == nil else { return send(.stored, flight.client) }
            let offer = UploadOffer(stream: stream, key: key, size: Int64(content.count))
            act(.offer(offer, resumed: Int64(part.count)))
        case .piece(let offset, let bytes, let end):
            act(.piece(stream, offset: offset, count: bytes.count, end: end), bytes)
        case .want(let demand):
            clients[flight.client].offerAt = now + TransferWorld.limits.offer
            let own = StreamID(Peer([]), stream.number)
            serve(.begin(own, end: Int64(content.count), demand), flight.client)
        case .refusal: clients[flight.client].offerAt = now + TransferWorld.limits.again
        case .stored: clients[flight.client].isDone = true
        }
    }

    // MARK: - Clients

    private mutating func offerDue(_ index: Int) {
        guard !clients[index].isDone, clients[index].offerAt <= now else { return }
        clients[index].offerAt = now + TransferWorld.limits.offer
        send(.offer, index)
    }

    private mutating func serve(_ event: PieceSender.Event, _ index: Int) {
        for action in clients[index].sender.handle(event, now: now) {
            guard case .send(_, let offset, let count, let end) = action else { continue }
            send(.piece(offset: offset, Array(content[Int(offset)..<Int(offset) + count]), end: end), index)
        }
    }

    // MARK: - The coordinator

    private mutating func act(_ event: StoreUploads.Event, _ bytes: [UInt8] = []) {
        for action in uploads.handle(event, now: now) {
            switch action {
            case .want(let id, let demand): send(.want(demand), Int(id.number) - 1)
            case .stored(let id): send(.stored, Int(id.number) - 1)
            case .refuse(let id, let error):
                if error.code.retry != .transient { faults.append("\(now): \(error.reason)") }
                send(.refusal, Int(id.number) - 1)
            case .write(_, let offset, let skip, let count):
                plan(.append(offset: offset, Array(bytes[skip..<skip + count])))
            case .sum: plan(.sum)
            case .place: plan(.place)
            case .startOver: faults.append("\(now): the sum is wrong")
            case .drop: faults.append("\(now): it is given up")
            case .letGo: break
            }
        }
    }

    private mutating func plan(_ work: DiskWork) {
        var delay = chance.next(in: 0..<40)
        if chance.next(in: 0..<30) == 0 { delay += 1000 + chance.next(in: 0..<2500) }
        disk.append((max(now + .milliseconds(delay), disk.last?.at ?? now), work))
    }

    private mutating func perform(_ work: DiskWork) {
        switch work {
        case .append(let offset, let bytes):
            guard part.count == Int(offset) else { return faults.append("\(now): bytes are written out of place") }
            part += bytes
            act(.written(key, Int64(part.count)))
        case .sum: act(.summed(key, TransferWorld.sum(part)))
        case .place:
            stored = part
            act(.placed(key))
        }
    }
}

@Suite("Two clients that bring one content")
struct UploadRaceTests {
    @Test(arguments: UInt64(1)...24)
    func bothAreDoneAndNoByteIsWrong(seed: UInt64) {
        var race = UploadRace(seed: seed)
        var steps = 0
        // Two minutes.
        while !race.isDone, steps < 12_000 {
            race.step()
            steps += 1
        }
        #expect(race.isDone, "seed \(seed): it does not come to an end")
        #expect(race.faults.isEmpty, "seed \(seed): \(race.faults.prefix(3))")
        #expect(race.stored == race.content)
    }
}
