package import Diagnostics
import Foundation
import SwiftProtobuf

/// The version of the farm's protocol. A different major is refused; a different minor is not: minors only add.
package enum FarmVersion {
    package static let major: UInt32 = 3
    package static let minor: UInt32 = 0
    /// The bytes of a frame at most; the transport disconnects a peer that sends a larger one.
    package static let largestFrame = 1 << 20
}

/// A received frame, by what it turned out to be.
package enum ReceivedFrame: Sendable {
    case message(Splitreel_Farm_Envelope)
    /// A frame of our major version, with a body that a later minor added: to be ignored and counted.
    case unknownBody(request: UInt64)
    /// A frame to be refused with `.versionMismatch`; one without any version has major 0.
    case otherMajor(UInt32, request: UInt64)
    case malformed

    package init(_ frame: [UInt8]) {
        guard frame.count <= FarmVersion.largestFrame,
            let envelope = try? Splitreel_Farm_Envelope(serializedBytes: frame)
        else {
            self = .malformed
            return
        }
        if envelope.major != FarmVersion.major {
            self = .otherMajor(envelope.major, request: envelope.request)
        } else if envelope.body == nil {
            self = .unknownBody(request: envelope.request)
        } else {
            self = .message(envelope)
        }
    }
}

extension Splitreel_Farm_Envelope {
    /// A message of our version. `request` is the client's number of a request, or that of the request it answers.
    package init(_ body: OneOf_Body, request: UInt64 = 0) {
        self.init()
        major = FarmVersion.major
        minor = FarmVersion.minor
        self.request = request
        self.body = body
    }

    /// The bytes of one frame. Throws `.malformedMessage` where they exceed the largest frame.
    package func frame() throws -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try serializedBytes()
        } catch {
            throw SplitreelError(
                .malformedMessage, operation: "serializing", subject: "message", reason: String(describing: error))
        }
        guard bytes.count <= FarmVersion.largestFrame else {
            throw SplitreelError(
                .malformedMessage, operation: "serializing", subject: "message",
                reason: "it has \(bytes.count) bytes, and a message has \(FarmVersion.largestFrame) at most")
        }
        return bytes
    }

    /// The message of a frame; nil for a body that we do not know. Throws `.malformedMessage` or `.versionMismatch`.
    package static func parse(_ frame: [UInt8]) throws -> Splitreel_Farm_Envelope? {
        switch ReceivedFrame(frame) {
        case .message(let envelope): return envelope
        case .unknownBody: return nil
        case .otherMajor(let major, _): throw versionMismatch(theirs: major)
        case .malformed:
            throw SplitreelError(
                .malformedMessage, operation: "parsing", subject: "message of \(frame.count) bytes",
                reason: "the bytes are not a splitreel message")
        }
    }

    /// The error for a peer of another major version.
    package static func versionMismatch(theirs: UInt32) -> SplitreelError {
        SplitreelError(
            .versionMismatch, operation: "reading a message", subject: "protocol version \(theirs)",
            reason: "this splitreel speaks version \(FarmVersion.major)",
            hint: "install the same release of splitreel on both machines")
    }
}

extension Splitreel_Farm_JobReport {
    /// The bytes that it takes of a message.
    package var byteCount: Int { size(of: self) }
}

extension Splitreel_Farm_WorkerReport {
    /// The bytes that it takes of a message.
    package var byteCount: Int { size(of: self) }
}

private func size(of message: some Message) -> Int { ((try? message.serializedBytes()) as [UInt8]?)?.count ?? 0 }
