import DataPlane
import Diagnostics
import FarmKeys
import FarmProtocol
import Logging
import Scheduling
import SplitreelFiles
import Threads
import Transport

/// The hands of the data plane at the coordinator: a socket on a loop of its own, so that control messages and
/// heartbeats never wait behind bytes, and threads that read and write files.
actor DataService {
    /// A stream whose file is being looked for.
    private struct Search {
        var demand: Demand
        /// The byte behind the last one that is wanted; 0 for all.
        let end: Int64
        /// The name of the key that asks; nil on a farm without keys.
        let keyName: String?
    }

    /// A file that streams are read from; it has one descriptor for all of them.
    private struct ServedFile {
        let file: any MediaSource
        var streams: Int
    }

    /// A stream that is open.
    private struct ServedStream {
        let path: String
        let end: Int64
        /// The name under which its reads are done one after the other.
        let asker: String
        var pieces = PiecesUnderWay()
    }

    nonisolated let loop: EventLoop
    let limits: DataLimits
    let logger: Logger
    let access: MediaAccess
    /// The farm's keys; nil where it has none.
    let gate: KeyGate?
    private let origin = ContinuousClock.now
    weak var desk: (any DataDesk)?
    private var socket: SocketID?

    private var sender: PieceSender
    private var searches: [StreamID: Search] = [:]
    private var streams: [StreamID: ServedStream] = [:]
    private var files: [String: ServedFile] = [:]
    private let readers = ThreadPool(name: "serve", size: 4, perAsker: 1, capacity: 16_384)
    private let maps = SourceMaps()

    // Arrivals, see DataService+Arrivals.swift
    var arrivals: Arrivals
    var growing: [ArrivalKey: ArrivingFile] = [:]
    /// The offers of which it is being asked whether they are to be taken.
    var admitting: [StreamID: ArrivalOffer] = [:]
    /// The bytes of attempts' segments that have come since the brain was last told.
    var moved: [Holding: Int64] = [:]
    /// The files that are whole, of attempts that are not over.
    var placed: Set<ArrivalKey> = []
    /// The places up to which their files have come: what comes once more is nothing new.
    var reached: [ArrivalKey: Int64] = [:]
    let writers = ThreadPool(name: "arrive", size: 2, perAsker: 1, capacity: 16_384)

    // Uploads, see DataService+Uploads.swift
    var store: StoreFolder?
    var uploads = StoreUploads(limits: DataService.uploadLimits)
    var uploading: [UploadKey: ArrivingUpload] = [:]
    /// The threads that write them: what came of a long one takes a while to sum, and segments do not wait for that.
    let uploaders = ThreadPool(name: "upload", size: 2, perAsker: 1, capacity: 16_384)
    /// The uploads whose files are being opened.
    var openingUploads: Set<UploadKey> = []

    // Keys, see DataService+Keys.swift
    var guests: [Peer: Guest] = [:]
    /// All keys under which messages came.
    var knownKeys: Set<PublicKey> = []
    let keyReader = ThreadPool(name: "keys", size: 1, capacity: 1)

    var malformedMessages = 0
    var unknownMessages = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Starts the loop's thread; `shutDown` of the loop ends it. With a gate nobody gets in without a key.
    init(access: MediaAccess, gate: KeyGate?, logger: Logger) throws {
        let limits = DataLimits()
        self.limits = limits
        self.access = access
        self.gate = gate
        self.logger = logger
        sender = PieceSender(limits: limits)
        // A job needs room for its film beside its segments.
        arrivals = Arrivals(limits: limits, budget: DiskBudget(mostBytes: 256 << 30, spareBytes: 256 << 20))
        loop = try EventLoop(name: "data", limits: .data, security: gate?.security ?? .open)
    }

    /// Binds the socket; answers its real endpoint. Not from the loop's own thread, nor from the cooperative pool.
    nonisolated func begin(at endpoint: String, desk: any DataDesk) throws -> String {
        try loop.onLoop { [self] in try assumeIsolated { try $0.start(at: endpoint, desk: desk) } }
    }

    private func start(at endpoint: String, desk: any DataDesk) throws -> String {
        self.desk = desk
        let opened = try loop.openRouter { [weak self] frames, key in
            self?.assumeIsolated { $0.receive(frames, key) }
        }
        let bound: String
        do {
            bound = try loop.bind(opened, to: endpoint)
        } catch {
            loop.close(opened)
            throw error
        }
        socket = opened
        loop.every(.milliseconds(250)) { [weak self] in self?.assumeIsolated { $0.tick() } }
        loop.every(.seconds(1)) { [weak self] in self?.assumeIsolated { $0.lookAfterArrivals() } }
        if gate != nil {
            loop.every(Coordinator.keyCheck) { [weak self] in self?.assumeIsolated { $0.lookAtKeys() } }
        }
        return bound
    }

    var now: Instant { Instant(nanoseconds: (ContinuousClock.now - origin).nanoseconds) }

    nonisolated func post(_ body: @escaping @Sendable (isolated DataService) -> Void) {
        loop.post { [self] in assumeIsolated(body) }
    }

    /// Ends what is still made of a job's sources. From any thread.
    nonisolated func letGo(of job: String) {
        maps.letGo(of: job)
        // Behind the answers that are on their way here: one of them may begin a map.
        post { $0.maps.letGo(of: job) }
    }

    private func tick() {
        serve(.tick)
        take(.tick)
        takeUpload(.tick)
    }

    // MARK: - Messages

    /// Takes the frames of a message, the identity first, and the key that it came under.
    private func receive(_ frames: [[UInt8]], _ key: PublicKey?) {
        guard let identity = frames.first else { return malformedMessages += 1 }
        let peer = Peer(identity)
        guard let guest = admitted(key, at: peer) else { return }
        switch ReceivedData(Array(frames.dropFirst())) {
        case .malformed: malformedMessages += 1
        case .unknownBody: unknownMessages += 1
        case .otherMajor(let major):
            refuse(StreamID(peer, 0), Splitreel_Farm_Envelope.versionMismatch(theirs: major))
        case .message(let body, let bytes):
            if permits(guest, body, at: peer) { receive(body, bytes, from: peer, guest) }
        }
    }

    private func receive(
        _ body: Splitreel_Farm_DataEnvelope.OneOf_Body, _ bytes: [UInt8], from peer: Peer, _ guest: Sender
    ) {
        switch body {
        case .fetch(let fetch): self.fetch(fetch, from: peer, guest)
        case .credit(let credit):
            guard let demand = Demand(credit.demand) else { return malformedMessages += 1 }
            let id = StreamID(peer, credit.stream)
            // A word on a stream that is still being opened comes too early to count.
            if searches[id] == nil { serve(.demand(id, demand)) }
        case .stop(let stop):
            let id = StreamID(peer, stop.stream)
            searches[id] = nil
            admitting[id] = nil
            serve(.stop(id))
            take(.stopped(id))
            takeUpload(.stopped(id))
        case .offer(let message) where message.isOfContent: upload(message, from: peer, guest)
        case .offer(let message):
            guard var offer = ArrivalOffer(message, from: peer), isShort(message.slot), isShort(message.holding.job)
            else { return malformedMessages += 1 }
            offer.keyName = guest.keyName
            self.offer(offer, from: guest)
        case .piece(let piece):
            guard let offset = Int64(exactly: piece.offset), let end = Int64(exactly: piece.end) else {
                return malformedMessages += 1
            }
            let id = StreamID(peer, piece.stream)
            if uploads.isOpen(id) {
                return takeUpload(.piece(id, offset: offset, count: bytes.count, end: end), bytes)
            }
            take(.piece(id, offset: offset, count: bytes.count, end: end), bytes)
        case .want, .stored, .refusal: unknownMessages += 1
        }
    }

    private func isShort(_ text: String) -> Bool { text.utf8.count <= 4096 }

    private func fetch(_ message: Splitreel_Farm_Fetch, from peer: Peer, _ guest: Sender) {
        guard message.stream > 0, let what = message.what, let demand = Demand(message.demand),
            let end = Int64(exactly: message.end), isShort(message.slot), isShort(message.job)
        else { return malformedMessages += 1 }
        let id = StreamID(peer, message.stream)
        if let stream = streams[id] { return serve(.begin(id, end: stream.end, demand)) }
        if let known = searches[id] {
            if demand.round >= known.demand.round { searches[id]?.demand = demand }
            return
        }
        let ofKey = guest.keyName.map { name in searches.values.count { $0.keyName == name } } ?? 0
        guard DataLimits.hasPlace(own: ofKey, all: searches.count, most: 1024),
            searches.keys.count(where: { $0.peer == peer }) < limits.streamsOfPeer
        else {
            let error = SplitreelError(
                .transportFailed, operation: "fetching", subject: "stream \(message.stream)",
                reason: "too many files are being opened", hint: "it is asked for again")
            return refuse(id, error)
        }
        searches[id] = Search(demand: demand, end: end, keyName: guest.keyName)
        if case .film(let path) = what {
            let question = FilmQuestion(sender: guest, job: message.job, path: path)
            desk?.find(question) { [weak self] place in self?.post { $0.found(id, place) } }
            return
        }
        let question = DataQuestion(slot: guest.qualified(message.slot), job: message.job, what: what)
        desk?.find(question) { [weak self] place in self?.post { $0.found(id, place) } }
    }

    // MARK: - Files that are served

    private func found(_ id: StreamID, _ answer: Result<DataPlace, any Error>) {
        guard searches[id] != nil else { return }
        do {
            let place = try answer.get()
            for map in place.ahead { try? maps.make(map, mediaAccess(to: place)) { _ in } }
            if let map = place.map {
                // The search goes on when the map is there: a large file takes minutes.
                let made = DataPlace(path: place.path, isSource: place.isSource, view: place.view)
                return try maps.make(map, mediaAccess(to: place)) { [weak self] result in
                    let found = result.map { _ in made }
                    self?.post { $0.found(id, found) }
                }
            }
            let known = files[place.path]?.file
            try readers.run(for: place.path) { [self] in
                let opened = Result { try open(place, known) }
                post { $0.opened(id, place.path, opened) }
            }
        } catch {
            searches[id] = nil
            refuse(id, asOurs(error, "fetching"))
        }
    }

    nonisolated private func mediaAccess(to place: DataPlace) -> MediaAccess {
        var access = access
        access.view = place.view
        return access
    }

    /// Opens a file, on a thread of its own; one that is open already must still be the same.
    nonisolated private func open(_ place: DataPlace, _ known: (any MediaSource)?) throws -> any MediaSource {
        let access = mediaAccess(to: place)
        if place.isSource { try access.check(media: place.path) }
        guard let known else {
            return try place.isSource ? access.source(at: place.path) : LocalFile(path: place.path)
        }
        try known.checkUnchanged()
        return known
    }

    private func opened(_ id: StreamID, _ path: String, _ result: Result<any MediaSource, any Error>) {
        guard let search = searches.removeValue(forKey: id) else { return }
        do {
            let file = try result.get()
            let size = Int64(file.identity.byteCount)
            let end = search.end == 0 ? size : search.end
            guard end <= size else { throw sourceChanged(path, "it has \(size) bytes, and \(end) are asked for") }
            // Streams that began meanwhile have the same content, or another one: the receiver's sums tell.
            files[path, default: ServedFile(file: file, streams: 0)].streams += 1
            streams[id] = ServedStream(path: path, end: end, asker: "\(id.number) \(id.peer.bytes)")
            serve(.begin(id, end: end, search.demand, keyName: search.keyName))
        } catch {
            refuse(id, asOurs(error, "fetching"))
        }
    }

    private func release(_ id: StreamID) {
        guard let path = streams.removeValue(forKey: id)?.path else { return }
        files[path]?.streams -= 1
        if files[path]?.streams == 0 { files[path] = nil }
    }

    private func serve(_ event: PieceSender.Event) {
        for action in sender.handle(event, now: now) {
            switch action {
            case .send(let id, let offset, let count, let end): send(id, offset, count, end)
            case .refuse(let id, let error): refuse(id, error)
            case .close(let id, _): release(id)
            case .disconnect(let keyName): disconnect(keyName)
            }
        }
    }

    private func send(_ id: StreamID, _ offset: Int64, _ count: Int, _ end: Int64) {
        guard count > 0 else { return sendPiece(id, offset, [], end) }
        guard let stream = streams[id], let file = files[stream.path]?.file else { return }
        do {
            // In the order of the pieces: one asker's work is done in order.
            try readers.run(for: stream.asker) { [self] in
                let result = Result { try file.read(at: Int(offset), count: count) }
                post { $0.read(id, offset, count, end, result) }
            }
            streams[id]?.pieces.add(offset)
        } catch {
            serve(.failed(id, asOurs(error, "fetching")))
        }
    }

    private func read(
        _ id: StreamID, _ offset: Int64, _ count: Int, _ end: Int64, _ result: Result<[UInt8], any Error>
    ) {
        guard let stream = streams[id], streams[id]?.pieces.next(offset) == true else { return }
        do {
            let bytes = try result.get()
            guard bytes.count == count else { throw sourceChanged(stream.path, "it has become shorter") }
            sendPiece(id, offset, bytes, end)
        } catch {
            serve(.failed(id, asOurs(error, "fetching")))
        }
    }

    private func sendPiece(_ id: StreamID, _ offset: Int64, _ bytes: [UInt8], _ end: Int64) {
        let piece = Splitreel_Farm_Piece(stream: id.number, offset: offset, end: end)
        switch transmit(.piece(piece), to: id.peer, bytes) {
        case .sent: break
        case .full:
            let place = streams[id]?.pieces.takeBack(from: offset) ?? offset
            serve(.unsent(id, offset: place))
        case .unroutable: lose(id.peer)
        }
    }

    // MARK: - The socket

    func refuse(_ id: StreamID, _ error: SplitreelError) {
        say(.refusal(Splitreel_Farm_Refusal(stream: id.number, error)), to: id.peer)
    }

    /// Sends a message that is said again by itself where it is lost.
    func say(_ body: Splitreel_Farm_DataEnvelope.OneOf_Body, to peer: Peer) {
        if case .unroutable = transmit(body, to: peer) { lose(peer) }
    }

    private func transmit(
        _ body: Splitreel_Farm_DataEnvelope.OneOf_Body, to peer: Peer, _ bytes: [UInt8]? = nil
    ) -> SendResult {
        guard let socket else { return .full }
        do {
            return try loop.send([peer.bytes] + Splitreel_Farm_DataEnvelope(body).frames(bytes), on: socket)
        } catch {
            logger.warning("cannot send bytes", metadata: ["error": "\(error)"])
            return .full
        }
    }

    /// Ends everything that a peer has.
    func lose(_ peer: Peer) {
        guests[peer] = nil
        for id in searches.keys.filter({ $0.peer == peer }) { searches[id] = nil }
        for id in admitting.keys.filter({ $0.peer == peer }) { admitting[id] = nil }
        serve(.peerGone(peer))
        take(.peerGone(peer))
        takeUpload(.peerGone(peer))
    }

    func asOurs(_ error: any Error, _ operation: String) -> SplitreelError {
        (error as? SplitreelError)
            ?? SplitreelError(
                .internalFault, operation: operation, subject: "the data service", reason: String(describing: error))
    }
}
