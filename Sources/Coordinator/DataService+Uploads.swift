import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Scheduling
import SplitreelFiles
import Threads
import Transport

/// An upload whose file is open.
struct ArrivingUpload: Sendable {
    let file: ArrivingFile
    let size: Int64
    /// The name under which its work is done one after the other.
    let asker: String
}

// Contents that clients send for the store.
extension DataService {
    /// The limits of uploads, beside those of segments: both are in memory at a time.
    static var uploadLimits: DataLimits {
        var limits = DataLimits()
        limits.bytesOfAll = 16 << 20
        limits.reservedBytes = 4 << 20
        return limits
    }

    func upload(_ message: Splitreel_Farm_Offer, from peer: Peer, _ guest: Sender) {
        guard message.stream > 0, message.hash.count == 32, let size = Int64(exactly: message.size) else {
            return malformedMessages += 1
        }
        let id = StreamID(peer, message.stream)
        guard let store else {
            let error = SplitreelError(
                .refused, operation: "uploading", subject: "a file", reason: "this coordinator has no store")
            return refuse(id, error)
        }
        let key = UploadKey(owner: StoreFolder.owner(guest.keyName), sum: Array(message.hash))
        let offer = UploadOffer(stream: id, key: key, size: size, keyName: guest.keyName)
        guard uploading[key] == nil else { return takeUpload(.offer(offer, resumed: 0)) }
        // The sum of the part that is there may take a while; the client says its offer again.
        guard openingUploads.insert(key).inserted else { return }
        do {
            try uploaders.run(for: Self.asker(key)) { [self] in
                let begun = Result { try store.begin(key, size: size) }
                post { $0.begun(offer, begun) }
            }
        } catch {
            openingUploads.remove(key)
            refuse(id, asOurs(error, "uploading"))
        }
    }

    /// Closes the files of uploads, so that the next start in this process goes on with them. Not from the loop's own
    /// thread, nor from the cooperative pool.
    nonisolated func letGoOfUploads() {
        try? loop.onLoop { [self] in
            assumeIsolated { service in
                for upload in service.uploading.values { upload.file.rest() }
            }
        }
    }

    private static func asker(_ key: UploadKey) -> String { "upload \(key.owner) \(key.sum)" }

    private func begun(_ offer: UploadOffer, _ begun: Result<StoreFolder.Beginning, any Error>) {
        openingUploads.remove(offer.key)
        do {
            switch try begun.get() {
            case .held: sayStored(offer.stream)
            case .comes(let file, let resumed):
                uploading[offer.key] = ArrivingUpload(
                    file: file, size: offer.size, asker: Self.asker(offer.key))
                // Its key may have been revoked meanwhile: the file is let go of when nobody offers it again.
                takeUpload(.offer(offer, resumed: resumed))
                if gate != nil, guests[offer.stream.peer] == nil { takeUpload(.stopped(offer.stream)) }
            }
        } catch {
            refuse(offer.stream, asOurs(error, "uploading"))
        }
    }

    private func sayStored(_ id: StreamID) {
        var stored = Splitreel_Farm_Stored()
        stored.stream = id.number
        say(.stored(stored), to: id.peer)
    }

    /// Lets the brain of uploads take an event; `bytes` are those of the piece that has just come.
    func takeUpload(_ event: StoreUploads.Event, _ bytes: [UInt8] = []) {
        for action in uploads.handle(event, now: now) {
            switch action {
            case .want(let id, let demand):
                var want = Splitreel_Farm_Want()
                want.stream = id.number
                want.demand = demand.wire
                say(.want(want), to: id.peer)
            case .stored(let id): sayStored(id)
            case .refuse(let id, let error): refuse(id, error)
            case .startOver(let key): work(on: key) { try $0.file.begin() }
            case .write(let key, let offset, let skip, let count):
                let part = bytes[skip..<skip + count]
                let place = offset + Int64(count)
                work(on: key, { try $0.file.append(part) }, then: { _ in .written(key, place) })
            case .sum(let key): work(on: key, { _ in }, then: { .summed(key, $0.file.sum) })
            case .place(let key):
                guard let store else { continue }
                work(
                    on: key,
                    {
                        try $0.file.place()
                        try store.settle(key, size: $0.size)
                    }, then: { _ in .placed(key) })
            case .letGo(let key): uploading[key] = nil
            case .drop(let key):
                let store = store
                work(on: key) {
                    $0.file.remove()
                    store?.drop(key)
                }
                uploading[key] = nil
            }
        }
    }

    /// Works on an upload's file in the order of the calls, on a thread; what goes wrong ends it.
    private func work(
        on key: UploadKey, _ body: @escaping @Sendable (ArrivingUpload) throws -> Void,
        then next: (@Sendable (ArrivingUpload) -> StoreUploads.Event)? = nil
    ) {
        guard let upload = uploading[key] else { return }
        do {
            try uploaders.run(for: upload.asker) { [self] in
                do {
                    try body(upload)
                    if let next {
                        let event = next(upload)
                        post { $0.takeUpload(event) }
                    }
                } catch {
                    post { $0.takeUpload(.failed(key, $0.asOurs(error, "uploading"))) }
                }
            }
        } catch {
            let failure = asOurs(error, "uploading")
            // Not in the middle of the actions that it is one of.
            post { $0.takeUpload(.failed(key, failure)) }
        }
    }
}
