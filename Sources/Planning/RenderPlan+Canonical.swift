package import Foundation
import Hashing
import JSONText
import MediaTime

extension RenderPlan {
    /// The bytes of a plan at most: they are read whole.
    package static let mostBytes = 1 << 30

    /// The plan's one byte form: JSON with sorted keys, no white space, slashes not escaped.
    ///
    /// These bytes are written to `plan.json`, and `hash` is their SHA-256. They are never made again from a decoded
    /// plan where the file's own bytes can be used.
    package func canonicalBytes() throws -> Data { try canonicalJSON(self) }

    /// SHA-256 of `canonicalBytes()`, 64 lower-case hexadecimal digits.
    package func hash() throws -> String { Self.hash(ofBytes: try canonicalBytes()) }

    package static func hash(ofBytes bytes: Data) -> String { sha256(bytes) }

    /// Reads the bytes that `canonicalBytes` made. Compare `hash(ofBytes:)` of the same bytes with the lease's hash
    /// first.
    ///
    /// A plan that it answers has passed `check`: later arithmetic on its numbers cannot trap.
    package static func decode(_ bytes: Data) throws -> RenderPlan {
        let decoder = JSONDecoder()
        // The film's own list, and all those of nested compositions.
        if let room = FrameTimes.room { decoder.userInfo[room] = FrameTimes.Room(2 * FrameTimes.mostFrames) }
        let plan = try decoder.decode(RenderPlan.self, from: bytes)
        try plan.check()
        return plan
    }
}
