import DataPlane
import Diagnostics
import FarmProtocol
import Scheduling
import SplitreelFiles
import Threads

// Segments that arrive.
extension DataService {
    func offer(_ offer: ArrivalOffer, from guest: Sender) {
        // A known file was admitted, and the service hears when its attempt is over. Under keys another may offer it.
        guard growing[offer.key] == nil || gate != nil else { return take(.offer(offer, free: nil)) }
        // It is being looked at; the worker says it again.
        guard admitting[offer.stream] == nil else { return }
        let ofKey = offer.keyName.map { name in admitting.values.count { $0.keyName == name } } ?? 0
        guard DataLimits.hasPlace(own: ofKey, all: admitting.count, most: 1024),
            admitting.keys.count(where: { $0.peer == offer.stream.peer }) < limits.streamsOfPeer
        else {
            let error = SplitreelError(
                .transportFailed, operation: "taking a segment", subject: "stream \(offer.stream.number)",
                reason: "too many files are offered", hint: "it is offered again")
            return refuse(offer.stream, error)
        }
        admitting[offer.stream] = offer
        let asked = SegmentOffer(sender: guest, key: offer.key, size: offer.size)
        desk?.admit(asked) { [weak self] place in self?.post { $0.admitted(offer, place) } }
    }

    /// Goes on with an offer that the desk has answered, unless its peer is gone.
    private func admitted(_ offer: ArrivalOffer, _ place: Result<String, any Error>) {
        guard admitting[offer.stream] == offer else { return }
        do {
            let path = try place.get()
            // A disk that hangs holds one thread, and not the loop.
            try writers.run(for: parentFolder(of: path)) { [self] in
                let free = freeBytes(in: parentFolder(of: path))
                post { $0.measured(offer, path, free) }
            }
        } catch {
            admitting[offer.stream] = nil
            refuse(offer.stream, asOurs(error, "taking a segment"))
        }
    }

    private func measured(_ offer: ArrivalOffer, _ path: String, _ free: Int64?) {
        guard admitting[offer.stream] == offer else { return }
        admitting[offer.stream] = nil
        // Its key may have been revoked meanwhile.
        guard gate == nil || guests[offer.stream.peer] != nil else { return }
        if growing[offer.key] == nil { growing[offer.key] = ArrivingFile(path: path) }
        take(.offer(offer, free: free))
        if !arrivals.isKnown(offer.key) { growing[offer.key] = nil }
    }

    /// Lets the brain of arrivals take an event; `bytes` are those of the piece that has just come.
    func take(_ event: Arrivals.Event, _ bytes: [UInt8] = []) {
        if case .placed(let key) = event, arrivals.isKnown(key) { placed.insert(key) }
        for action in arrivals.handle(event, now: now) {
            switch action {
            case .want(let id, let demand):
                var want = Splitreel_Farm_Want()
                want.stream = id.number
                want.demand = demand.wire
                say(.want(want), to: id.peer)
            case .stored(let id):
                var stored = Splitreel_Farm_Stored()
                stored.stream = id.number
                say(.stored(stored), to: id.peer)
            case .refuse(let id, let error): refuse(id, error)
            case .make(let key), .startOver(let key): work(key) { try $0.begin() }
            case .write(let key, let offset, let skip, let count):
                let part = bytes[skip..<skip + count]
                let place = offset + Int64(count)
                noteMoved(key, upTo: place)
                work(key, { try $0.append(part) }, then: { .written(key, place) })
            case .sum(let key):
                workFile(key) { [self] file in
                    let sum = file.sum
                    post { $0.take(.summed(key, sum)) }
                }
            case .place(let key): work(key, { try $0.place() }, then: { .placed(key) })
            case .drop(let key):
                workFile(key) { $0.remove() }
                growing[key] = nil
            }
        }
    }

    /// Works on a file in the order of the calls, on a thread; what goes wrong ends it.
    private func work(
        _ key: ArrivalKey, _ body: @escaping @Sendable (ArrivingFile) throws -> Void,
        then next: (@Sendable () -> Arrivals.Event)? = nil
    ) {
        workFile(key) { [self] file in
            do {
                try body(file)
                if let next { post { $0.take(next()) } }
            } catch {
                post { $0.take(.failed(key, $0.asOurs(error, "taking a segment"))) }
            }
        }
    }

    private func workFile(_ key: ArrivalKey, _ body: @escaping @Sendable (ArrivingFile) -> Void) {
        guard let file = growing[key] else { return }
        let asker = "\(key.holding.job) \(key.holding.task) \(key.holding.epoch) \(key.file) \(key.isRecord)"
        do {
            try writers.run(for: asker) { body(file) }
        } catch {
            let failure = asOurs(error, "taking a segment")
            // Not in the middle of the actions that it is one of.
            post { $0.take(.failed(key, failure)) }
        }
    }

    /// Tells the brain which segments come, and lets go of those that nobody waits for.
    func lookAfterArrivals() {
        if !moved.isEmpty { desk?.came(moved) }
        moved = [:]
        if !placed.isEmpty { desk?.stands(Dictionary(grouping: placed, by: \.holding).mapValues(\.count)) }
        let holdings = arrivals.holdings.union(reached.keys.map(\.holding))
        guard !holdings.isEmpty else { return }
        desk?.over(of: holdings) { [weak self] ended in self?.post { $0.end(ended) } }
    }

    private func end(_ attempts: Set<EndedAttempt>) {
        for attempt in attempts {
            let keys = growing.keys.filter { $0.holding == attempt.holding }
            // Whoever took lease after lease, and sent the files of each, would fill the disk. A file that is being
            // placed is placed before its turn comes.
            if !attempt.isKept { for key in keys { workFile(key) { $0.discard() } } }
            take(.over(attempt.holding))
            for key in keys { growing[key] = nil }
            reached = reached.filter { $0.key.holding != attempt.holding }
            placed = placed.filter { $0.holding != attempt.holding }
        }
    }

    private func noteMoved(_ key: ArrivalKey, upTo place: Int64) {
        let known = reached[key] ?? 0
        guard place > known else { return }
        reached[key] = place
        moved[key.holding, default: 0] += place - known
    }
}
