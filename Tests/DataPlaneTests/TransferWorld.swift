import DataPlane
import Diagnostics
import Foundation
import Hashing
import Scheduling
import TestTools

/// A coordinator and some workers with a network between them that loses, delays, doubles and reorders, breaks links
/// and restarts either end, as a seed decides. Pieces have 16 bytes, so that little content makes many of them.
struct TransferWorld {
    static let limits: DataLimits = {
        var limits = DataLimits()
        limits.pieceBytes = 16
        limits.bytesOfAll = 16 * 40
        limits.reservedBytes = 16 * 10
        limits.quiet = .seconds(1)
        limits.silence = .seconds(5)
        limits.stall = .seconds(1)
        limits.stallMaximum = .seconds(2)
        limits.offer = .seconds(1)
        limits.offerMaximum = .seconds(4)
        limits.arrivalKeeps = .seconds(8)
        return limits
    }()

    enum Message {
        case fetch(UInt64, content: Int, Demand)
        case credit(UInt64, Demand)
        case stop(UInt64)
        case offer(ArrivalOffer)
        case piece(UInt64, offset: Int64, [UInt8], end: Int64)
        case want(UInt64, Demand)
        case stored(UInt64)
        case refusal(UInt64, SplitreelError)
    }

    /// A message under way. The address of a worker's end changes with each of its links.
    struct Flight {
        let at: Instant
        let link: Peer
        let isToCoordinator: Bool
        let message: Message
    }

    var chance: SeededNumbers
    var now = Instant.zero
    var flights: [Flight] = []
    var coordinator: CoordinatorEnd
    var workers: [WorkerEnd]
    /// Whether the network and the machines misbehave.
    var isRough = true
    var faults: [String] = []
    /// The contents that workers fetch.
    let contents: [[UInt8]]

    init(seed: UInt64, workers count: Int) {
        var chance = SeededNumbers(seed: seed)
        contents = (0..<6).map { _ in Self.bytes(chance.next(in: 1..<1500), &chance) }
        coordinator = CoordinatorEnd()
        workers = (0..<count).map { index in
            let uploads = (0..<3).map { task in
                Upload(
                    holding: Holding(
                        job: "j", task: index * 10 + task, epoch: 1, lease: LeaseID(high: 7, low: UInt64(task))),
                    files: [Self.bytes(chance.next(in: 1..<1500), &chance), Self.bytes(30, &chance)])
            }
            let wishes = (0..<6).filter { _ in chance.next(in: 0..<2) == 0 }
            return WorkerEnd(index: index, wishes: wishes, uploads: uploads)
        }
        self.chance = chance
    }

    static func bytes(_ count: Int, _ chance: inout SeededNumbers) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
    }

    static func sum(_ bytes: [UInt8]) -> [UInt8] {
        var sum = SHA256Sum()
        sum.update(bytes)
        return sum.bytes
    }

    mutating func happens(oneIn count: Int) -> Bool { isRough && chance.next(in: 0..<count) == 0 }

    /// Puts a message on its way, or two of it, or none.
    mutating func transmit(_ message: Message, link: Peer, toCoordinator: Bool) {
        if happens(oneIn: 40) { return }
        let copies = happens(oneIn: 40) ? 2 : 1
        for _ in 0..<copies {
            let delay = isRough ? 5 + chance.next(in: 0..<60) : 10
            let flight = Flight(
                at: now + .milliseconds(delay), link: link, isToCoordinator: toCoordinator, message: message)
            // What is due at the same time arrives in the order in which it was sent.
            let place = flights.firstIndex { $0.at > flight.at } ?? flights.count
            flights.insert(flight, at: place)
        }
    }

    /// Lets 10 ms pass.
    mutating func step() {
        now = now + .milliseconds(10)
        while let flight = flights.first, flight.at <= now {
            flights.removeFirst()
            deliver(flight)
        }
        workDisk()
        for index in workers.indices { putAway(index) }
        if now.nanoseconds % 250_000_000 == 0 { tick() }
        if isRough { misfortune() }
        check()
    }

    private mutating func deliver(_ flight: Flight) {
        if flight.isToCoordinator {
            coordinatorTakes(flight.message, from: flight.link)
        } else if let index = workers.firstIndex(where: { $0.link == flight.link }) {
            workerTakes(flight.message, index)
        } else {
            // The router knows no such peer any more.
            senderActs(.peerGone(flight.link))
            arrivalsAct(.peerGone(flight.link))
        }
    }

    private mutating func tick() {
        senderActs(.tick)
        arrivalsAct(.tick)
        for index in workers.indices {
            receiverActs(.tick, index)
            outboxActs(.tick, index)
            workerSends(.tick, index)
        }
    }

    private mutating func misfortune() {
        if happens(oneIn: 800) { breakLink(chance.next(in: 0..<workers.count)) }
        if happens(oneIn: 1500) { startWorker(chance.next(in: 0..<workers.count)) }
        if happens(oneIn: 1500) { restartCoordinator() }
        if happens(oneIn: 400) { offerAgain(chance.next(in: 0..<workers.count)) }
    }

    /// No more is in flight, or promised, than the limits say.
    private mutating func check() {
        let limits = Self.limits
        let ofPeer = limits.pieceBytes * limits.piecesOfPeer
        if coordinator.sender.inFlight > limits.bytesOfAll { faults.append("\(now): too much is sent") }
        if coordinator.arrivals.outstanding > limits.bytesOfAll { faults.append("\(now): too much may arrive") }
        let waiting = coordinator.disk.reduce(0) { $0 + $1.count }
        if waiting > limits.bytesOfAll { faults.append("\(now): too much waits for the disk") }
        for worker in workers {
            if coordinator.sender.inFlight(of: worker.link) > ofPeer { faults.append("\(now): too much to one") }
            if worker.sender.inFlight > ofPeer { faults.append("\(now): too much from one") }
            if worker.receiver.outstanding > ofPeer { faults.append("\(now): one holds too much") }
        }
    }

    var isDone: Bool { workers.allSatisfy(\.isDone) }
}
