package import Diagnostics
package import Scheduling

/// A content that a key uploads.
package struct UploadKey: Sendable, Hashable {
    /// The store's name of whoever sends it.
    package var owner: String
    /// The SHA-256 of the content, 32 bytes.
    package var sum: [UInt8]

    package init(owner: String, sum: [UInt8]) {
        self.owner = owner
        self.sum = sum
    }
}

extension UploadKey: ComingKey {
    static func precedes(_ a: UploadKey, _ b: UploadKey) -> Bool {
        a.owner == b.owner ? a.sum.lexicographicallyPrecedes(b.sum) : a.owner < b.owner
    }
}

/// The offer of a content, by the stream that it would come on.
package struct UploadOffer: Sendable, Hashable {
    package var stream: StreamID
    package var key: UploadKey
    package var size: Int64
    /// The name of the key that it came under; nil on a farm without keys.
    package var keyName: String?

    package init(stream: StreamID, key: UploadKey, size: Int64, keyName: String? = nil) {
        self.stream = stream
        self.key = key
        self.size = size
        self.keyName = keyName
    }
}

/// The coordinator's end of uploads: from where on each content comes, and when it is whole. A value without clock or
/// I/O.
///
/// The begun part of a content outlives its link, its client and this process: `resumed` says how far an earlier one
/// came. Segments differ in that: they are made again, and nothing of them is kept (`Arrivals`).
package struct StoreUploads: Sendable {
    package enum Event: Sendable, Hashable {
        /// A content may come, and its file is open. `resumed` bytes of it are there; for one that comes already the
        /// number counts for nothing.
        case offer(UploadOffer, resumed: Int64)
        case piece(StreamID, offset: Int64, count: Int, end: Int64)
        /// All bytes before this one are in the file.
        case written(UploadKey, Int64)
        case summed(UploadKey, [UInt8])
        /// The content is in the store, and on the disk.
        case placed(UploadKey)
        /// The file could not be written or named.
        case failed(UploadKey, SplitreelError)
        case stopped(StreamID)
        case peerGone(Peer)
        case tick
    }

    package enum Action: Sendable, Hashable {
        /// Writes that part of the piece that has just come. Answered with `written`.
        case write(UploadKey, offset: Int64, skip: Int, count: Int)
        case startOver(UploadKey)
        case sum(UploadKey)
        /// Brings the file to the disk and into the store. Answered with `placed`.
        case place(UploadKey)
        case want(StreamID, Demand)
        case stored(StreamID)
        case refuse(StreamID, SplitreelError)
        /// Closes the file; what has come stays for a later offer.
        case letGo(UploadKey)
        /// Removes the file.
        case drop(UploadKey)
    }

    package let limits: DataLimits
    private var files: ComingFiles<UploadKey>
    private var actions: [Action] = []

    package init(limits: DataLimits = DataLimits()) {
        self.limits = limits
        files = ComingFiles(limits: limits)
    }

    /// The bytes that may come or wait to be written, of all peers.
    package var outstanding: Int64 { files.outstanding }

    package func isKnown(_ key: UploadKey) -> Bool { files[key] != nil }

    /// Whether a stream brings a content.
    package func isOpen(_ stream: StreamID) -> Bool { files.key(of: stream) != nil }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        files.now = max(files.now, now)
        switch event {
        case .offer(let offer, let resumed): take(offer, resumed: resumed)
        case .piece(let id, let offset, let count, let end):
            perform(files.receive(.piece(id, offset: offset, count: count, end: end)))
        case .written(let key, let place): perform(files.written(key, place))
        case .summed(let key, let sum): perform(files.summed(key, sum))
        case .placed(let key): placed(key)
        case .failed(let key, let error): fail(key, error)
        case .stopped(let id): perform(files.detach(id))
        case .peerGone(let peer): perform(files.detachAll(of: peer))
        case .tick:
            let (steps, old) = files.tick()
            perform(steps)
            for key in old {
                perform(files.remove(key))
                actions.append(.letGo(key))
            }
        }
        defer { actions = [] }
        return actions
    }

    // MARK: - Offers

    private mutating func take(_ offer: UploadOffer, resumed: Int64) {
        if let other = files.key(of: offer.stream), other != offer.key {
            let error = SplitreelError(
                .malformedMessage, operation: "uploading", subject: "a file", reason: "another one comes by its stream")
            actions.append(.refuse(offer.stream, error))
            if files[offer.key] == nil { actions.append(.letGo(offer.key)) }
            return
        }
        if let known = files[offer.key] { return meet(known, offer) }
        let ofPeer = files.streamCount(of: offer.stream.peer)
        // All that one key uploads has one owner.
        let ofKey = offer.keyName == nil ? 0 : files.entries.keys.count { $0.owner == offer.key.owner }
        guard DataLimits.hasPlace(own: ofKey, all: files.entries.count, most: limits.arrivals),
            ofPeer < limits.streamsOfPeer
        else {
            let error = SplitreelError(
                .transportFailed, operation: "uploading", subject: "a file",
                reason: "\(ofPeer) files of this client and \(files.entries.count) of all arrive already",
                hint: "it is offered again")
            return actions += [.refuse(offer.stream, error), .letGo(offer.key)]
        }
        let file = ComingFile(
            size: offer.size, sum: offer.key.sum, keyName: offer.keyName, written: min(max(resumed, 0), offer.size),
            files.now)
        files.add(offer.key, file)
        attach(offer)
    }

    /// Answers an offer of a content that comes already: by this stream, by another one that goes on, or it goes on by
    /// this one.
    private mutating func meet(_ known: ComingFile, _ offer: UploadOffer) {
        guard known.size == offer.size else {
            let error = SplitreelError(
                .malformedMessage, operation: "uploading", subject: "a file",
                reason: "one content is offered with two sizes")
            return actions.append(.refuse(offer.stream, error))
        }
        guard known.stream != offer.stream else { return perform(files.receive(.again(offer.stream))) }
        if known.isWhole { return files.answer(offer.key, to: offer.stream) }
        if let old = known.stream {
            // Two clients that took it from each other in turns would send most bytes for nothing.
            guard files.now - known.heardAt >= limits.quiet else {
                let error = SplitreelError(
                    .transportFailed, operation: "uploading", subject: "a file",
                    reason: "another connection of this client's key sends it at present", hint: "it is offered again")
                actions.append(.refuse(offer.stream, error))
                return perform(files.receive(.remind(old)))
            }
            perform(files.detach(old))
        }
        attach(offer)
    }

    /// Lets the content come by the offer's stream, from where it stands.
    private mutating func attach(_ offer: UploadOffer) {
        perform(files.attach(offer.key, to: offer.stream, keyName: offer.keyName))
    }

    // MARK: - What comes

    private mutating func placed(_ key: UploadKey) {
        guard files[key]?.isWhole == true else { return }
        if let id = files.placed(key) { actions.append(.stored(id)) }
        perform(files.remove(key))
        actions.append(.letGo(key))
    }

    private mutating func fail(_ key: UploadKey, _ error: SplitreelError) {
        guard let entry = files[key] else { return }
        if let id = entry.listener { actions.append(.refuse(id, error)) }
        perform(files.remove(key))
        actions.append(.drop(key))
    }

    private mutating func perform(_ steps: [ComingFiles<UploadKey>.Step]) {
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
