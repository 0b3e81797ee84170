package import DataPlane
package import Diagnostics
import Foundation
package import Scheduling
import SwiftProtobuf

/// A message of the data socket, by what it turned out to be.
package enum ReceivedData: Sendable {
    /// A message of ours; `bytes` is empty but for a piece.
    case message(Splitreel_Farm_DataEnvelope.OneOf_Body, bytes: [UInt8])
    /// A body that a later minor added: to be ignored and counted.
    case unknownBody
    /// A message to be refused with `.versionMismatch`.
    case otherMajor(UInt32)
    case malformed

    /// The most bytes of a message without those of its piece.
    package static let largestMessage = 64 << 10
    /// The most bytes of a piece.
    package static let largestPiece = 256 << 10

    /// Reads the frames of a message, without the identity that a router puts in front.
    package init(_ frames: [[UInt8]]) {
        guard (1...2).contains(frames.count), frames[0].count <= Self.largestMessage,
            let envelope = try? Splitreel_Farm_DataEnvelope(serializedBytes: frames[0])
        else {
            self = .malformed
            return
        }
        guard envelope.major == FarmVersion.major else {
            self = .otherMajor(envelope.major)
            return
        }
        guard let body = envelope.body else {
            self = .unknownBody
            return
        }
        // A piece alone has bytes behind it, and always: an empty frame where only the end is told.
        var isPiece = false
        if case .piece = body { isPiece = true }
        let bytes = frames.count == 2 ? frames[1] : []
        guard isPiece == (frames.count == 2), bytes.count <= Self.largestPiece else {
            self = .malformed
            return
        }
        self = .message(body, bytes: bytes)
    }
}

extension Splitreel_Farm_DataEnvelope {
    /// A message of our version.
    package init(_ body: OneOf_Body) {
        self.init()
        major = FarmVersion.major
        minor = FarmVersion.minor
        self.body = body
    }

    /// The frames of the message, with the bytes of a piece as the second one. Throws `.malformedMessage` where a frame
    /// would be too large.
    package func frames(_ bytes: [UInt8]? = nil) throws -> [[UInt8]] {
        let message: [UInt8]
        do {
            message = try serializedBytes()
        } catch {
            throw Self.fault("\(error)")
        }
        guard message.count <= ReceivedData.largestMessage, bytes?.count ?? 0 <= ReceivedData.largestPiece else {
            throw Self.fault("it has \(message.count) bytes, and \(bytes?.count ?? 0) behind them")
        }
        return [message] + (bytes.map { [$0] } ?? [])
    }

    private static func fault(_ reason: String) -> SplitreelError {
        SplitreelError(.malformedMessage, operation: "serializing", subject: "message of data", reason: "\(reason)")
    }
}

extension Splitreel_Farm_DataEnvelope.OneOf_Body {
    /// The number of the stream that the message is about.
    package var stream: UInt64 {
        switch self {
        case .fetch(let fetch): fetch.stream
        case .credit(let credit): credit.stream
        case .stop(let stop): stop.stream
        case .offer(let offer): offer.stream
        case .piece(let piece): piece.stream
        case .want(let want): want.stream
        case .stored(let stored): stored.stream
        case .refusal(let refusal): refusal.stream
        }
    }
}

extension Demand {
    /// The demand of a message; nil where it is absent or has numbers that no file has.
    package init?(_ wire: Splitreel_Farm_Demand) {
        guard let offset = Int64(exactly: wire.offset), let limit = Int64(exactly: wire.limit), limit >= offset else {
            return nil
        }
        self.init(offset: offset, limit: limit, round: wire.round)
    }

    package var wire: Splitreel_Farm_Demand {
        var wire = Splitreel_Farm_Demand()
        wire.offset = UInt64(clamping: offset)
        wire.limit = UInt64(clamping: limit)
        wire.round = round
        return wire
    }
}

extension ArrivalOffer {
    /// The offer of a message from that peer; nil where it is none of ours.
    package init?(_ wire: Splitreel_Farm_Offer, from peer: Peer) {
        guard let holding = Holding(wire.holding), wire.stream > 0, wire.hash.count == 32,
            let size = Int64(exactly: wire.size), Int(wire.file.task) == holding.task,
            Int(wire.file.epoch) == holding.epoch
        else { return nil }
        self.init(
            stream: StreamID(peer, wire.stream),
            key: ArrivalKey(holding: holding, file: Int(wire.file.file), isRecord: wire.file.isRecord), size: size,
            sum: Array(wire.hash))
    }
}

extension Splitreel_Farm_Offer {
    /// The offer of one file of the attempt's segment set, by a slot.
    package init(_ file: OutboxFile, of holding: Holding, slot: String, stream: UInt64) {
        self.init()
        self.stream = stream
        self.slot = slot
        self.holding = holding.wire
        self.file = Splitreel_Farm_SegmentFile(
            task: holding.task, epoch: holding.epoch, file: file.number, isRecord: file.isRecord)
        size = UInt64(clamping: file.size)
        hash = Data(file.sum)
    }
}

extension Splitreel_Farm_SegmentFile {
    package init(task: Int, epoch: Int, file: Int, isRecord: Bool) {
        self.init()
        self.task = UInt32(clamping: task)
        self.epoch = UInt32(clamping: epoch)
        self.file = UInt32(clamping: file)
        self.isRecord = isRecord
    }
}

extension Splitreel_Farm_Piece {
    package init(stream: UInt64, offset: Int64, end: Int64) {
        self.init()
        self.stream = stream
        self.offset = UInt64(clamping: offset)
        self.end = UInt64(clamping: end)
    }
}

extension Splitreel_Farm_Refusal {
    package init(stream: UInt64, _ error: SplitreelError) {
        self.init()
        self.stream = stream
        problem = Splitreel_Farm_Problem(error)
    }
}

extension Splitreel_Farm_Fetch {
    /// Asks for bytes of a thing; `end` is the byte behind the last one that is wanted, nil for all.
    package init(_ subject: DataSubject, of job: String, slot: String, stream: UInt64, demand: Demand, end: Int64?) {
        self.init()
        self.stream = stream
        self.job = job
        self.slot = slot
        self.demand = demand.wire
        self.end = UInt64(clamping: end ?? 0)
        switch subject {
        case .source(let path): source = path
        case .blockMap(let path): blockMap = path
        case .object(let sum): object = Data(sum)
        case .segment(let task, let epoch, let file, let isRecord):
            segment = Splitreel_Farm_SegmentFile(task: task, epoch: epoch, file: file, isRecord: isRecord)
        }
    }
}

extension Splitreel_Farm_Credit {
    package init(stream: UInt64, _ demand: Demand) {
        self.init()
        self.stream = stream
        self.demand = demand.wire
    }
}

extension Splitreel_Farm_Stop {
    package init(stream: UInt64) {
        self.init()
        self.stream = stream
    }
}
