import DataPlane
import Diagnostics
import Scheduling
import TestTools

/// A segment of a worker: its attempt, and the bytes of the picture's file and of its record.
struct Upload {
    let holding: Holding
    let files: [[UInt8]]

    var item: OutboxItem {
        OutboxItem(
            holding: holding,
            files: files.enumerated().map { number, bytes in
                OutboxFile(
                    number: 0, isRecord: number == 1, size: Int64(bytes.count), sum: TransferWorld.sum(bytes))
            })
    }

    func key(_ file: OutboxFile) -> ArrivalKey {
        ArrivalKey(holding: holding, file: file.number, isRecord: file.isRecord)
    }

    func bytes(_ file: OutboxFile) -> [UInt8] { files[file.isRecord ? 1 : 0] }
}

/// A worker's process, and the disk that outlives it.
struct WorkerEnd {
    /// The other end of a worker's streams: whatever coordinator is there.
    static let coordinator = Peer([])

    let index: Int
    /// The contents that it fetches.
    let wishes: [Int]
    let uploads: [Upload]
    var generation = 0

    // The disk
    var fetched: [Int: [UInt8]] = [:]
    var whole: Set<Int> = []
    var delivered: Set<Holding> = []

    // The process
    var receiver = PieceReceiver(limits: TransferWorld.limits)
    var sender = PieceSender(limits: TransferWorld.limits)
    var outbox = Outbox(
        limits: TransferWorld.limits, budget: DiskBudget(mostBytes: 1 << 30, spareBytes: 0), firstStream: 0)
    var contentOf: [UInt64: Int] = [:]
    var fileOf: [UInt64: [UInt8]] = [:]
    /// The bytes that have come and are not put away yet.
    var waiting: [(stream: UInt64, offset: Int64, bytes: [UInt8])] = []

    init(index: Int, wishes: [Int], uploads: [Upload]) {
        self.index = index
        self.wishes = wishes
        self.uploads = uploads
    }

    /// The address of its end of the present link.
    var link: Peer { Peer([index, generation, generation >> 8].map { UInt8(truncatingIfNeeded: $0) }) }
    var isDone: Bool { whole.count == wishes.count && delivered.count == uploads.count }
}

extension TransferWorld {
    /// Starts a worker's process: it goes on with what its disk has.
    mutating func startWorker(_ index: Int) {
        workers[index].generation += 1
        let firstStream = (chance.next() >> 16) + 1000
        workers[index].receiver = PieceReceiver(limits: Self.limits)
        workers[index].sender = PieceSender(limits: Self.limits)
        workers[index].outbox = Outbox(
            limits: Self.limits, budget: DiskBudget(mostBytes: 1 << 30, spareBytes: 0), firstStream: firstStream)
        workers[index].contentOf = [:]
        workers[index].fileOf = [:]
        workers[index].waiting = []
        outboxActs(.link(isUp: true), index)
        let worker = workers[index]
        for upload in worker.uploads where !worker.delivered.contains(upload.holding) {
            outboxActs(.kept(upload.item), index)
        }
        for (number, content) in worker.wishes.enumerated() where !worker.whole.contains(content) {
            // Numbers below those of uploads.
            let stream = firstStream - 100 + UInt64(number)
            workers[index].contentOf[stream] = content
            let goal = StreamGoal(
                from: Int64(worker.fetched[content]?.count ?? 0), sum: Self.sum(contents[content]))
            receiverActs(.open(StreamID(WorkerEnd.coordinator, stream), goal), index)
        }
    }

    /// Everything that is under way between the two is lost, and there is another link.
    mutating func breakLink(_ index: Int) {
        let old = workers[index].link
        flights.removeAll { $0.link == old }
        workers[index].generation += 1
        outboxActs(.link(isUp: false), index)
        outboxActs(.link(isUp: true), index)
        receiverActs(.relinked(WorkerEnd.coordinator), index)
    }

    /// Everything is offered on other streams over the same link, as after a long silence of the coordinator's.
    mutating func offerAgain(_ index: Int) {
        outboxActs(.link(isUp: false), index)
        outboxActs(.link(isUp: true), index)
    }

    mutating func workerTakes(_ message: Message, _ index: Int) {
        switch message {
        case .piece(let stream, let offset, let bytes, let end):
            var bytes = bytes
            // A byte that is wrong is found by the sum of the whole.
            if !bytes.isEmpty, workers[index].generation < 3, happens(oneIn: 3000) { bytes[0] ^= 1 }
            let id = StreamID(WorkerEnd.coordinator, stream)
            receiverActs(.piece(id, offset: offset, count: bytes.count, end: end), index, bytes)
        case .want(let stream, let demand):
            outboxActs(.wanted(stream), index)
            guard let file = workers[index].fileOf[stream] else { return }
            let id = StreamID(WorkerEnd.coordinator, stream)
            workerSends(.begin(id, end: Int64(file.count), demand), index)
        case .stored(let stream): outboxActs(.stored(stream), index)
        case .refusal(let stream, let error):
            if workers[index].contentOf[stream] != nil {
                receiverActs(.refused(StreamID(WorkerEnd.coordinator, stream), error), index)
            } else {
                outboxActs(.refused(stream, error), index)
            }
        case .fetch, .credit, .stop, .offer: break
        }
    }

    mutating func receiverActs(_ event: PieceReceiver.Event, _ index: Int, _ bytes: [UInt8] = []) {
        for action in workers[index].receiver.handle(event, now: now) {
            switch action {
            case .ask(let id, let demand, .begin):
                guard let content = workers[index].contentOf[id.number] else { continue }
                toCoordinator(.fetch(id.number, content: content, demand), index)
            case .ask(let id, let demand, .more): toCoordinator(.credit(id.number, demand), index)
            case .take(let id, let offset, let skip, let count):
                workers[index].waiting.append((id.number, offset, Array(bytes[skip..<skip + count])))
            case .startOver(let id):
                guard let content = workers[index].contentOf[id.number] else { continue }
                workers[index].fetched[content] = []
            case .sum(let id):
                guard let content = workers[index].contentOf[id.number] else { continue }
                receiverActs(.summed(id, Self.sum(workers[index].fetched[content] ?? [])), index)
            case .complete(let id):
                if let content = workers[index].contentOf[id.number] { workers[index].whole.insert(content) }
            case .giveUp(let id, let error):
                // Only a content that was spoilt twice; the worker asks for it anew.
                guard let content = workers[index].contentOf[id.number], error.code == .transportFailed else {
                    faults.append("worker \(index) gives \(id.number) up: \(error.reason)")
                    continue
                }
                workers[index].fetched[content] = []
                receiverActs(.open(id, StreamGoal(sum: Self.sum(contents[content]))), index)
            }
        }
    }

    /// Puts away what has come, sometimes later than at once.
    mutating func putAway(_ index: Int) {
        while let first = workers[index].waiting.first, !happens(oneIn: 3) {
            workers[index].waiting.removeFirst()
            guard let content = workers[index].contentOf[first.stream] else { continue }
            guard workers[index].fetched[content]?.count ?? 0 == Int(first.offset) else {
                faults.append("worker \(index) puts bytes out of place")
                continue
            }
            workers[index].fetched[content, default: []] += first.bytes
            let id = StreamID(WorkerEnd.coordinator, first.stream)
            receiverActs(.taken(id, first.offset + Int64(first.bytes.count)), index)
        }
    }

    mutating func outboxActs(_ event: Outbox.Event, _ index: Int) {
        for action in workers[index].outbox.handle(event, now: now) {
            switch action {
            case .offer(let stream, let holding, let file):
                guard let upload = workers[index].uploads.first(where: { $0.holding == holding }) else { continue }
                workers[index].fileOf[stream] = upload.bytes(file)
                let id = StreamID(workers[index].link, stream)
                toCoordinator(
                    .offer(ArrivalOffer(stream: id, key: upload.key(file), size: file.size, sum: file.sum)), index)
            case .forget(let stream):
                workers[index].fileOf[stream] = nil
                workerSends(.stop(StreamID(WorkerEnd.coordinator, stream)), index)
            case .delivered(let holding): workers[index].delivered.insert(holding)
            case .giveUp(let holding, let error):
                faults.append("worker \(index) gives \(holding.task) up: \(error.reason)")
            case .tellSending, .remove: break
            }
        }
    }

    mutating func workerSends(_ event: PieceSender.Event, _ index: Int) {
        var full: [(id: StreamID, offset: Int64)] = []
        for action in workers[index].sender.handle(event, now: now) {
            guard case .send(let id, let offset, let count, let end) = action else { continue }
            guard !full.contains(where: { $0.id == id }) else { continue }
            if happens(oneIn: 50) {
                full.append((id, offset))
                continue
            }
            guard let file = workers[index].fileOf[id.number] else { continue }
            let bytes = Array(file[Int(offset)..<Int(offset) + count])
            toCoordinator(.piece(id.number, offset: offset, bytes, end: end), index)
        }
        for (id, offset) in full { workerSends(.unsent(id, offset: offset), index) }
    }

    private mutating func toCoordinator(_ message: Message, _ index: Int) {
        transmit(message, link: workers[index].link, toCoordinator: true)
    }
}
