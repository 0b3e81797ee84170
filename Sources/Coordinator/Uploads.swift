import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Scheduling

/// The limits on compositions that come in parts: how much is kept, and for how long.
package struct UploadLimits: Sendable {
    /// The most bytes of one composition.
    package var compositionBytes = 64 << 20
    /// The most bytes of all compositions that are on their way.
    package var waitingBytes = 256 << 20
    /// The most bytes of all compositions that wait to be planned.
    package var unplannedBytes = 512 << 20
    /// The bytes above which compositions are planned one at a time: each takes some 25 times as much memory meanwhile.
    package var plannedAtOnce = 4 << 20
    /// The bytes above which a composition is stored by another thread than the loop's, piece by piece.
    package var storedAtOnce = 64 << 10
    package var clients = 64
    /// The time without a further part after which an upload is dropped.
    package var idle: Duration = .seconds(60)

    package init() {}
}

/// Compositions on their way, at most one for each client: a new one takes the place of an old one.
struct Uploads {
    private struct Upload {
        let number: UInt64
        var content = Data()
        var hash = SHA256Sum()
        var heard: Instant

        /// Whether the part that came last is said again.
        func hasAtEnd(_ part: Splitreel_Farm_SubmitPart) -> Bool {
            guard number == part.upload, !part.content.isEmpty else { return false }
            return part.offset &+ UInt64(part.content.count) == UInt64(content.count)
        }
    }

    private let limits: UploadLimits
    private var byClient: [[UInt8]: Upload] = [:]
    private var byteCount = 0

    init(_ limits: UploadLimits) { self.limits = limits }

    /// Takes a part; answers the number of bytes that have come. Throws where the part does not fit or there is no
    /// room; the upload is dropped then.
    mutating func take(_ part: Splitreel_Farm_SubmitPart, from client: [UInt8], now: Instant) throws -> Int {
        do {
            if let upload = byClient[client], upload.hasAtEnd(part) { return upload.content.count }
            if byClient[client]?.number != part.upload { try begin(part.upload, client, now) }
            guard var upload = byClient[client], part.upload != 0, !part.content.isEmpty,
                part.offset == UInt64(upload.content.count)
            else { throw Self.refused(.malformedMessage, "its parts did not come in order") }
            guard part.content.count <= limits.compositionBytes - upload.content.count else {
                throw Self.refused(.refused, "a composition has at most \(limits.compositionBytes >> 20) MiB")
            }
            guard part.content.count <= limits.waitingBytes - byteCount else {
                throw Self.refused(.refused, "too many large compositions are on their way", hint: "try again soon")
            }
            // Taken out meanwhile, so that the bytes are not copied.
            byClient[client] = nil
            upload.content.append(part.content)
            upload.hash.update(part.content)
            upload.heard = now
            byteCount += part.content.count
            byClient[client] = upload
            return upload.content.count
        } catch {
            drop(client)
            throw error
        }
    }

    /// Takes out the whole text that a submission speaks of; it is not kept. Nobody has looked yet whether it is one.
    mutating func finish(_ message: Splitreel_Farm_Submit, from client: [UInt8]) throws -> Data {
        guard let upload = byClient[client], upload.number == message.upload else {
            throw Self.refused(.malformedMessage, "its parts have not come, or too long ago")
        }
        drop(client)
        guard UInt64(upload.content.count) == message.compositionBytes,
            Data(upload.hash.bytes) == message.compositionHash
        else { throw Self.refused(.malformedMessage, "its parts are not what was promised") }
        return upload.content
    }

    mutating func dropIdle(now: Instant) {
        for (client, upload) in byClient where now - upload.heard > limits.idle { drop(client) }
    }

    private mutating func begin(_ number: UInt64, _ client: [UInt8], _ now: Instant) throws {
        drop(client)
        guard byClient.count < limits.clients else {
            throw Self.refused(.refused, "too many large compositions are on their way", hint: "try again soon")
        }
        byClient[client] = Upload(number: number, heard: now)
    }

    private mutating func drop(_ client: [UInt8]) {
        byteCount -= byClient.removeValue(forKey: client)?.content.count ?? 0
    }

    static func refused(_ code: ErrorCode, _ reason: String, hint: String = "") -> SplitreelError {
        SplitreelError(code, operation: "submitting", subject: "the composition", reason: reason, hint: hint)
    }
}

/// The composition of a submission, as it came.
enum SubmittedText: Sendable {
    case whole(String)
    /// The bytes of all parts, at which nobody has looked yet.
    case parts(Data)

    var byteCount: Int {
        switch self {
        case .whole(let text): text.utf8.count
        case .parts(let bytes): bytes.count
        }
    }

    /// The text; throws `.malformedMessage` where the bytes are none. Reads all of them: not for the loop.
    func text() throws -> String {
        switch self {
        case .whole(let text): return text
        case .parts(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Uploads.refused(.malformedMessage, "its parts are not what was promised")
            }
            return text
        }
    }
}

extension Coordinator {
    func take(_ part: Splitreel_Farm_SubmitPart, from identity: [UInt8], _ request: UInt64) {
        do {
            var taken = Splitreel_Farm_PartTaken()
            (taken.upload, taken.bytes) = (part.upload, UInt64(try uploads.take(part, from: identity, now: now)))
            send(.partTaken(taken), to: identity, request: request)
        } catch {
            send(.problem(Splitreel_Farm_Problem(any: error, operation: "submitting")), to: identity, request: request)
        }
    }

    /// The composition that a submission brings or has sent before; throws where too much waits for planning already.
    func composition(of message: Splitreel_Farm_Submit, from identity: [UInt8]) throws -> SubmittedText {
        let text: SubmittedText =
            message.upload == 0 ? .whole(message.composition) : .parts(try uploads.finish(message, from: identity))
        let waiting =
            openJobs.values.reduce(0) { $0 + ($1.unplannedBytes ?? 0) }
            + openIntakes.values.reduce(0) { $0 + $1.textBytes }
        guard text.byteCount <= configuration.uploads.unplannedBytes - waiting else {
            throw Uploads.refused(
                .refused, "too many large compositions wait to be planned", hint: "try again when they are")
        }
        return text
    }
}
